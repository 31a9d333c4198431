import Diagnosis
import Testing

/// When the receiver itself is asked, and what becomes of its answers.
struct QuestionTests {
  private func examination(of name: String) throws -> Examination {
    let tree = try MachineTree(name)
    return Examination(of: tree, tree.inquiry)
  }

  private func desk() throws -> Examination {
    let examination = try examination(of: "ill-desk-no-daemon")
    #expect(examination.question == .receiver(path: "/dev/ttyACM0", speed: nil))
    return examination
  }

  @Test func noQuestionIsAskedWhileADaemonHasTheReceiver() throws {
    for name in ["healthy-desk", "ill-desk-held", "ill-4-login-prompt", "ill-4-login-user"] {
      #expect(try examination(of: name).question == nil, "\(name)")
    }
  }

  @Test func aReceiverThatAnswersIsNoFault() throws {
    var examination = try desk()
    let faults = examination.findings.filter { $0.severity == .fault }
    examination.receiverAnswered(.identified("u-blox SAM-M10Q", speed: 38_400))
    #expect(examination.findings.filter { $0.severity == .fault } == faults)
    #expect(
      examination.findings.last?.line
        == "note: /dev/ttyACM0: the receiver answers: u-blox SAM-M10Q, at 38400 baud")
    #expect(examination.question == nil)
  }

  /// Typed and in pieces: Swift 6.0 takes too long over sums of literals within an array.
  static let answers: [(answer: Examination.ReceiverAnswer, line: String)] = {
    var answers: [(answer: Examination.ReceiverAnswer, line: String)] = []
    answers.append(
      (
        .silent,
        "fault: /dev/ttyACM0: the receiver does not answer at any speed; to mend it: wire its TX to the "
          + "board's RXD, its RX to TXD, ground to ground, and see that it has power"
      ))
    answers.append(
      (
        .garbled(bytes: 812),
        "fault: /dev/ttyACM0: 812 bytes came, and no speed gives a valid message: the device is not a "
          + "receiver, or the line is noisy; to mend it: wire its TX to the board's RXD, its RX to TXD, ground to "
          + "ground, and see that it has power"
      ))
    answers.append(
      (
        .heard(speed: 9_600),
        "note: /dev/ttyACM0: the receiver is heard at 9600 baud but does not answer; to mend it: wire its RX "
          + "to the board's TXD; a receiver that knows NMEA only never answers"
      ))
    answers.append(
      (
        .failed("/dev/ttyACM0: not a terminal"),
        "fault: /dev/ttyACM0: it cannot be used: /dev/ttyACM0: not a terminal; to mend it: say which it is "
          + "with Device= in a copy of the profile, or with --receiver"
      ))
    return answers
  }()

  @Test(arguments: answers)
  func otherAnswersAreReported(answer: Examination.ReceiverAnswer, line: String) throws {
    var examination = try desk()
    examination.receiverAnswered(answer)
    #expect(examination.findings.last?.line == line)
    // An answer without a question is ignored.
    let count = examination.findings.count
    examination.receiverAnswered(.silent)
    #expect(examination.findings.count == count)
  }
}

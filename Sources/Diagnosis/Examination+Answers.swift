import BinnacleBasics

/// The receiver's answers to questions.
extension Examination {
  /// The result of a question to the receiver.
  public enum ReceiverAnswer: Equatable, Sendable {
    /// The receiver's identity, in one line for a person, and its speed in baud.
    case identified(String, speed: Int)
    /// The receiver sends at this speed in baud and does not answer.
    case heard(speed: Int)
    /// This many bytes arrived, without a frame at any speed.
    case garbled(bytes: Int)
    case silent
    /// The receiver's device could not be used, for this reason.
    case failed(String)
  }

  /// Takes the answer to `question`.
  public mutating func receiverAnswered(_ answer: ReceiverAnswer) {
    guard case .receiver(let path, _) = question else { return }
    question = nil
    switch answer {
    case .identified(let text, let speed):
      findings.append(
        .note(.receiverAnswers, path, "the receiver answers: \(text), at \(speed) baud"))
    case .heard(let speed):
      findings.append(
        .note(
          .receiverUnsettled, path, "the receiver is heard at \(speed) baud but does not answer",
          mend: Examination.wiringOfAnswers))
    case .garbled(let bytes):
      findings.append(
        .fault(
          .receiverSilent, path,
          "\(CountText.words(bytes, "byte")) came, and no speed gives a valid message: the device is not a receiver, or the line is noisy",
          mend: Examination.wiring))
    case .silent:
      findings.append(
        .fault(
          .receiverSilent, path, "the receiver does not answer at any speed",
          mend: Examination.wiring))
    case .failed(let reason):
      findings.append(
        .fault(.deviceUnfit, path, "it cannot be used: \(reason)", mend: Examination.otherDevice))
    }
  }

  /// The wires to check for a silent receiver, by the profile.
  var wiringOfReceiver: String { isReceiverOnBus ? Examination.wiringOfBus : Examination.wiring }

  static let wiringOfBus =
    "wire its SDA to the board's SDA, its SCL to SCL, ground to ground, and see that it has power"
  static let wiring =
    "wire its TX to the board's RXD, its RX to TXD, ground to ground, and see that it has power"
  static let wiringOfAnswers =
    "wire its RX to the board's TXD; a receiver that knows NMEA only never answers"
  static let otherDevice =
    "say which it is with Device= in a copy of the profile, or with --receiver"
}

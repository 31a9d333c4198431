import Diagnosis
import Testing

/// When the accelerometer itself is asked, and what becomes of its answers.
struct AccelerometerFindingTests {
  private func board(_ name: String) throws -> Examination {
    let tree = try MachineTree(name)
    return Examination(of: tree, tree.inquiry)
  }

  private func unserved() throws -> Examination {
    var tree = try MachineTree("healthy-raspberry-pi-4")
    tree.stopDaemon()
    let examination = Examination(of: tree, tree.inquiry)
    #expect(examination.accelerometerQuestion?.bus == "/dev/i2c-1")
    return examination
  }

  @Test func noQuestionIsAskedWhileADaemonHasTheBusOrThereIsNoBus() throws {
    for name in ["healthy-raspberry-pi-4", "ill-4-i2c-dev", "ill-4-login-user", "healthy-desk"] {
      #expect(try board(name).accelerometerQuestion == nil, "\(name)")
    }
  }

  @Test func aChipThatAnswersIsNoFault() throws {
    var examination = try unserved()
    let faults = examination.findings.filter { $0.severity == .fault }
    examination.accelerometerAnswered(.identified(model: "LIS3DH", address: 0x18))
    #expect(examination.findings.filter { $0.severity == .fault } == faults)
    #expect(
      examination.findings.last?.line
        == "note: /dev/i2c-1 address 0x18: the accelerometer is a LIS3DH")
    // An answer without a question is ignored.
    let count = examination.findings.count
    examination.accelerometerAnswered(.absent("no accelerometer answers"))
    #expect(examination.findings.count == count)
  }

  /// Typed and in pieces: Swift 6.0 takes too long over sums of literals within an array.
  static let answers: [(answer: Examination.AccelerometerAnswer, line: String)] = {
    var answers: [(answer: Examination.AccelerometerAnswer, line: String)] = []
    answers.append(
      (
        .absent("no accelerometer answers at address 0x18"),
        "fault: /dev/i2c-1: no accelerometer answers at address 0x18; to mend it: wire its SDA, SCL, 3.3 V and "
          + "ground, and its address pin as Address= says, 'i2cdetect -y 1' shows the addresses that answer; or Chip=none in "
          + "[Accelerometer] of a drop-in of the profile"
      ))
    answers.append(
      (
        .stranger("no driver knows the chip at 0x68: register 0x75 reads 0xEA"),
        "fault: /dev/i2c-1: no driver knows the chip at 0x68: register 0x75 reads 0xEA; to mend it: Address= in "
          + "[Accelerometer] of a drop-in of the profile says where the accelerometer is, Chip=none that there is none"
      ))
    answers.append(
      (
        .heldByKernel("address 0x18 is held by the kernel's driver st-accel-i2c"),
        "note: /dev/i2c-1: address 0x18 is held by the kernel's driver st-accel-i2c; an accelerometer there is read by "
          + "way of /sys/bus/iio"
      ))
    answers.append(
      (
        .stuck("/dev/i2c-1: Connection timed out"),
        "fault: /dev/i2c-1: /dev/i2c-1: Connection timed out; to mend it: take the power of board and chips away "
          + "for ten seconds; if it stays so, unplug one chip after the other, and look for a short of SDA or SCL "
          + "and for their resistors to 3.3 V"
      ))
    answers.append(
      (
        .failed("/dev/i2c-1: No such device"),
        "fault: /dev/i2c-1: /dev/i2c-1: No such device; to mend it: I2C= in a drop-in of the profile names the right bus"
      ))
    return answers
  }()

  @Test(arguments: answers)
  func otherAnswersAreReported(answer: Examination.AccelerometerAnswer, line: String) throws {
    var examination = try unserved()
    examination.accelerometerAnswered(answer)
    #expect(examination.findings.last?.line == line)
  }
}

import Basics
import Glibc
import Posix
import TestSupport
import Testing

@testable import Devices

struct SerialPortOpeningTests {
  private func failure(_ path: String) -> SerialPortError? {
    do {
      _ = try SerialPort.open(path: path, speed: 9_600)
      return nil
    } catch {
      return error
    }
  }

  @Test func whatIsNotASerialPortIsRefused() throws {
    let directory = try TemporaryDirectory()
    #expect(failure(directory("gone"))?.kind == .missing)
    #expect(
      failure(directory("gone"))?.description == "\(directory("gone")): No such file or directory")
    try Files.makeLink(directory("dangling"), to: directory("gone"))
    #expect(failure(directory("dangling"))?.kind == .missing)
    #expect(failure(directory.path)?.kind == .notATerminal)
    #expect(failure("/dev/null")?.kind == .notATerminal)
    try Files.writeAtomically([], to: directory("file"))
    #expect(failure(directory("file"))?.kind == .notATerminal)
    mkfifo(directory("fifo"), 0o600)
    #expect(failure(directory("fifo"))?.kind == .notATerminal)
  }

  /// The holder is another process, told by its number and its program.
  @Test func whoHoldsThePortIsNamed() throws {
    let line = try PseudoTerminal()
    let holder = try ChildProcess(
      "perl",
      [
        "-e",
        "open(F, '+<', $ARGV[0]) or die; flock(F, 6) or die; $| = 1; print \"held\\n\"; sleep 600",
        line.farEndName,
      ], output: .pipe)
    var poll = Poll()
    poll.set(holder.outputDescriptor, .reading)
    try #require(try poll.wait(until: Clock.now + .seconds(60)) > 0)
    let error = try #require(failure(line.farEndName))
    #expect(error.kind == .busy)
    #expect(
      error.description == "\(line.farEndName): held by perl (process \(holder.processID))")
    try holder.terminate()
    #expect(failure(line.farEndName) == nil)
  }

  /// Who reads a pseudo-terminal without a lock takes bytes away, and nothing else would say so.
  @Test func whoElseHasAPseudoTerminalOpenIsNamed() throws {
    let line = try PseudoTerminal()
    let reader = try ChildProcess(
      "perl",
      [
        "-e", "open(F, '+<', $ARGV[0]) or die; $| = 1; print \"open\\n\"; sleep 600",
        line.farEndName,
      ], output: .pipe)
    var poll = Poll()
    poll.set(reader.outputDescriptor, .reading)
    try #require(try poll.wait(until: Clock.now + .seconds(60)) > 0)
    var port: SerialPort? = try SerialPort.open(path: line.farEndName, speed: 9_600)
    let name = "also open in perl (process \(reader.processID))"
    #expect(port?.warnings.contains { $0.contains(name) } == true)
    port = nil
    try reader.terminate()
    // A child that another test is just starting has everything open for a moment.
    #expect(
      try eventually {
        try SerialPort.open(path: line.farEndName, speed: 9_600).warnings.isEmpty
      })
  }

  @Test func thePortIsOursAlone() throws {
    let line = try PseudoTerminal()
    let port = try SerialPort.open(path: line.farEndName, speed: 9_600)
    let error = try #require(failure(line.farEndName))
    #expect(error.kind == .busy)
    // Who does not ask for the lock is refused by the kernel, except root.
    if Environment.userID == 0 {
      try #require(chmod(line.farEndName, 0o666) == 0)
      let other = try ChildProcess.run(
        "setpriv", ["--reuid=65534", "--clear-groups", "cat", line.farEndName])
      #expect(other.errorText.contains(Errno.busy.description), "\(other.errorText)")
    }
    _ = port.descriptor
  }

  @Test func aLoginPromptIsFoundByItsWords() throws {
    let child = try ChildProcess(
      "bash", ["-c", "exec -a /sbin/agetty sh -c 'echo up; read line' ttyTEST7"], input: .pipe,
      output: .pipe)
    var poll = Poll()
    poll.set(child.outputDescriptor, .reading)
    try #require(try poll.wait(until: Clock.now + .seconds(60)) > 0)
    let holders = DeviceHolder.all(of: "/dev/ttyTEST7", device: .max)
    #expect(holders.map { $0.processID } == [child.processID])
    #expect(DeviceHolder.all(of: "/dev/ttyTEST8", device: .max).isEmpty)
  }

  @Test func adviceIsGivenWhereItIsKnown() {
    func advice(_ program: String) -> String? {
      DeviceHolder(processID: 1, program: program).advice(path: "/dev/ttyAMA0")
    }
    #expect(advice("agetty")?.contains("serial-getty@ttyAMA0") == true)
    #expect(advice("gpsd")?.contains("gpsd.socket") == true)
    #expect(advice("cat") == nil)
  }

  @Test func theKindIsToldByNumberAndDriver() {
    #expect(LineKind(major: 136, driver: nil) == .pseudoTerminal)
    #expect(LineKind(major: 143, driver: nil) == .pseudoTerminal)
    #expect(LineKind(major: 166, driver: nil) == .usb)
    #expect(LineKind(major: 200, driver: "cdc_acm") == .usb)
    #expect(LineKind(major: 188, driver: "ftdi_sio") == .uart)
    #expect(LineKind(major: 204, driver: "uart-pl011") == .uart)
    #expect(LineKind(major: 4, driver: nil) == .uart)
  }

  @Test func aQuarterOfABitIsNearEnough() {
    #expect(SerialPort.isNear(115_200, 115_200))
    #expect(SerialPort.isNear(113_000, 115_200))
    #expect(!SerialPort.isNear(112_000, 115_200))
    #expect(!SerialPort.isNear(9_600, 38_400))
    #expect(!SerialPort.isNear(0, 50))
  }
}

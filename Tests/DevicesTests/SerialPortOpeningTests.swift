import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import TestSupport
import Testing

@testable import Devices

struct SerialPortOpeningTests {
  private func failure(_ path: String) -> ReceiverFault? {
    do {
      _ = try SerialPort.open(path: path, speed: 9_600)
      return nil
    } catch {
      return error
    }
  }

  @Test func aPathThatIsNoSerialPortIsRefused() throws {
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
  @Test func theHolderOfThePortIsNamed() throws {
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

  /// A program that reads a pseudo-terminal without a lock takes bytes away, and no other sign shows that.
  @Test func otherUsersOfAPseudoTerminalAreNamed() throws {
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

  @Test func anOpenPortRefusesOtherPrograms() throws {
    let line = try PseudoTerminal()
    let port = try SerialPort.open(path: line.farEndName, speed: 9_600)
    let error = try #require(failure(line.farEndName))
    #expect(error.kind == .busy)
    _ = port.descriptor
  }

  /// The mode outlives a holder that was killed, and its successor cannot open the line unless it is root.
  @Test func aPseudoTerminalIsNotPutIntoExclusiveMode() throws {
    let line = try PseudoTerminal()
    let port = try SerialPort.open(path: line.farEndName, speed: 9_600)
    var isExclusive: Int32 = -1
    // TIOCGEXCL of asm-generic/ioctls.h; the importer does not see it.
    try #require(ioctl(port.descriptor, 0x8004_5440, &isExclusive) == 0)
    #expect(isExclusive == 0)
  }

  /// Numbers of pseudo-terminals begin anew in every container, and so do their names.
  @Test(.enabled(if: Environment.userID == 0, "only root may mount"))
  func aTerminalOfTheSameNameInAContainerIsAnotherOne() throws {
    let line = try PseudoTerminal()
    let number = try #require(line.farEndName.split(separator: "/").last)
    let container = try ChildProcess(
      "unshare",
      [
        "--mount", "sh", "-c",
        """
        mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts && exec perl -e '
          my $unlocked = pack("i", 0);
          for (0 .. $ARGV[0]) {
            open(my $near, "+<", "/dev/pts/ptmx") or die;
            ioctl($near, 0x40045431, $unlocked) or die;
            push @kept, $near;
          }
          open(F, "+<", "/dev/pts/$ARGV[0]") or die;
          $| = 1; print "open\\n"; sleep 600' "$0"
        """, String(number),
      ], output: .pipe)
    var poll = Poll()
    poll.set(container.outputDescriptor, .reading)
    try #require(try poll.wait(until: Clock.now + .seconds(60)) > 0)
    let folder = "/proc/\(container.processID)/fd/"
    let numbers = try Files.list(folder).filter {
      (try? Files.linkTarget(folder + $0))?.hasSuffix("/" + number) == true
    }
    let link = try #require(numbers.first)
    let mine = try Files.status(of: line.farEndName)
    #expect(try Files.status(of: folder + link).device == mine.device)
    let holders = DeviceHolder.all(of: line.farEndName, DeviceIdentity(mine))
    #expect(!holders.contains { $0.processID == container.processID })
    try container.terminate()
  }

  @Test func aLoginPromptIsFoundByItsWords() throws {
    let child = try ChildProcess(
      "bash", ["-c", "exec -a /sbin/agetty sh -c 'echo up; read line' ttyTEST7"], input: .pipe,
      output: .pipe)
    var poll = Poll()
    poll.set(child.outputDescriptor, .reading)
    try #require(try poll.wait(until: Clock.now + .seconds(60)) > 0)
    let device = DeviceIdentity(try Files.status(of: "/dev/full"))
    let holders = DeviceHolder.all(of: "/dev/ttyTEST7", device)
    #expect(holders.contains { $0.processID == child.processID })
    let others = DeviceHolder.all(of: "/dev/ttyTEST8", device)
    #expect(!others.contains { $0.processID == child.processID })
  }

  @Test func aKnownHolderOfALineHasAdvice() {
    func advice(_ program: String) -> String? {
      DeviceHolder(processID: 1, program: program).advice(path: "/dev/ttyAMA0")
    }
    #expect(advice("agetty")?.contains("serial-getty@ttyAMA0") == true)
    #expect(advice("gpsd")?.contains("gpsd.socket") == true)
    #expect(advice("cat") == nil)
  }

  @Test func theKindFollowsFromNumberAndDriver() {
    #expect(LineKind(major: 136, driver: nil) == .pseudoTerminal)
    #expect(LineKind(major: 143, driver: nil) == .pseudoTerminal)
    #expect(LineKind(major: 166, driver: nil) == .usb)
    #expect(LineKind(major: 200, driver: "cdc_acm") == .usb)
    #expect(LineKind(major: 188, driver: "ftdi_sio") == .uart)
    #expect(LineKind(major: 204, driver: "uart-pl011") == .uart)
    #expect(LineKind(major: 4, driver: nil) == .uart)
  }

  @Test func aSpeedThatDiffersByAQuarterOfABitIsAccepted() {
    #expect(SerialPort.isNear(115_200, 115_200))
    #expect(SerialPort.isNear(113_000, 115_200))
    #expect(!SerialPort.isNear(112_000, 115_200))
    #expect(!SerialPort.isNear(9_600, 38_400))
    #expect(!SerialPort.isNear(0, 50))
  }
}

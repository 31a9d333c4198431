import BinnacleBasics
import Glibc
import TestSupport
import Testing

@testable import BinnaclePosix

struct PeerProcessTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static func watch(_ number: Int32) throws -> FileDescriptor {
    try FileDescriptor(watchingProcess: number)
  }

  @Test func aPeersProgramIsKnown() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    let client = try LocalSocket(connectingTo: directory("s"))
    let served = try #require(try listener.accept())
    let program = try PeerProcess(of: served).program()
    let path = try #require(Environment.executablePath)
    #expect(program.path == path)
    #expect(try program.file == FileIdentity(ofFileAt: path))
    _ = client
  }

  @Test func aReusedProcessNumberIsNotAccepted() throws {
    let child = try ChildProcess("/bin/sleep", ["600"])
    let watch = try PeerProcessTests.watch(child.processID)
    child.kill()
    #expect(try child.wait(limit: .seconds(20)) != nil)
    // The kernel's record names the child; the number of the child now names this process.
    let peer = PeerProcess(number: Environment.processID, watch: watch, startedBefore: nil)
    #expect(throws: Errno.noSuchProcess) { try peer.program() }
  }

  @Test func theProcessNumberCountsOnlyIfTheKernelHasNoPidfdOfPeers() {
    #expect(PeerProcess.failure(ofWatch: Errno(code: ENOPROTOOPT)) == nil)
    for code in [EINVAL, ENODATA, ESRCH] {
      #expect(PeerProcess.failure(ofWatch: Errno(code: code)) == .noSuchProcess)
    }
    for code in [EMFILE, ENFILE, ENOMEM] {
      #expect(PeerProcess.failure(ofWatch: Errno(code: code)) == Errno(code: code))
    }
  }

  @Test func withoutAPidfdOfThePeerItsProcessMustBeOlderThanTheConnection() throws {
    let own = Environment.processID
    let old = PeerProcess(
      number: own, watch: try PeerProcessTests.watch(own), startedBefore: Clock.now)
    #expect(try old.program().path == Environment.executablePath)
    let child = try ChildProcess("/bin/sleep", ["600"])
    // A tick of the start time is up to 10 ms.
    let young = PeerProcess(
      number: child.processID, watch: try PeerProcessTests.watch(child.processID),
      startedBefore: Clock.now - .seconds(60))
    #expect(throws: Errno.noSuchProcess) { try young.program() }
    child.kill()
  }

  @Test func aProgramWhoseFileIsReplacedIsStillTheSame() throws {
    let path = directory("sleep")
    try Programs.make(try Files.read("/bin/sleep"), at: path)
    let child = try ChildProcess(path, ["600"])
    try Files.remove(path)
    let peer = PeerProcess(
      number: child.processID, watch: try PeerProcessTests.watch(child.processID),
      startedBefore: nil)
    #expect(try peer.program().path == path)
    // Another file in its place is another program, though the path is the same.
    try Programs.make(try Files.read("/bin/sleep"), at: path)
    #expect(try peer.program().path == path)
    #expect(try peer.program().file != FileIdentity(ofFileAt: path))
    child.kill()
  }

  @Test func aProgramWhoseFileIsWrittenAnewHasItsIdentityStillAndAnotherVersion() throws {
    let path = directory("program")
    for (number, program) in ["/bin/sleep", "/bin/cat"].enumerated() {
      try Programs.make(try Files.read(program), at: directory("new\(number)"))
    }
    try Programs.make(try Files.read("/bin/sleep"), at: path)
    let before = try FileVersion(ofFileAt: path)
    // The shell opens the file that exists and writes to it, so the file keeps its number.
    let shell = try ChildProcess("/bin/sh", ["-c", "cat '\(directory("new1"))' > '\(path)'"])
    #expect(try shell.wait(limit: .seconds(20)) == .exited(0))
    let after = try FileVersion(ofFileAt: path)
    #expect(after.file == before.file)
    #expect(after != before)
    // A copy of the old bytes and of the old times is not the old version.
    let copy = try ChildProcess(
      "/bin/sh", ["-c", "cp -p '\(directory("new0"))' '\(path)'; touch -d @1 '\(path)'"])
    #expect(try copy.wait(limit: .seconds(20)) == .exited(0))
    #expect(try FileVersion(ofFileAt: path) != before)
    let child = try ChildProcess(path, ["600"])
    let peer = PeerProcess(
      number: child.processID, watch: try PeerProcessTests.watch(child.processID),
      startedBefore: nil)
    #expect(try peer.program().version == FileVersion(ofFileAt: path))
    child.kill()
  }

  /// Starts a process in a session of its own, which ignores the end of its terminal.
  ///
  /// - Parameter terminal: the controlling terminal; nil: the process gets none.
  /// - Returns: the process, whose program may still be `setsid`.
  /// - Throws: the error of the system.
  private static func sleeper(on terminal: PseudoTerminal?) throws -> ChildProcess {
    let words = ["env", "--ignore-signal=HUP", "sleep", "600"]
    guard let terminal else { return try ChildProcess("setsid", words) }
    // O_NOCTTY and O_RDWR
    let far = try FileDescriptor.open(terminal.farEndName, 0o400 | 2)
    return try ChildProcess("setsid", ["--ctty"] + words, input: .descriptor(far.number))
  }

  private static func isLeader(_ child: ChildProcess) -> Bool {
    (try? ProcessStatus(of: child.processID))?.sessionID == child.processID
  }

  @Test func aProcessHasItsTerminalUntilTheTerminalCloses() throws {
    var terminals = [try PseudoTerminal()]
    let child = try Self.sleeper(on: terminals[0])
    let number = child.processID
    let hasTerminal = try eventually {
      Self.isLeader(child) && PeerProcess.hasTerminal(number) == true
    }
    #expect(hasTerminal)
    #expect(try ProcessStatus(of: number).hasTerminal)
    terminals.removeAll()
    let hasLost = try eventually { PeerProcess.hasTerminal(number) == false }
    #expect(hasLost)
    // The process itself continues.
    #expect(try child.wait(limit: .zero) == nil)
    child.kill()
  }

  @Test func aProcessOfASessionWithoutATerminalHasNone() throws {
    let child = try Self.sleeper(on: nil)
    let isLeader = try eventually { Self.isLeader(child) }
    #expect(isLeader)
    #expect(PeerProcess.hasTerminal(child.processID) == false)
    child.kill()
    #expect(try child.wait(limit: .seconds(20)) != nil)
    #expect(PeerProcess.hasTerminal(child.processID) == false)
  }

  @Test func theFieldOfTheTerminalIsCountedBehindTheName() throws {
    let rest = "1 4 4 34816 4 " + Array(repeating: "0", count: 13).joined(separator: " ") + " 77"
    let status = try #require(ProcessStatus(text: "4 (a) S 0 (b) S \(rest)"))
    #expect(status.hasTerminal)
    #expect(status.sessionID == 4 && status.startTicks == 77)
    let other = rest.replacing("34816", with: "0")
    #expect(ProcessStatus(text: "4 (a) S 0 (b) S \(other)")?.hasTerminal == false)
  }

  @Test func usersAreKnownByName() {
    #expect(Users.number(of: "root") == 0)
    #expect(Users.number(of: "no-such-user-here") == nil)
    #expect(Users.localNumber(of: "root") == 0)
    #expect(Users.localNumber(of: "no-such-user-here") == nil)
  }

  @Test func aUserIsFoundBehindADamagedLineOfTheList() throws {
    let folder = try TemporaryDirectory()
    let list = folder.path + "/passwd"
    let text = """
      # a comment
      first:x:975:976:A user:/:/bin/sh
      broken:x
      :
      console:x:977:978:A user:/:/bin/sh

      """
    try Files.writeAtomically(Array(text.utf8), to: list)
    #expect(Users.localNumber(of: "console", path: list) == 977)
    #expect(Users.localNumber(of: "broken", path: list) == nil)
    #expect(Users.localNumber(of: "console", path: folder.path + "/none") == nil)
  }
}

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import NMEA
import TestSupport
import Testing

@testable import Daemon

/// The door for sentences of NMEA 0183, by programs that know nothing of this project: a plain socket and a plain terminal.
@Suite(.serialized)
struct StreamDoorTests {
  private let directory: TemporaryDirectory
  /// The board of the indicator, without which no reader gets a position.
  private let board: RunningBoard
  private static let userID = getuid()
  private static let app = "door.nmea:\(userID)"

  init() throws {
    directory = try TemporaryDirectory()
    try Files.makePrivateDirectory(directory("runtime"), mode: 0o700, withParents: true)
    board = try RunningBoard(path: directory("runtime/board.sock"))
  }

  /// A program that reads bytes.
  final class Reader {
    private let file: FileDescriptor
    private(set) var text = ""

    init(terminal path: String) throws {
      file = try FileDescriptor.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    }

    init(socket path: String) throws {
      let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      try #require(number >= 0)
      file = FileDescriptor(owning: number)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let answer = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(answer == 0)
    }

    func write(_ text: String) throws { _ = try file.write(Array(text.utf8)[...]) }

    /// Closes the direction to the daemon, as `nc -N` does.
    func endInput() { shutdown(file.number, Int32(SHUT_WR)) }

    /// Reads on until a line is there that passes.
    func hears(_ isWanted: (Substring) -> Bool) throws -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      return try eventually {
        while let count = try? file.read(into: &buffer), count > 0 {
          text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return lines.contains(where: isWanted)
      }
    }

    /// Forgets the lines so far.
    func forget() { text = "" }

    /// The whole lines so far.
    var lines: [Substring] {
      text.split(separator: "\r\n").dropLast(text.hasSuffix("\r\n") ? 0 : 1)
    }
  }

  private func startDaemon(_ section: String) throws -> RunningDaemon {
    let file = directory("door.conf")
    let lamp = "[Board]\nGPIO=sim:board.sock\n[Indicator]\nLine=GPIO23\n"
    try Files.writeAtomically(Array("\(lamp)[Door NMEA]\n\(section)\n".utf8), to: file)
    let daemon = try RunningDaemon(
      receiver: directory("receiver"), directory: directory, arguments: ["--board", file])
    // The client library's socket is there first.
    let isReady = try daemon.says("door NMEA: ")
    try #require(isReady)
    return daemon
  }

  private static func isFix(_ line: Substring) -> Bool {
    line.dropFirst(3).hasPrefix("RMC,")
      && line.split(separator: ",", omittingEmptySubsequences: false)[2] == "A"
  }

  private static func isVoid(_ line: Substring) -> Bool {
    line.dropFirst(3).hasPrefix("RMC,") && line.contains(",V,,,,,,")
  }

  /// Runs a verb of the command line.
  private func run(_ words: String...) throws {
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"), words + ["--runtime", directory("runtime")])
    #expect(outcome.ending == .exited(0))
  }

  private static func isSentence(_ line: Substring) -> Bool {
    let parts = line.dropFirst().split(separator: "*")
    return line.first == "$" && parts.count == 2
      && UInt8(parts[1], radix: 16) == parts[0].utf8.reduce(0, ^)
  }

  private func client(_ daemon: RunningDaemon) throws -> RawClient {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    return client
  }

  /// The apps that the report lists.
  private func apps(_ client: RawClient) throws -> [String] {
    try #require(try client.status()).items.compactMap { item in
      guard item.name.hasSuffix(".app"), item.name.hasPrefix("clients."),
        case .text(let app) = item.value
      else { return nil }
      return app
    }
  }

  @Test func aReaderOfTheSocketIsAnAppAsLongAsItReads() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Socket=nmea.sock\nGrant=\(Self.userID)")
    let client = try client(daemon)
    #expect(try apps(client).contains(Self.app) == false)
    do {
      let reader = try Reader(socket: directory("runtime/nmea.sock"))
      #expect(try reader.hears(Self.isFix))
      #expect(reader.lines.allSatisfy(Self.isSentence))
      #expect(try apps(client).contains(Self.app))
      let report = try #require(try client.status())
      #expect(report["doors.nmea.readers"] == .integer(1))
      #expect(report.items.contains { $0.value == .text("otherNavigation") })
      #expect(try reader.hears { $0.dropFirst(3).hasPrefix("GSV,") })
      #expect(
        try reader.hears {
          $0.dropFirst(3).hasPrefix("GSA,A,3,") && $0.split(separator: ",").count > 9
        })
      #expect(reader.lines.allSatisfy(Self.isSentence))
    }
    #expect(try eventually { try !apps(client).contains(Self.app) })
    withExtendedLifetime((receiver, daemon)) {}
  }

  @Test func aProgramThatConnectsInALoopIsRefusedAndAReaderIsServed() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Socket=nmea.sock\nGrant=\(Self.userID)")
    let client = try client(daemon)
    let reader = try Reader(socket: directory("runtime/nmea.sock"))
    let loop = try ConnectionLoop(at: directory("runtime/nmea.sock"), isStream: true)
    func refusedCount() throws -> Int64 {
      if case .integer(let count)? = try client.status()?["doors.nmea.refused"] { return count }
      return 0
    }
    #expect(try eventually { try refusedCount() > 0 })
    reader.forget()
    #expect(try reader.hears(Self.isFix))
    #expect(try loop.isRunning())
    withExtendedLifetime((receiver, daemon, loop)) {}
  }

  @Test func aReaderIsAcceptedWhenDescriptorsAreFreeAgain() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Socket=nmea.sock\nGrant=\(Self.userID)")
    let process = "\(daemon.process.processID)"
    /// Sets the daemon's limit of open descriptors; the hard limit stays.
    func limitDescriptors(to count: Int) throws {
      let words = ["--pid", process, "--nofile=\(count):"]
      let outcome = try ChildProcess.run("prlimit", words)
      try #require(outcome.ending == .exited(0))
    }
    // The test system has descriptors of its own from 200 on.
    let open = try Files.list("/proc/\(process)/fd").compactMap { Int($0) }.filter { $0 < 200 }
    try limitDescriptors(to: try #require(open.max()) + 1)
    var readers: [Reader] = []
    for _ in 0..<6 { readers.append(try Reader(socket: directory("runtime/nmea.sock"))) }
    let last = try #require(readers.last)
    func reportCount() -> Int {
      daemon.logText.split(separator: "\n")
        .count { $0.contains("door NMEA: no reader is accepted for a second") }
    }
    #expect(try eventually { reportCount() > 0 })
    let first = Clock.now
    #expect(try eventually { reportCount() > 2 })
    // The waiting connection must not keep the daemon busy.
    #expect(Clock.now - first > .milliseconds(900))
    try limitDescriptors(to: 256)
    #expect(try last.hears(Self.isFix))
    withExtendedLifetime((receiver, daemon, readers)) {}
  }

  @Test func aTerminalIsReadLikeTheLineOfAReceiver() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Terminal=nmea\nMode=0640\nGroup=\(getgid())\nGrant=tty")
    let client = try client(daemon)
    let link = directory("runtime/nmea")
    for _ in 0..<2 {
      do {
        let reader = try Reader(terminal: link)
        // gpsd probes a device with orders of many protocols.
        try reader.write("\u{b5}b\u{6}\u{4}$PMTK605*31\r\n")
        #expect(try reader.hears(Self.isFix))
        #expect(reader.lines.allSatisfy(Self.isSentence))
        #expect(try apps(client).contains("door.nmea:tty"))
      }
      #expect(try eventually { try !apps(client).contains("door.nmea:tty") })
    }
    #expect(try Files.status(of: link).mode & 0o777 == 0o640)
    withExtendedLifetime((receiver, daemon)) {}
  }

  @Test func withServicesOffAReaderGetsEpochsWithoutAPosition() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Socket=nmea.sock\nGrant=all")
    let reader = try Reader(socket: directory("runtime/nmea.sock"))
    #expect(try reader.hears(Self.isFix))
    try run("services", "off")
    #expect(try reader.hears(Self.isVoid))
    withExtendedLifetime((receiver, daemon)) {}
  }

  @Test func aReaderGetsPositionsOnlyBetweenAllowAndDeny() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Socket=nmea.sock")
    let client = try client(daemon)
    let reader = try Reader(socket: directory("runtime/nmea.sock"))
    #expect(try reader.hears(Self.isVoid))
    try run("allow", Self.app)
    #expect(try reader.hears(Self.isFix))
    #expect(try client.status()?["indicator.read_back"] == .text("on"))
    try run("deny", Self.app)
    // The socket may still hold positions from before the denial; the first epoch without a position follows them.
    reader.forget()
    #expect(try reader.hears(Self.isVoid))
    reader.forget()
    #expect(try reader.hears(Self.isVoid))
    #expect(!reader.lines.contains { Self.isFix($0) || $0.dropFirst(3).hasPrefix("GSV,") })
    #expect(try eventually { try client.status()?["indicator.read_back"] == .text("off") })
    withExtendedLifetime((receiver, daemon)) {}
  }

  @Test func aUserThatDoesNotExistHasNoGrantAndTheLogSaysSo() throws {
    let daemon = try startDaemon("Socket=nmea.sock\nGrant=no-such-user")
    #expect(
      try daemon.says("Grant= has no effect for no-such-user, because there is no such user"))
  }

  @Test func theLogNamesTheUsersThatMayRead() throws {
    let own = "\(getgid())"
    let ofGroup = try startDaemon("Socket=nmea.sock\nGroup=\(own)")
    #expect(try ofGroup.says("nmea.sock is open for group \(own)"))
    _ = try ofGroup.process.terminate()
    let ofAll = try startDaemon("Socket=nmea.sock\nGroup=\(own)\nMode=0666")
    #expect(try ofAll.says("nmea.sock is open for every user"))
  }

  @Test func aNameThatIsTakenIsLoggedAndTheDaemonServes() throws {
    try Files.writeAtomically(Array("mine".utf8), to: directory("runtime/nmea"))
    let daemon = try startDaemon("Terminal=nmea\nSocket=nmea.sock")
    #expect(try daemon.says("door NMEA: not open: "))
    #expect(try Files.read(directory("runtime/nmea")) == Array("mine".utf8))
    let report = try #require(try client(daemon).status())
    #expect(report["doors.nmea.terminal_is_open"] == .flag(false))
    #expect(report["doors.nmea.socket_is_open"] == .flag(true))
  }

  @Test func aSocketThatIsRemovedIsMadeAgain() throws {
    let daemon = try startDaemon("Socket=nmea.sock")
    let path = directory("runtime/nmea.sock")
    try Files.remove(path)
    #expect(try daemon.says("was removed; it is there again"))
    #expect(try eventually { (try? Reader(socket: path)) != nil })
  }

  @Test func theNamesGoWithTheDaemon() throws {
    let daemon = try startDaemon("Terminal=nmea\nSocket=nmea.sock")
    #expect((try? Files.linkTarget(directory("runtime/nmea"))) != nil)
    _ = try daemon.process.terminate()
    #expect((try? Files.linkTarget(directory("runtime/nmea"))) == nil)
    #expect(!Files.exists(directory("runtime/nmea.sock")))
  }

  @Test func aReaderThatIsSlowLosesEpochsAndNoPartOfASentence() throws {
    let terminal = try PseudoTerminal()
    let far = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY | O_NONBLOCK)
    let reader = StreamReader(
      id: ClientID(number: 1), peer: Peer(userID: 0, processID: 1), program: "slow",
      line: .terminal(terminal), feed: DoorKind.nmea.makeFeed())
    let epoch = SentenceEpoch(time: UTCTime(secondsSince1970: 1_790_000_000), fix: nil).bytes
    while reader.droppedEpochCount == 0 { reader.send(epoch, at: .zero) }
    #expect(reader.wantsToWrite)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let isAllRead = try eventually {
      while let count = try? far.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
      reader.flush(at: .zero)
      return !reader.wantsToWrite && bytes.count == reader.epochCount * epoch.count
    }
    #expect(isAllRead)
    #expect(bytes == Array(repeating: epoch, count: reader.epochCount).flatMap { $0 })
  }

  /// The receiver may be silent between the last position and the denial.
  @Test(arguments: [false, true])
  func aDenialAfterASilenceDropsTheUnreadPosition(isDenied: Bool) throws {
    let terminal = try PseudoTerminal()
    let far = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY | O_NONBLOCK)
    let reader = StreamReader(
      id: ClientID(number: 1), peer: Peer(userID: 0, processID: 1), program: "idle",
      line: .terminal(terminal), feed: DoorKind.nmea.makeFeed())
    let fix = Fix(
      latitude: 48, longitude: 11, horizontalAccuracy: 3,
      time: UTCTime(secondsSince1970: 1_790_000_000))
    reader.updated(Update(fix: fix), at: .zero)
    reader.updated(Update(fix: nil, flags: .locationUnavailable), at: .zero + .seconds(1))
    if isDenied {
      reader.updated(Update(fix: nil, flags: .authorizationDenied), at: .zero + .seconds(2))
    }
    // The kernel hands the bytes over in its own time.
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var lines: [Substring] { String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") }
    let isVoidRead = try eventually {
      while let count = try far.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
      return lines.contains { Self.isVoid($0) }
    }
    #expect(isVoidRead)
    #expect(lines.contains { Self.isFix($0) } == !isDenied)
  }

  /// The epochs that were written to the terminal for its present reader; 0 without a reader.
  private func epochCount(_ client: RawClient) throws -> Int64 {
    let report = try #require(try client.status())
    let app = report.items.first {
      $0.name.hasPrefix("clients.") && $0.value == .text("door.nmea:tty")
    }
    guard let app, case .integer(let count)? = report[app.name.dropLast(3) + "messages_sent"]
    else { return 0 }
    return count
  }

  /// All programs at the terminal are one app, and each user of its group may open it.
  @Test(arguments: [false, true])
  func aLaterReaderOfTheTerminalGetsNoPositionOfBefore(isDenied: Bool) throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Terminal=nmea\nGrant=tty")
    let client = try client(daemon)
    do {
      let sleeper = try FileDescriptor.open(
        directory("runtime/nmea"), O_RDWR | O_NOCTTY | O_NONBLOCK)
      // The program reads nothing, so positions wait in the terminal.
      #expect(try eventually { try epochCount(client) >= 4 })
      if isDenied { try run("deny", "door.nmea:tty") }
      _ = consume sleeper
    }
    #expect(
      try eventually { try #require(try client.status())["doors.nmea.readers"] == .integer(0) })
    if !isDenied { try run("deny", "door.nmea:tty") }
    let reader = try Reader(terminal: directory("runtime/nmea"))
    #expect(try reader.hears(Self.isVoid))
    #expect(!reader.lines.contains(where: Self.isFix), "\(reader.text)")
    withExtendedLifetime(receiver) {}
  }

  /// A program that holds the terminal when the right is taken away finds no older position in it.
  @Test func unreadPositionsAreDroppedWhenTheRightIsTakenAway() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon("Terminal=nmea\nGrant=tty")
    let reader = try Reader(terminal: directory("runtime/nmea"))
    #expect(try reader.hears(Self.isFix))
    let client = try client(daemon)
    let count = try epochCount(client)
    #expect(try eventually { try epochCount(client) >= count + 4 })
    try run("services", "off")
    reader.forget()
    #expect(try reader.hears(Self.isVoid))
    #expect(!reader.lines.contains(where: Self.isFix), "\(reader.text)")
    withExtendedLifetime(receiver) {}
  }
}

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

@testable import Daemon

/// A program without a manifest that loses the terminal which keeps it in the foreground.
struct TerminalLossTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Runs a command in a session without a terminal: the command is the same program as the app.
  private func binnacle(_ words: String...) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      "setsid", [Programs.path("binnacle")] + words + ["--runtime", directory("runtime")])
  }

  /// The state of an app by `binnacle apps --json`.
  private func state(of app: String) throws -> String? {
    let rows = try binnacle("apps", "--json").text.split(separator: "\n")
    guard let row = rows.first(where: { $0.contains("\"id\":\"\(app)\"") }),
      let key = row.firstRange(of: "\"state\":\"")
    else { return nil }
    return String(row[key.upperBound...].prefix { $0 != "\"" })
  }

  /// Starts `binnacle` with a controlling terminal, whose end it ignores.
  private func run(_ verb: String, on terminal: PseudoTerminal) throws -> ChildProcess {
    // O_NOCTTY and O_RDWR
    let far = try FileDescriptor.open(terminal.farEndName, 0o400 | 2)
    let words = [verb, "--json", "--runtime", directory("runtime")]
    return try ChildProcess(
      "setsid", ["--ctty", "env", "--ignore-signal=HUP", Programs.path("binnacle")] + words,
      input: .descriptor(far.number), output: .pipe, errorOutput: .null)
  }

  private static func isLocation(_ message: ServerMessage) -> Bool {
    if case .update(_, let update) = message { update.fix != nil } else { false }
  }

  @Test func aProgramWhoseTerminalClosesGetsNoLocationAnyMore() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try RunningDaemon(receiver: directory("receiver"), directory: directory)
    let program = try Files.resolve(Programs.path("binnacle"))
    let app = "\(Environment.userID):\(program)"
    var terminals = [try PseudoTerminal()]
    let child = try run("watch", on: terminals[0])
    var output = ""
    func read() throws {
      var chunk = [UInt8](repeating: 0, count: 4_096)
      while let count = try child.readOutput(into: &chunk), count > 0 {
        output += String(decoding: chunk[..<count], as: UTF8.self)
      }
    }
    func prints(_ words: String) throws -> Bool {
      try eventually { () throws -> Bool in
        try read()
        return output.contains(words)
      }
    }
    let isAllowed = try eventually { try binnacle("allow", app).ending == .exited(0) }
    #expect(isAllowed)
    let hasLocation = try prints("\"latitude\":")
    #expect(hasLocation)
    #expect(try state(of: app) == "foreground")
    terminals.removeAll()
    let isInBackground = try eventually { try state(of: app) == "background" }
    #expect(isInBackground)
    let isRefused = try prints("\"insufficientlyInUse\":true")
    #expect(isRefused)
    // The receiver goes on: another client gets locations.
    let witness = try RawClient(daemon.socketPath)
    try witness.greet()
    try witness.say(.openUpdates(SequenceID(number: 1), .default))
    for _ in 0..<3 {
      let location = try witness.hear(where: Self.isLocation)
      #expect(location != nil)
    }
    try read()
    let last = output.split(separator: "\n").last
    #expect(last?.contains("\"insufficientlyInUse\":true") == true, "\(output)")
    let ending = try child.wait(limit: .zero)
    #expect(ending == nil, "the program has ended with its terminal")
    withExtendedLifetime((receiver, daemon)) {}
  }

  /// Satellites are a location, and an app gets them by requests.
  @Test func aProgramWithoutUpdatesIsInTheBackgroundAtARequestAfterItsTerminalHasClosed() throws {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try RunningDaemon(receiver: directory("receiver"), directory: directory)
    let app = "\(Environment.userID):\(try Files.resolve(Programs.path("binnacle")))"
    var terminals = [try PseudoTerminal()]
    let child = try run("motion", on: terminals[0])
    let isInFront = try eventually { try state(of: app) == "foreground" }
    #expect(isInFront)
    terminals.removeAll()
    let isInBackground = try eventually { try state(of: app) == "background" }
    #expect(isInBackground)
    let ending = try child.wait(limit: .zero)
    #expect(ending == nil, "the program has ended with its terminal")
    withExtendedLifetime((receiver, daemon)) {}
  }

  @Test func theTerminalOfAClientIsReadAtMostOnceASecond() throws {
    // A process that has ended has no terminal.
    let child = try ChildProcess("true")
    #expect(try child.wait(limit: .seconds(20)) != nil)
    let peer = Peer(
      userID: 1, processID: child.processID, app: .unlisted(userID: 1, executable: "/bin/true"),
      hasTerminal: true)
    let client = Client(
      id: ClientID(number: 1), peer: peer, place: .shared(userID: 1),
      socket: try LocalSocket.pair().0, acceptedAt: .zero)
    #expect(!client.hasLostTerminal(at: .zero + .milliseconds(999)))
    #expect(client.peer.hasTerminal)
    #expect(client.hasLostTerminal(at: .zero + .milliseconds(1_000)))
    #expect(!client.peer.hasTerminal)
    // The loss is passed on once.
    #expect(!client.hasLostTerminal(at: .zero + .seconds(9)))
  }
}

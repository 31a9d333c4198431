import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// `binnacle prompts --follow` beside a daemon that follows a script.
struct PromptsCommandTests {
  private static func row(_ app: String, isShown: Bool = false) -> Report {
    var row = Report()
    row.add(.rowID, app)
    row.add(.rowRequest, "when_in_use")
    row.add(.rowText, "\(app) would like to use your location while it is in use.")
    row.add(.rowIsShown, isShown)
    return row
  }

  private func start(_ words: String...) throws -> (ScriptedDaemon, ChildProcess, UInt32) {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["prompts", "--follow"] + words)
    return (daemon, child, try watched(daemon))
  }

  /// Greets the command; returns the number of its request.
  private func watched(_ daemon: ScriptedDaemon) throws -> UInt32 {
    try daemon.welcome(version: 7)
    var number: UInt32?
    if case .request(let request, .consent(.watchPrompts)) = try daemon.hear() { number = request }
    return try #require(number, "the daemon is not asked for changes")
  }

  /// Reads until the output has this many lines.
  private func lines(_ count: Int, of child: ChildProcess, _ text: inout String) throws -> [String]
  {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let isThere = try eventually {
      if let count = try child.readOutput(into: &buffer), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text.split(separator: "\n").count >= count
    }
    #expect(isThere, "\(text)")
    return text.split(separator: "\n").map(String.init)
  }

  @Test func eachRequestIsPrintedAsItComesAndGoes() throws {
    let (daemon, child, request) = try start("--json")
    var text = ""
    try daemon.say(.rows(request: request, isLast: true, []))
    try daemon.say(.rows(request: request, isLast: true, [Self.row("org.a")]))
    // The board shows the request now; it is no other request.
    let both = [Self.row("org.a", isShown: true), Self.row("org.b")]
    try daemon.say(.rows(request: request, isLast: true, both))
    try daemon.say(.rows(request: request, isLast: true, [Self.row("org.b")]))
    let lines = try lines(4, of: child, &text)
    let ends = [
      "\"shown\":false,\"open\":true}", "\"shown\":true,\"open\":true}",
      "\"shown\":false,\"open\":true}", "\"shown\":false,\"open\":false}",
    ]
    #expect(lines.count == ends.count)
    for (line, (app, end)) in zip(lines, zip(["org.a", "org.a", "org.b", "org.a"], ends)) {
      #expect(line.hasPrefix("{\"id\":\"\(app)\",\"request\":\"when_in_use\","), "\(line)")
      #expect(line.hasSuffix(end), "\(line)")
    }
    #expect(try child.terminate() == .exited(0))
  }

  @Test func aRequestThatGivesWayToAnotherIsPrintedAgain() throws {
    let (daemon, child, request) = try start("--json")
    var text = ""
    let first = [Self.row("org.a", isShown: true)]
    try daemon.say(.rows(request: request, isLast: true, first))
    let second = [Self.row("org.a"), Self.row("org.b", isShown: true)]
    try daemon.say(.rows(request: request, isLast: true, second))
    let lines = try lines(3, of: child, &text)
    let ends = ["true,\"open\":true}", "false,\"open\":true}", "true,\"open\":true}"]
    #expect(lines.count == ends.count)
    for (line, (app, end)) in zip(lines, zip(["org.a", "org.a", "org.b"], ends)) {
      #expect(line.hasPrefix("{\"id\":\"\(app)\","), "\(line)")
      #expect(line.hasSuffix("\"shown\":" + end), "\(line)")
    }
    #expect(try child.terminate() == .exited(0))
  }

  @Test func aPersonReadsTheSentenceAndTheEndOfTheRequest() throws {
    let (daemon, child, request) = try start()
    var text = ""
    try daemon.say(.rows(request: request, isLast: true, [Self.row("org.a")]))
    try daemon.say(.rows(request: request, isLast: true, []))
    #expect(
      try lines(4, of: child, &text) == [
        "org.a would like to use your location while it is in use.", "  binnacle allow org.a",
        "  binnacle deny org.a", "org.a: the request is answered or withdrawn",
      ])
    #expect(try child.terminate() == .exited(0))
  }

  @Test func anotherDaemonIsAskedAgain() throws {
    let (daemon, child, request) = try start("--json")
    var text = ""
    try daemon.say(.rows(request: request, isLast: true, [Self.row("org.a")]))
    _ = try lines(1, of: child, &text)
    daemon.hangUp()
    let next = try watched(daemon)
    try daemon.say(.rows(request: next, isLast: true, []))
    #expect(try lines(2, of: child, &text).last?.hasSuffix("\"open\":false}") == true)
    #expect(try child.terminate() == .exited(0))
    #expect(try child.finish().2.contains("the daemon has gone; waiting for it"))
  }

  @Test func theExitStatusIsTheReasonOfARefusal() throws {
    let (daemon, child, _) = try start()
    try daemon.say(.refused(.init(.notPermitted, "only root may"), isFinal: false))
    #expect(try child.finish().0 == .exited(77))
    let old = try ScriptedDaemon()
    let oldChild = try old.start(["prompts", "--follow"])
    try old.welcome(version: 6)
    let (ending, _, said) = try oldChild.finish()
    #expect(ending == .exited(1))
    #expect(said.contains("takes version 7"))
    let directory = try TemporaryDirectory()
    let none = try ChildProcess.run(
      Programs.path("binnacle"), ["prompts", "--follow", "--runtime", directory.path])
    #expect(none.ending == .exited(69))
  }
}

import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// `binnacle audit` beside a daemon that follows a script.
@Suite(.timeLimit(.minutes(5)))
struct AuditCommandTests {
  private func output(
    since text: String, _ ends: [(app: String, to: String?)]
  ) throws -> (status: ChildProcess.Ending?, text: String) {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["audit", "--json", "--since", text])
    return try answered(daemon, child, ends)
  }

  private func answered(
    _ daemon: ScriptedDaemon, _ child: ChildProcess, _ ends: [(app: String, to: String?)]
  ) throws -> (status: ChildProcess.Ending?, text: String) {
    try daemon.welcome(version: WireLimits.versionMax)
    var number: UInt32?
    if case .request(let request, .consent(.audit)) = try daemon.hear() { number = request }
    let rows = ends.map { app, to in
      var row = Report()
      row.add(.rowID, app)
      if let to { row.add(.rowTo, to) }
      return row
    }
    for message in ServerMessage.rows(request: try #require(number), of: rows) {
      try daemon.say(message)
    }
    let (status, output, _) = try child.finish()
    return (status, output)
  }

  @Test(arguments: ["2026-09-21 06:00", "2026-09-21T06:00:00.5Z"])
  func anEpochThatEndedBeforeTheTimeIsLeftOut(_ time: String) throws {
    let (status, text) = try output(
      since: time,
      [
        ("org.before", "2026-09-21T05:59:59Z"), ("org.after", "2026-09-21T06:00:01Z"),
        ("org.present", nil),
      ])
    #expect(status == .exited(0))
    #expect(
      text == """
        {"id":"org.after","to":"2026-09-21T06:00:01Z"}
        {"id":"org.present"}

        """)
  }

  @Test func anAgeIsATimeBeforeNow() throws {
    let (_, text) = try output(
      since: "2h", [("org.old", "2026-01-01T00:00:00Z"), ("org.new", "9000-01-01T00:00:00Z")])
    #expect(text == "{\"id\":\"org.new\",\"to\":\"9000-01-01T00:00:00Z\"}\n")
  }

  @Test func anEmptyAnswerNamesTheTime() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["audit", "--since", "2026-09-21"])
    #expect(
      try answered(daemon, child, []).text
        == "no app has used locations in the background since 2026-09-21T00:00:00Z, and no console was unlocked\n"
    )
  }
}

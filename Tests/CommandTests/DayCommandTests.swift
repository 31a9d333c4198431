import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// `binnacle day` and `binnacle report` beside a daemon that follows a script, and beside a real one.
struct DayCommandTests {
  private static func row(_ part: String, _ age: Double, _ state: String, _ app: String? = nil)
    -> Report
  {
    var row = Report()
    row.add("part", .text(part))
    if let app { row.add("id", .text(app)) }
    row.add("age_s", .number(age))
    row.add("state", .text(state))
    return row
  }

  private static let rows = [
    row("daemon", 3_600, "started"), row("movement", 3_600, "resting"),
    row("app", 3_600, "foreground", ForeignText.sample + "</text><script>"),
  ]

  private func run(
    _ words: [String], version: UInt16 = 9
  ) throws -> (status: ChildProcess.Ending?, output: String, complaint: String) {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["day"] + words)
    for isAudit in words.contains("--json") ? [false] : [false, true] {
      try daemon.welcome(version: version)
      if version < 9 { break }
      var number: UInt32?
      switch try daemon.hear() {
      case .request(let request, .day) where !isAudit: number = request
      case .request(let request, .consent(.audit)) where isAudit: number = request
      case _: break
      }
      let request = try #require(number, "the history is not asked for")
      try daemon.say(.rows(request: request, isLast: true, isAudit ? [] : Self.rows))
    }
    return try child.finish()
  }

  @Test func theTextHasABarForEachPart() throws {
    let (status, output, complaint) = try run([])
    #expect(status == .exited(0) && complaint == "")
    #expect(output.contains("\nmovement\n  ?????"))
    #expect(output.contains("resting 60 min 0 s"))
    #expect(ForeignText.remains(in: output) == [])
    for line in output.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test func rowsAreObjectsForPrograms() throws {
    let (status, output, _) = try run(["--json"])
    #expect(status == .exited(0))
    #expect(
      output.split(separator: "\n").prefix(2) == [
        #"{"part":"daemon","age_s":3600.0,"state":"started"}"#,
        #"{"part":"movement","age_s":3600.0,"state":"resting"}"#,
      ])
    #expect(ForeignText.remains(in: output) == [])
  }

  @Test func theDrawingHoldsForeignTextAsText() throws {
    let (status, output, _) = try run(["--svg", "-"])
    #expect(status == .exited(0))
    #expect(output.hasSuffix("</svg>\n") && !output.contains("<script"))
    #expect(ForeignText.remains(in: output) == [])
  }

  @Test func aRefusalIsReportedOnce() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["day"])
    try daemon.welcome(version: 9)
    _ = try daemon.hear()
    try daemon.say(.refused(.init(.notPermitted, "only operators may do this"), isFinal: false))
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(77) && output == "")
    #expect(complaint == "binnacle: day: only operators may do this\n")
  }

  @Test func anOlderDaemonIsNamed() throws {
    let (status, _, complaint) = try run(["--json"], version: 8)
    #expect(status == .exited(69))
    #expect(complaint.contains("version 9"))
  }

  @Test func aRealDaemonReportsItsDayAndTheReport() throws {
    let directory = try TemporaryDirectory()
    let receiver = try RunningReceiver(path: directory("gnss"))
    let daemon = try RunningDaemon(receiver: directory("gnss"), directory: directory)
    let hasFix = try eventually {
      let outcome = try ChildProcess.run(
        Programs.path("binnacle"),
        ["watch", "--operator", "--count", "2", "--runtime", daemon.runtimeDirectory],
        limit: .seconds(60))
      return outcome.ending == .exited(0)
    }
    #expect(hasFix)
    let day = try ChildProcess.run(
      Programs.path("binnacle"), ["day", "--json", "--runtime", daemon.runtimeDirectory],
      limit: .seconds(60))
    #expect(day.text.hasPrefix("{\"part\":\"daemon\""))
    #expect(day.text.contains("\"part\":\"movement\"") && day.text.contains("\"state\":\"moving\""))
    #expect(!day.text.contains("latitude"))
    let page = directory("report.html")
    let report = try ChildProcess.run(
      Programs.path("binnacle"),
      [
        "report", "--html", page, "--runtime", daemon.runtimeDirectory, "--state",
        directory("none"),
      ], limit: .seconds(60))
    #expect(report.ending == .exited(0))
    let text = String(decoding: try Files.read(page, sizeMax: 1 << 22), as: UTF8.self)
    for part in [
      "<h2>Problems</h2>", ">Satellites</h2>", "data-lanes=", "There is no stored track",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    try receiver.unplug()
  }

  @Test func withoutADaemonTheReportSaysSo() throws {
    let directory = try TemporaryDirectory()
    let recording = TestData.packageRoot + "/Tests/Receivers/cr-cr-lf.nmea"
    let report = try ChildProcess.run(
      Programs.path("binnacle"),
      ["report", recording, "--html", directory("r.html"), "--runtime", directory.path],
      limit: .seconds(60))
    #expect(report.ending == .exited(0))
    let text = String(
      decoding: try Files.read(directory("r.html"), sizeMax: 1 << 22), as: UTF8.self)
    #expect(text.contains("data-positions=\"3\"") && text.contains("no daemon"))
    #expect(try Files.status(of: directory("r.html")).mode == 0o600)
    let missing = try ChildProcess.run(Programs.path("binnacle"), ["report"], limit: .seconds(60))
    #expect(missing.ending == .exited(64) && missing.errorText.contains("--html OUT"))
  }
}

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

  /// The forms in which a program may write degrees: decimal to 11 m, in units of 1e-7, and minutes as in NMEA.
  private static func forms(ofDegrees degrees: Double) -> [String] {
    let size = abs(degrees)
    let whole = Int(size)
    let minutes = Int((size - Double(whole)) * 6_000)
    let hundredths = minutes % 100
    return [
      String(String(size).prefix(7)), String(String(Int(size * 1e7)).prefix(6)),
      "\(whole)\(minutes / 100 < 10 ? "0" : "")\(minutes / 100).\(hundredths < 10 ? "0" : "")\(hundredths)",
    ]
  }

  /// The first number with this key.
  private static func number(_ key: String, in text: String) -> Double? {
    guard let place = text.firstRange(of: "\"\(key)\":") else { return nil }
    return Double(text[place.upperBound...].prefix { "-.0123456789".contains($0) })
  }

  /// The forms that a number of the text begins with.
  private static func found(_ forms: [String], in text: String) -> [String] {
    let numbers = text.split { !".0123456789".contains($0) }
    return forms.filter { form in numbers.contains { $0.hasPrefix(form) } }
  }

  @Test func aPageForHelpersHasNoCoordinates() throws {
    let directory = try TemporaryDirectory()
    let receiver = try RunningReceiver(path: directory("gnss"))
    let profile = directory("track.conf")
    try Files.writeAtomically(Array("[Track]\nTrack=full\n".utf8), to: profile)
    let daemon = try RunningDaemon(
      receiver: directory("gnss"), directory: directory, arguments: ["--board", profile])
    let watch = try ChildProcess.run(
      Programs.path("binnacle"),
      [
        "watch", "--operator", "--json", "--count", "3", "--runtime", daemon.runtimeDirectory,
      ], limit: .seconds(60))
    #expect(watch.ending == .exited(0))
    let latitude = try #require(Self.number("latitude", in: watch.text), "\(watch.text)")
    let longitude = try #require(Self.number("longitude", in: watch.text))
    let forms = Self.forms(ofDegrees: latitude) + Self.forms(ofDegrees: longitude)
    // The control: the search finds the position in the output that has it.
    #expect(Self.found(forms, in: watch.text) == [forms[0], forms[3]])
    let words = ["--runtime", daemon.runtimeDirectory, "--state", directory("state")]
    for isForHelpers in [true, false] {
      let page = try ChildProcess.run(
        Programs.path("binnacle"),
        ["report", "--html", "-"] + (isForHelpers ? ["--without-coordinates"] : []) + words,
        limit: .seconds(60))
      #expect(page.ending == .exited(0))
      let text = page.text
      for part in ["<h2>Doctor</h2>", "<summary>Log</summary>", "data-lanes=", "receiver.state"] {
        #expect(text.contains(part), "\(part)")
      }
      for part in ["Track</h2>", "data-used=", "contains positions"] {
        #expect(text.contains(part) != isForHelpers, "\(part)")
      }
      #expect(text.contains("contains no coordinates") == isForHelpers)
      if isForHelpers { #expect(Self.found(forms, in: text) == []) }
    }
    let useless = try ChildProcess.run(
      Programs.path("binnacle"),
      ["report", "--html", "-", "--without-coordinates", "--last", "1h"], limit: .seconds(60))
    #expect(useless.ending == .exited(64) && useless.errorText.contains("leaves the track out"))
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

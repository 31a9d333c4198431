import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Glibc
import TestSupport
import Testing

/// `binnacle power`, `status`, `trace` and `log` beside a daemon that follows a script.
struct ClientCommandTests {
  static var powerReport: Report {
    var report = Report()
    report.add("daemon.uptime_s", .number(9_000))
    report.add("power.state", .text("asleep"))
    report.add("power.since_s", .number(4_000))
    report.add("power.cause", .text("the board rests"))
    report.add("power.wakes_in_s", .number(3_200.4))
    report.add("power.user_1.who", .text("ev\u{1B}il"))
    report.add("power.user_1.what", .text("default"))
    report.add("power.user_1.for_s", .number(61))
    report.add("power.next_fix", .text("hot start"))
    report.add("power.next_fix_s", .number(3))
    report.add("power.on_s_last_hour", .number(39))
    report.add("power.on_s_last_day", .number(161.6))
    report.add("power.on_s_since_start", .number(400))
    report.add("power.uptime_s", .number(9_000))
    for (name, count): (String, Int64) in [
      ("sleeps", 5), ("wakes", 4), ("wakes_by_itself", 1), ("sleeps_refused", 0),
      ("wakes_failed", 0),
    ] { report.add("power." + name, .integer(count)) }
    report.add("power.last_wake", .text("to renew its ephemerides"))
    return report
  }

  @Test func powerIsReported() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["power"])
    let request = try daemon.statusRequest()
    try daemon.say(.status(request: request, ClientCommandTests.powerReport))
    #expect(
      try child.finish().output == """
        receiver    asleep for 66 min 40 s: the board rests, at most 53 min 20 s longer
        kept on by  ev?il: default, for 61 s
        next fix    in about 3 s (hot start)
        on          39 s of the last hour, 2 min 42 s of the last day
                    6 min 40 s of the 2 h 30 min since the daemon's start
        sleeps      5, of which it refused 0 and ended 1 by itself
        wakes       4, and 0 without an answer
        woken last  to renew its ephemerides

        """)
  }

  @Test func anAppWithoutLinesOfOutputIsExplained() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["output", "org.example.a"])
    try daemon.welcome(version: 10)
    var number: UInt32?
    if case .request(let request, .consent(.output)) = try daemon.hear() { number = request }
    for message in ServerMessage.rows(request: try #require(number), of: []) {
      try daemon.say(message)
    }
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0) && output == "")
    #expect(complaint.contains("of apps that the launcher has started"))
  }

  @Test func aChangeSaysNothingToAScript() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["allow", "org.example.a"])
    try daemon.welcome(version: 10)
    var number: UInt32?
    if case .request(let request, .consent(.allow)) = try daemon.hear() { number = request }
    try daemon.say(.answered(request: try #require(number), nil))
    if case .request(let request, .consent(.apps)) = try daemon.hear() { number = request }
    try daemon.say(.rows(request: try #require(number), isLast: true, []))
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0) && output == "" && complaint == "")
  }

  @Test func anOverlongOperandIsCutOffInAnError() throws {
    let long = String(repeating: "x", count: 5_000)
    for words in [["allow", "org.a", long], ["watch", "--configuration=\(long)"], [long]] {
      let outcome = try ChildProcess.run(Programs.path("binnacle"), words)
      #expect(outcome.ending == .exited(64))
      let shortened = "'" + String(repeating: "x", count: 200) + "...'"
      #expect(outcome.errorText.contains(shortened), "\(outcome.errorText)")
      #expect(outcome.errorText.utf8.count < 500)
    }
  }

  @Test func aSecondAuthorizationIsExplained() throws {
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"), ["allow", "org.a", "whenInUse", "always"])
    #expect(outcome.ending == .exited(64))
    #expect(
      outcome.errorText.contains("only one authorization (whenInUse, always) and one accuracy"))
  }

  @Test func withoutAReceiverNoFixIsPredicted() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["power"])
    let request = try daemon.statusRequest()
    var report = Report()
    report.add("power.state", .text("no receiver is set up"))
    report.add("power.since_s", .number(1))
    try daemon.say(.status(request: request, report))
    #expect(
      try child.finish().output.hasPrefix(
        """
        receiver    no receiver is set up for 1 s
        kept on by  no client
        next fix    unknown: the receiver sends no data

        """))
  }

  @Test func statusShowsThePowerStateAndThePauseOfEachSequence() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["status", "--all"])
    let request = try daemon.statusRequest()
    var report = ClientCommandTests.powerReport
    report.add("rest.1.dwell_s", .number(60))
    let sequence = "clients.4.sequence.1"
    report.add(sequence, .text("fitness, served"))
    report.add(sequence + ".pause", .text("settling"))
    report.add(sequence + ".pause_for_s", .number(12.5))
    report.add(sequence + ".dwell_s", .number(60))
    report.add(sequence + ".filled_s", .number(11.25))
    try daemon.say(.status(request: request, report))
    #expect(
      try child.finish().output == """
        daemon.uptime_s                   9000.0
        power.state                       asleep
        power.since_s                     4000.0
        power.cause                       the board rests
        clients.4.sequence.1              fitness, served
        clients.4.sequence.1.pause        settling
        clients.4.sequence.1.pause_for_s  12.5
        clients.4.sequence.1.dwell_s      60.0
        clients.4.sequence.1.filled_s     11.25

        """)
  }

  @Test func withoutADaemonThereIsStatus69() throws {
    let nowhere = try TemporaryDirectory().path + "/nowhere"
    for words in [
      ["status"], ["status", "--json"], ["trace", "-o", "/dev/null"],
      ["watch", "--timeout", "0.2"],
    ] {
      let outcome = try ChildProcess.run(
        Programs.path("binnacle"), words + ["--runtime", nowhere], limit: .seconds(60))
      #expect(outcome.ending == .exited(69), "\(words)")
      #expect(outcome.errorText.contains("no daemon"))
      #expect(outcome.text == "")
    }
  }

  /// Runs `binnacle` without the right of root to enter every directory.
  private func runWithoutCapabilities(_ words: [String]) throws -> ChildProcess.Outcome {
    let without = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
    let words = (Environment.userID == 0 ? without : []) + [Programs.path("binnacle")] + words
    return try ChildProcess.run(words[0], Array(words.dropFirst()), limit: .seconds(60))
  }

  @Test func aClosedRuntimeFolderIsNotReportedAsAnAbsentDaemon() throws {
    let folder = try TemporaryDirectory()
    let closed = folder.path + "/closed"
    try Files.makeDirectory(closed, mode: 0o700)
    #expect(chmod(closed, 0) == 0)
    let outcome = try runWithoutCapabilities(["status", "--runtime", closed])
    #expect(outcome.ending == .exited(77))
    let why = "\(closed)/binnacle.sock: Permission denied: this user may not"
    #expect(outcome.errorText.contains(why))
    #expect(!outcome.errorText.contains("no daemon"))
    let press = try runWithoutCapabilities(["press", "ALLOW", "--runtime", closed])
    #expect(press.ending == .exited(77))
    #expect(press.errorText.contains("only root and the user of the virtual board press"))
    #expect(!press.errorText.contains("no virtual board"))
  }

  @Test func statusPrintsTheReport() throws {
    let report = Report(items: [
      .init(name: "daemon.version", value: .text("a \"b\"\n\\")),
      .init(name: "receiver.rate_hz", value: .number(2.5)),
      .init(name: "receiver.ok", value: .flag(true)),
      .init(name: "clients.count", value: .integer(3)),
    ])
    for (words, expected) in [
      (
        ["status", "--json"],
        #"{"daemon.version":"a \"b\"\n\\","receiver.rate_hz":2.5,"receiver.ok":true,"#
          + "\"clients.count\":3}\n"
      ),
      (
        ["status"],
        "  daemon        binnacled a \"b\"?\\\n  fix           none yet\n"
          + "  apps          none is connected\n"
      ),
      (
        ["status", "--all"],
        "daemon.version    a \"b\"?\\\nreceiver.rate_hz  2.5\nreceiver.ok       yes\n"
          + "clients.count     3\n"
      ),
    ] {
      let daemon = try ScriptedDaemon()
      let child = try daemon.start(words)
      try daemon.welcome()
      guard case .request(let request, .status) = try daemon.hear() else {
        Issue.record("no request")
        return
      }
      try daemon.say(.status(request: request, report))
      let (status, output, _) = try child.finish()
      #expect(status == .exited(0))
      #expect(output == expected)
    }
  }

  @Test func traceSavesAllPieces() throws {
    let daemon = try ScriptedDaemon()
    let file = daemon.directory("trace")
    let child = try daemon.start(["trace", "-o", file])
    try daemon.welcome()
    guard case .request(let request, .trace) = try daemon.hear() else {
      Issue.record("no request")
      return
    }
    try daemon.say(.trace(request: request, isLast: false, [1, 2]))
    try daemon.say(.trace(request: request, isLast: true, [3]))
    defer { #expect((try? Files.status(of: file).mode) == 0o600) }
    #expect(try child.finish().status == .exited(0))
    #expect(try Files.read(file) == [1, 2, 3])
  }

  /// The outcome of `binnacle trace -o` with a daemon that sends three bytes.
  private func traced(
    to path: String, _ daemon: ScriptedDaemon
  ) throws -> (ChildProcess.Ending?, String) {
    let child = try daemon.start(["trace", "-o", path])
    try daemon.welcome()
    guard case .request(let request, .trace) = try daemon.hear() else {
      Issue.record("no request")
      return (nil, "")
    }
    try daemon.say(.trace(request: request, isLast: true, Array("abc".utf8)))
    let (status, output, _) = try child.finish()
    return (status, output)
  }

  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"])
  func aTraceToStandardOutputIsWrittenThere(path: String) throws {
    let (status, output) = try traced(to: path, ScriptedDaemon())
    #expect(status == .exited(0))
    #expect(output == "abc")
    #expect(!Files.exists("-"))
  }

  @Test func aTraceLeavesDevicesLinksAndOtherFilesInPlace() throws {
    let daemon = try ScriptedDaemon()
    let (device, link) = (daemon.directory("device"), daemon.directory("link"))
    try Files.makeLink(device, to: "/dev/null")
    try Files.makeLink(link, to: "trace")
    try Files.writeAtomically([9], to: daemon.directory("trace.new"))
    #expect(try traced(to: device, daemon).0 == .exited(0))
    #expect(try traced(to: link, daemon).0 == .exited(0))
    #expect(try Files.linkTarget(device) == "/dev/null")
    #expect(try Files.linkTarget(link) == "trace")
    #expect(try Files.read(daemon.directory("trace")) == Array("abc".utf8))
    #expect(try Files.status(of: daemon.directory("trace")).mode == 0o600)
    #expect(try Files.read(daemon.directory("trace.new")) == [9])
  }

  @Test(.enabled(if: Sweep.isWanted)) func aSlowReaderGetsAllLinesOfTheLog() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["log", "--json"])
    try daemon.welcome(version: WireLimits.versionMax)
    var number: UInt32?
    if case .request(let request, .log) = try daemon.hear() { number = request }
    let rows = (0..<70).map { _ -> Report in
      var row = Report()
      row.add("text", .text(String(repeating: "x", count: 1_800)))
      return row
    }
    for message in ServerMessage.rows(request: try #require(number), of: rows) {
      try daemon.say(message)
    }
    // The pipe is full for longer than the time-out of an answer.
    #expect(try child.wait(limit: .seconds(11)) == nil)
    var lineCount = 0
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let isWhole = try eventually {
      while let count = try child.readOutput(into: &chunk), count > 0 {
        lineCount += chunk[..<count].filter { $0 == 10 }.count
      }
      return lineCount == rows.count
    }
    #expect(isWhole)
    #expect(try child.wait(limit: .seconds(60)) == .exited(0))
  }

  @Test func aRefusalIsPassedOn() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["status"])
    try daemon.welcome()
    try daemon.say(.refused(.init(.tooSlow, "too much"), isFinal: true))
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(69))
    #expect(complaint.contains("too much"))
  }

  @Test(arguments: [
    [], ["sing"], ["watch", "--count", "0"], ["watch", "--configuration", "swimming"],
    ["watch", "--timeout", "soon"], ["status", "--count", "1"], ["watch", "--runtime"],
    ["status", "--all", "--json"], ["watch", "--timeout", "0"], ["watch", "--app", ""],
    ["why", ""], ["audit", "--since", "soon"],
  ])
  func aWrongCommandLineIsStatus64(words: [String]) throws {
    let outcome = try ChildProcess.run(Programs.path("binnacle"), words)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errorText.hasPrefix("binnacle: "))
  }

  @Test func helpAndVersionAreStatus0() throws {
    for words in [["help"], ["--help"], ["watch", "--help"], ["version"], ["--version"]] {
      let outcome = try ChildProcess.run(Programs.path("binnacle"), words)
      #expect(outcome.ending == .exited(0))
      #expect(outcome.text.contains("binnacle"))
    }
  }
}

import Basics
import Model
import Posix
import TestSupport
import Testing
import Wire

/// `binnacle watch`, `status` and `trace` beside a daemon that follows a script.
struct ClientCommandTests {
  private static let fix = Fix(
    latitude: 47.3977418, longitude: -8.5, altitude: 488.2, ellipsoidalAltitude: 535.5,
    horizontalAccuracy: 2.134, verticalAccuracy: 3.5, speed: 0.25, speedAccuracy: 0.5,
    time: UTCTime(secondsSince1970: 1_763_700_000, nanoseconds: 250_999_999))

  private func watch(_ words: [String], daemon: ScriptedDaemon) throws -> (
    ChildProcess, SequenceID, LiveConfiguration
  ) {
    let child = try daemon.start(["watch"] + words)
    try daemon.welcome()
    guard case .openUpdates(let sequence, let configuration) = try daemon.hear() else {
      Issue.record("no sequence is opened")
      return (child, SequenceID(number: 0), .default)
    }
    return (child, sequence, configuration)
  }

  @Test func watchPrintsAnObjectForEachUpdateAndEndsAfterItsCount() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, configuration) = try watch(["--json", "--count", "3"], daemon: daemon)
    #expect(configuration == .default)
    let simulated = Update(fix: ClientCommandTests.fix)
    let resting = Update(fix: nil, flags: [.stationary])
    let blind = Update(fix: nil, flags: [.locationUnavailable, .accuracyLimited])
    for update in [simulated, resting, blind, simulated] {
      try daemon.say(.update(sequence, update))
    }
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(complaint == "")
    #expect(
      output == """
        {"latitude":47.3977418,"longitude":-8.5,"altitude":488.2,"ellipsoidalAltitude":535.5,\
        "horizontalAccuracy":2.134,"verticalAccuracy":3.5,"speed":0.25,"speedAccuracy":0.5,\
        "course":-1.0,"courseAccuracy":-1.0,"timestamp":"2025-11-21T04:40:00.251Z",\
        "stationary":false}
        {"stationary":true}
        {"stationary":false,"locationUnavailable":true,"accuracyLimited":true}

        """)
  }

  @Test(arguments: [
    (Int32(999_600_000), "2025-11-21T04:40:01.000Z"), (250_499_999, "2025-11-21T04:40:00.250Z"),
    (250_500_000, "2025-11-21T04:40:00.251Z"), (0, "2025-11-21T04:40:00.000Z"),
  ])
  func watchRoundsToTheNearestMillisecond(nanoseconds: Int32, timestamp: String) throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, _) = try watch(["--json", "--count", "1"], daemon: daemon)
    var fix = ClientCommandTests.fix
    fix.time = UTCTime(secondsSince1970: 1_763_700_000, nanoseconds: Int64(nanoseconds))
    try daemon.say(.update(sequence, Update(fix: fix)))
    #expect(try child.finish().output.contains("\"timestamp\":\"\(timestamp)\""))
  }

  @Test func watchPrintsALineForAPerson() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, configuration) = try watch(
      ["--configuration", "airborne", "--count", "2"], daemon: daemon)
    #expect(configuration == .airborne)
    try daemon.say(.update(sequence, Update(fix: ClientCommandTests.fix)))
    try daemon.say(.update(sequence, Update(fix: nil, flags: .locationUnavailable)))
    #expect(
      try child.finish().output == """
        2025-11-21T04:40:00.251Z  47.3977418, -8.5000000  ±2.1 m  altitude 488.2 ±3.5 m  0.25 m/s
        no location  locationUnavailable

        """)
  }

  private static var powerReport: Report {
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

  @Test func powerIsTold() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["power"])
    try daemon.welcome()
    guard case .requestStatus(let request) = try daemon.hear() else { return }
    try daemon.say(.status(request: request, ClientCommandTests.powerReport))
    #expect(
      try child.finish().output == """
        receiver    asleep for 66 min 40 s: the board rests, at most 53 min 20 s longer
        kept on by  ev.il: default, for 61 s
        next fix    in about 3 s (hot start)
        on          39 s of the last hour, 2 min 42 s of the last day
                    6 min 40 s of the 2 h 30 min since the daemon's start
        sleeps      5, of which it refused 0 and ended 1 by itself
        wakes       4, and 0 without an answer
        woken last  to renew its ephemerides

        """)
  }

  @Test func withoutAReceiverNoFixIsForeseen() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["power"])
    try daemon.welcome()
    guard case .requestStatus(let request) = try daemon.hear() else { return }
    var report = Report()
    report.add("power.state", .text("no receiver is set up"))
    report.add("power.since_s", .number(1))
    try daemon.say(.status(request: request, report))
    #expect(
      try child.finish().output.hasPrefix(
        """
        receiver    no receiver is set up for 1 s
        kept on by  nobody
        next fix    cannot be foreseen: no receiver is heard

        """))
  }

  private static var restReport: Report {
    var report = Report()
    report.add("receiver.state", .text("asleep"))
    report.add("accelerometer.fault", .text("it is unplugged"))
    report.add("power.state", .text("asleep"))
    report.add("power.cause", .text("the board rests"))
    for (number, isStationary) in [(1, true), (2, false)] {
      let name = "rest.\(number)"
      report.add(name + ".is_stationary", .flag(isStationary))
      report.add(name + ".since_s", .number(130))
      report.add(name + ".by", .text(isStationary ? "dwellReached" : "shaken"))
      report.add(name + ".sources", .text(isStationary ? "both" : "none"))
      report.add(name + ".dwell_s", .number(isStationary ? 60 : 300))
      report.add(name + ".credit_s", .number(isStationary ? 60 : 34.25))
    }
    report.add("rest.1.sway_mg", .number(1.24))
    report.add("rest.1.threshold_mg", .number(5))
    report.add("rest.1.speed_mps", .number(0.034))
    report.add("rest.1.speed_accuracy_mps", .number(0.1))
    report.add("rest.1.displacement_m", .number(1.26))
    report.add("rest.1.displacement_limit_m", .number(25))
    report.add("rest.1.goes_on", .flag(true))
    report.add("rest.2.accelerometer", .text("absent"))
    report.add("rest.2.displacement_m", .number(0))
    report.add("rest.2.displacement_limit_m", .number(0))
    report.add("rest.2.ended_by", .text("shaken"))
    report.add("rest.2.ended_ago_s", .number(600))
    report.add("clients.4.program", .text("ev\u{1B}il"))
    for (id, pause, dwell) in [("4.sequence.1", "paused", 60.0), ("4.sequence.2", "settling", 300)]
    {
      report.add("clients.\(id)", .text(dwell == 60 ? "fitness, served" : "airborne, served"))
      report.add("clients.\(id).pause", .text(pause))
      report.add("clients.\(id).pause_for_s", .number(100))
      report.add("clients.\(id).dwell_s", .number(dwell))
      report.add("clients.\(id).filled_s", .number(30))
    }
    report.add("clients.5.sequence.1", .text("default, denied"))
    return report
  }

  @Test func whyTellsTheEvidenceOfEachDwellAndWhoWaitsForIt() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why"])
    try daemon.welcome()
    guard case .requestStatus(let request) = try daemon.hear() else { return }
    try daemon.say(.status(request: request, ClientCommandTests.restReport))
    let output = try child.finish().output
    #expect(
      output == """
        the receiver: asleep, because the board rests
        dwell of 60 s: the board rests for 2 min 10 s, by both witnesses
          accelerometer  sways by 1.2 mg, no more than 5.0 mg: quiet
          receiver       0.03 m/s, sure within 0.10 m/s
          place          1.3 m from where it began, 25.0 m count
          before         it rested here before the daemon or the power went
          ev.il (client 4, sequence 1): fitness, paused for 100 s
        dwell of 5 min 0 s: 34 s of it are filled, by no witness
          accelerometer  none: it is unplugged
          receiver       no speed that counts
          before         a rest ended 10 min 0 s ago: the accelerometer was shaken
          ev.il (client 4, sequence 2): airborne, settling for 100 s, 30 s filled
        without a dwell
          ? (client 5, sequence 1): default, denied

        """)
    #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func whyIsOneObjectForPrograms() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why", "--json"])
    try daemon.welcome()
    guard case .requestStatus(let request) = try daemon.hear() else { return }
    var report = ClientCommandTests.powerReport
    report.add("rest.1.dwell_s", .number(60))
    report.add("clients.4.user_id", .integer(0))
    report.add("clients.4.program", .text("app"))
    try daemon.say(.status(request: request, report))
    #expect(
      try child.finish().output == """
        {"power.state":"asleep","power.cause":"the board rests","rest.1.dwell_s":60.0,\
        "clients.4.program":"app"}

        """)
  }

  @Test func whySaysThatNobodyAsks() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why"])
    try daemon.welcome()
    guard case .requestStatus(let request) = try daemon.hear() else { return }
    var report = Report()
    report.add("services.on", .flag(false))
    report.add("receiver.state", .text("running"))
    report.add("security.jamming_present", .flag(true))
    try daemon.say(.status(request: request, report))
    #expect(
      try child.finish().output == """
        location services are off
        the receiver says that it is jammed
        no program has updates open, so that nobody looks whether the board rests

        """)
  }

  @Test func statusShowsOfPowerWhatAGlanceNeedsAndEachSequencesPause() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["status"])
    try daemon.welcome()
    guard case .requestStatus(let request) = try daemon.hear() else { return }
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

  @Test func aLineIsThereAsSoonAsItsUpdate() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, _) = try watch(["--json"], daemon: daemon)
    try daemon.say(.update(sequence, Update(fix: nil)))
    var chunk = [UInt8](repeating: 0, count: 100)
    var printed: [UInt8] = []
    #expect(
      try eventually {
        if let count = try child.readOutput(into: &chunk) { printed += chunk[..<count] }
        return printed == Array("{\"stationary\":false}\n".utf8)
      })
    child.signal(.interrupt)
    #expect(try child.finish().status == .exited(0))
  }

  @Test func watchCanBeEndedWhileNobodyReadsWhatItPrints() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, _) = try watch(["--json"], daemon: daemon)
    let update = ServerMessage.update(sequence, Update(fix: ClientCommandTests.fix))
    var total = 0
    var rest = 0
    // Once nothing goes through any more, it waits for its reader.
    #expect(
      try eventually {
        let count = daemon.flood(update)
        total += count
        rest = count == 0 ? rest + 1 : 0
        return total > 200 && rest > 20
      })
    child.signal(.terminate)
    #expect(try child.finish().status == .exited(1))
  }

  @Test func watchComesBackToADaemonThatWentAway() throws {
    let daemon = try ScriptedDaemon()
    let (child, _, _) = try watch(["--json", "--count", "1", "--timeout", "300"], daemon: daemon)
    daemon.hangUp()
    try daemon.welcome()
    guard case .openUpdates(let sequence, .default) = try daemon.hear() else {
      Issue.record("the sequence is not opened again")
      return
    }
    try daemon.say(.update(sequence, Update(fix: nil)))
    #expect(try child.finish().status == .exited(0))
  }

  @Test func watchTellsThatTheDaemonIsGone() throws {
    let daemon = try ScriptedDaemon()
    let (child, _, _) = try watch(["--json", "--count", "1", "--timeout", "300"], daemon: daemon)
    daemon.hangUp()
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(output == "{\"stationary\":false,\"locationUnavailable\":true}\n")
    #expect(complaint.contains("waiting for it"))
  }

  @Test func watchSurvivesGarbageFromTheDaemon() throws {
    let daemon = try ScriptedDaemon()
    let (child, _, _) = try watch(["--json", "--count", "1"], daemon: daemon)
    try daemon.say([131, 1, 2, 3])
    try daemon.welcome()
    guard case .openUpdates(let sequence, .default) = try daemon.hear() else {
      Issue.record("the sequence is not opened again")
      return
    }
    try daemon.say(.update(sequence, Update(fix: nil)))
    #expect(try child.finish().status == .exited(0))
  }

  @Test func watchEndsQuietlyWhenNobodyReadsItsOutput() throws {
    let daemon = try ScriptedDaemon()
    let child = try ChildProcess(
      "/bin/sh",
      [
        "-c", "\"$@\" | head -n 1", "sh", Programs.path("binnacle"), "watch", "--json", "--runtime",
        daemon.directory.path,
      ], output: .pipe, errorOutput: .pipe)
    try daemon.welcome()
    guard case .openUpdates(let sequence, _) = try daemon.hear() else { return }
    // It notices with the line after the one that nobody reads.
    let hasEnded = try eventually {
      try daemon.say(.update(sequence, Update(fix: nil)))
      return try child.wait(limit: .milliseconds(5)) != nil
    }
    #expect(hasEnded)
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(output == "{\"stationary\":false}\n")
    #expect(complaint == "")
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

  @Test func withoutADaemonWatchWaitsUntilItIsInterrupted() throws {
    let nowhere = try TemporaryDirectory().path + "/nowhere"
    let child = try ChildProcess(
      Programs.path("binnacle"), ["watch", "--runtime", nowhere], output: .pipe,
      errorOutput: .pipe)
    #expect(
      try eventually {
        let status = try Files.read("/proc/\(child.processID)/status")
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let caught = lines.first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
        // A bit for each signal that is caught; SIGINT is number 2, so the second.
        return caught.flatMap { UInt64($0, radix: 16) }.map { $0 & 2 != 0 } == true
      })
    child.signal(.interrupt)
    #expect(try child.finish().status == .exited(0))
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
        "daemon.version    a \"b\".\\\nreceiver.rate_hz  2.5\nreceiver.ok       yes\n"
          + "clients.count     3\n"
      ),
    ] {
      let daemon = try ScriptedDaemon()
      let child = try daemon.start(words)
      try daemon.welcome()
      guard case .requestStatus(let request) = try daemon.hear() else {
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
    guard case .requestTrace(let request) = try daemon.hear() else {
      Issue.record("no request")
      return
    }
    try daemon.say(.trace(request: request, isLast: false, [1, 2]))
    try daemon.say(.trace(request: request, isLast: true, [3]))
    #expect(try child.finish().status == .exited(0))
    #expect(try Files.read(file) == [1, 2, 3])
  }

  @Test func aRefusalIsPassedOn() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["status"])
    try daemon.welcome()
    try daemon.say(.refused(.init(reason: .tooSlow, text: "too much"), isFinal: true))
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(69))
    #expect(complaint.contains("too much"))
  }

  @Test(arguments: [
    [], ["sing"], ["watch", "--count", "0"], ["watch", "--configuration", "swimming"],
    ["watch", "--timeout", "soon"], ["status", "--count", "1"], ["watch", "--runtime"],
  ])
  func whatIsNoCommandLineIsStatus64(words: [String]) throws {
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

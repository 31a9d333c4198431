import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Testing

/// The output of `binnacle why` for many sequences: a serial console has 80 columns.
struct WhyTests {
  private static func output(_ report: Report) throws -> [Substring] {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why"])
    try daemon.welcome()
    guard case .request(let request, .status) = try daemon.hear() else { return [] }
    try daemon.say(.status(request: request, report))
    return try child.finish().output.split(separator: "\n")
  }

  @Test(
    arguments: [(.notPermitted, 77), (.appUnknown, 65), (.notPossible, 1)]
      as [(ServerMessage.RefusalKind, Int32)])
  func theExitStatusIsTheReasonOfARefusal(
    _ kind: ServerMessage.RefusalKind, _ status: Int32
  ) throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why", "org.example.a"])
    try daemon.welcome(version: WireLimits.versionMax)
    guard case .request(let request, .consent(.why)) = try daemon.hear() else {
      Issue.record("the daemon is not asked for the reasons")
      return
    }
    try daemon.say(.answered(request: request, .init(kind, "it is another user's")))
    let (ending, output, complaint) = try child.finish()
    #expect(ending == .exited(status))
    #expect(output == "" && complaint == "binnacle: why: it is another user's\n")
  }

  /// The end of `binnacle why` for a user whose request for the report is refused.
  ///
  /// - Parameters:
  ///   - words: further words of the command.
  ///   - rows: the rows about the user's own apps; nil: this request is refused, too.
  /// - Returns: the exit status and the outputs.
  /// - Throws: the error of the socket or of the command's start.
  private static func refused(
    _ words: [String], _ rows: [Report]?
  ) throws -> (status: ChildProcess.Ending?, output: String, complaint: String) {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why"] + words)
    try daemon.welcome(version: WireLimits.versionMax)
    let refusal = ServerMessage.refused(.init(.notPermitted, "only root may"), isFinal: false)
    for _ in 0..<2 {
      switch try daemon.hear() {
      case .request(let number, .consent(.why(app: nil))):
        guard let rows else {
          try daemon.say(refusal)
          continue
        }
        try daemon.say(.ownApps(request: number))
        try daemon.say(.rows(request: number, isLast: true, rows))
      case .request(_, .status): try daemon.say(refusal)
      case let other: Issue.record("\(String(describing: other)) is neither of the requests")
      }
    }
    return try child.finish()
  }

  /// The rows of an app with one condition that is not met.
  private static let ownRows: [Report] = {
    var head = Report()
    head.add(.rowID, "org.example.a")
    head.add(.rowReceives, false)
    head.add(.rowFlags, "authorizationDenied")
    var condition = Report()
    condition.add(.rowID, "org.example.a")
    condition.add(.rowKey, "authorization")
    condition.add(.rowHolds, false)
    condition.add(.rowText, "org.example.a may not use your location: it was denied.")
    return [head, condition]
  }()

  @Test func aUserThatIsNoOperatorGetsTheReasonsOfItsOwnApps() throws {
    let (status, output, complaint) = try Self.refused([], Self.ownRows)
    #expect(status == .exited(0) && complaint == "")
    #expect(
      output == """
        org.example.a: gets no locations (authorizationDenied)
          NO   org.example.a may not use your location: it was denied.

        """)
    let (_, json, _) = try Self.refused(["--json"], Self.ownRows)
    #expect(json.hasPrefix("{\"id\":\"org.example.a\",\"receives\":false,"), "\(json)")
    #expect(json.split(separator: "\n").count == 1)
  }

  @Test func aUserWithoutAppsIsNoFailure() throws {
    let (status, output, complaint) = try Self.refused([], [])
    #expect(status == .exited(0) && output == "no apps of yours\n" && complaint == "")
  }

  @Test func aConsoleThatMayNotLookGetsStatus77() throws {
    let (status, output, complaint) = try Self.refused([], nil)
    #expect(status == .exited(77) && output == "")
    #expect(complaint == "binnacle: the daemon refused: only root may\n")
  }

  private static func report(program: String, fault: String) -> Report {
    var report = Report()
    report.add("receiver.state", .text("running, not configured as wanted"))
    report.add("power.cause", .text("no satellite is heard and nobody has moved the board since"))
    report.add("accelerometer.fault", .text(fault))
    report.add("rest.1.is_stationary", .flag(false))
    report.add("rest.1.since_s", .number(130_000))
    report.add("rest.1.sources", .text("none"))
    report.add("rest.1.dwell_s", .number(3_599))
    report.add("rest.1.credit_s", .number(3_598))
    report.add("rest.1.accelerometer", .text("absent"))
    report.add("rest.1.ended_by", .text("displacement"))
    report.add("rest.1.ended_ago_s", .number(129_999))
    report.add("clients.4.program", .text(program))
    let sequence = "clients.4.sequence.12"
    report.add(sequence, .text("automotive navigation, told that there is no location"))
    report.add(sequence + ".pause", .text("settling"))
    report.add(sequence + ".pause_for_s", .number(1_199))
    report.add(sequence + ".dwell_s", .number(3_599))
    report.add(sequence + ".filled_s", .number(3_598))
    report.add("clients.4.sequence.13", .text("default, location services are off"))
    return report
  }

  @Test func aLineThatIsLongIsFolded() throws {
    let report = WhyTests.report(
      program: "tracker",
      fault: "/dev/i2c-1: another driver of the kernel holds the address 0x18; unload it")
    #expect(
      try WhyTests.output(report).joined(separator: "\n") == """
        the receiver: running, not configured as wanted, because no satellite is heard
          and nobody has moved the board since
        dwell of 59 min 59 s: 59 min 58 s of it are filled, by no witness
          accelerometer  none: /dev/i2c-1: another driver of the kernel holds the
                         address 0x18; unload it
          receiver       no speed that counts
          before         a rest ended 36 h 6 min ago: the receiver said that it is
                         elsewhere
          tracker (client 4, sequence 12): automotive navigation, settling for 19 min 59
            s, 59 min 58 s filled; told that there is no location
        without a dwell
          tracker (client 4, sequence 13): default, location services are off
        """)
  }

  /// A client chooses its own name, and a fault's text has paths in it.
  @Test(arguments: [1, 3, 60, 79, 80, 81, 200])
  func noLineIsLongerThanAConsoleIsWideAndNothingIsLost(_ length: Int) throws {
    let word = String(repeating: "x", count: length)
    let lines = try WhyTests.output(WhyTests.report(program: word, fault: word))
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(line.count <= 80, "\(line)")
      #expect(!line.allSatisfy { $0 == " " })
    }
    #expect(lines.joined().count { $0 == "x" } == 3 * length)
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

  @Test func whyPrintsTheEvidenceAndTheSequencesOfEachDwell() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why"])
    let request = try daemon.statusRequest()
    try daemon.say(.status(request: request, WhyTests.restReport))
    let output = try child.finish().output
    #expect(
      output == """
        the receiver: asleep, because the board rests
        dwell of 60 s: the board rests for 2 min 10 s, by both witnesses
          accelerometer  sways by 1.2 mg, no more than 5.0 mg: quiet
          receiver       0.03 m/s, sure within 0.10 m/s
          place          1.3 m from the place where the dwell began, limit 25.0 m
          before         the board rested here before the daemon or the power ended
          ev?il (client 4, sequence 1): fitness, paused for 100 s
        dwell of 5 min 0 s: 34 s of it are filled, by no witness
          accelerometer  none: it is unplugged
          receiver       no speed that counts
          before         a rest ended 10 min 0 s ago: the accelerometer was shaken
          ev?il (client 4, sequence 2): airborne, settling for 100 s, 30 s filled
        without a dwell
          ? (client 5, sequence 1): default, denied

        """)
    #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func whyIsOneObjectForPrograms() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why", "--json"])
    let request = try daemon.statusRequest()
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

  @Test func whyReportsThatNoClientWantsUpdates() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why"])
    let request = try daemon.statusRequest()
    var report = Report()
    report.add("services.on", .flag(false))
    report.add("receiver.state", .text("running"))
    report.add("security.jamming_present", .flag(true))
    try daemon.say(.status(request: request, report))
    #expect(
      try child.finish().output == """
        location services are off
        the receiver says that it is jammed
        no program has updates open, so the rest of the board is not judged

        """)
  }
}

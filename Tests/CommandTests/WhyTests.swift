import Model
import Testing

/// What `binnacle why` prints where much is to be said: a serial console has 80 columns.
struct WhyTests {
  private static func output(_ report: Report) throws -> [Substring] {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["why"])
    try daemon.welcome()
    guard case .requestStatus(let request) = try daemon.hear() else { return [] }
    try daemon.say(.status(request: request, report))
    return try child.finish().output.split(separator: "\n")
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
}

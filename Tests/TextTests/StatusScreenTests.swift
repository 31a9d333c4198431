import BinnacleModel
import BinnacleText
import Testing

@Suite struct StatusScreenTests {
  /// A report of a board on which all is well.
  private static func well() -> Report {
    var report = Report()
    report.add("daemon.version", .text("0.1.0"))
    report.add("daemon.uptime_s", .number(7_300))
    report.add("receiver.device", .text("/dev/serial0"))
    report.add("receiver.state", .text("running"))
    report.add("receiver.speed_baud", .integer(9_600))
    report.add("receiver.generation", .text("M10"))
    report.add("receiver.firmware", .text("SPG 5.10"))
    report.add("receiver.rate_hz", .integer(1))
    report.add("power.state", .text("on"))
    report.add("power.since_s", .number(60))
    report.add("accelerometer.state", .text("working"))
    report.add("accelerometer.chip", .text("LIS3DH"))
    report.add("fixes.last_age_s", .number(0.42))
    report.add("fixes.last_horizontal_accuracy_m", .number(1.897))
    report.add("fixes.last_time", .text("2026-11-23T11:29:49.999Z"))
    report.add("services.on", .flag(true))
    report.add("state.kept", .flag(true))
    report.add("state.records", .integer(1))
    report.add("indicator.state", .text("off"))
    report.add("buttons.HOME.short", .integer(0))
    report.add("buttons.HOME.is_pressed", .flag(true))
    addClient(1, "tracker", ["default, served"], to: &report)
    addClient(2, "binnacle status", [], to: &report)
    return report
  }

  private static func addClient(
    _ number: Int, _ program: String, _ sequences: [String], isPaused: Bool = false,
    to report: inout Report
  ) {
    report.add("clients.\(number).program", .text(program))
    for (index, sequence) in sequences.enumerated() {
      report.add("clients.\(number).sequence.\(index + 1)", .text(sequence))
      if isPaused { report.add("clients.\(number).sequence.\(index + 1).pause", .text("paused")) }
    }
  }

  private func lines(_ report: Report) -> [String] {
    let lines = StatusScreen(report, ownProgram: "binnacle status").lines
    // The prompt of the shell takes a line of a screen of 24.
    #expect(lines.count <= 23)
    #expect(lines.allSatisfy { $0.count <= 80 })
    return lines
  }

  /// A report with other values, or without some.
  private func changed(_ changes: [String: Report.Value?]) -> Report {
    var report = Report()
    for item in Self.well().items {
      guard let change = changes[item.name] else {
        report.add(item.name, item.value)
        continue
      }
      if let value = change { report.add(item.name, value) }
    }
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) where report[name] == nil {
      if let value { report.add(name, value) }
    }
    return report
  }

  @Test func aBoardThatIsWellHasALineForEachPart() {
    #expect(
      lines(Self.well()) == [
        "  daemon        binnacled 0.1.0, up 2 h 1 min",
        "  receiver      running, u-blox M10, SPG 5.10, 9600 baud, 1 Hz",
        "  fix           0.4 s old, accurate to 1.9 m, of 2026-11-23T11:29:49.999Z",
        "  power         on for 60 s",
        "  accelerometer working, LIS3DH",
        "  services      on",
        "  state         kept, 1 record",
        "  lights        indicator off",
        "  buttons       HOME (pressed)",
        "  apps          tracker: default, served",
      ])
  }

  @Test(
    arguments: [
      (
        ["receiver.state": .text("waiting for the device")],
        "! receiver      waiting for the device (/dev/serial0)",
        "binnacle doctor"
      ),
      (
        ["services.on": .flag(false)],
        "! services      location services are off for every program",
        "binnacle services on"
      ),
      (
        ["state.damage": .text("2 commits are lost"), "services.on": .flag(false)],
        "! state         2 commits are lost", "sudo binnacle state accept"
      ),
      (
        ["state.damage": .text("2 commits are lost"), "daemon.user_id": .integer(1_000)],
        "! state         2 commits are lost", "binnacle state accept"
      ),
      (
        ["state.kept": .flag(false), "state.fault": .text("no space left")],
        "! state         nothing is kept: no space left", "binnacle doctor"
      ),
      (
        ["state.damage": .text("read-only"), "state.kept": .flag(false)],
        "! state         read-only", "binnacle doctor"
      ),
      (["state.mark_fault": .text("no mark")], "! state         no mark", "binnacle doctor"),
      (
        [
          "receiver.trouble": .text("it sends noise"),
          "receiver.advice": .text("is its ground wired?"),
        ],
        "! receiver      it sends noise", "is its ground wired?"
      ),
      (
        [
          "clients.1.sequence.1": .text("default, told that there is no location"),
          "fixes.last_age_s": .number(65), "receiver.last_frame_age_s": .number(0.4),
        ],
        "! fix           no position for 65 s",
        "give the antenna a view of the sky; binnacle doctor"
      ),
      (
        [
          "clients.1.sequence.1": .text("default, told that there is no location"),
          "fixes.last_age_s": .number(65), "receiver.last_frame_age_s": .number(65),
        ],
        "! fix           no position for 65 s", "binnacle doctor"
      ),
      (
        [
          "receiver.trouble": .text("no byte comes from the receiver"),
          "receiver.advice": .text("check its power"), "receiver.silent_s": .number(12),
        ],
        "! receiver      no byte comes from the receiver (/dev/serial0)", "check its power"
      ),
      (
        ["accelerometer.state": .text("failed"), "accelerometer.fault": .text("it vanished")],
        "! accelerometer it vanished", "binnacle doctor"
      ),
      (
        ["security.jamming_present": .flag(true)],
        "! receiver      the receiver reports jamming (radio interference)",
        "do not rely on positions; move the antenna"
      ),
      (
        ["indicator.is_faulty": .flag(true)], "! indicator     the light is not as it was set",
        "binnacle doctor --interactive"
      ),
      (
        ["buttons.HOME.fault": .text("held by 'led0'")], "! button HOME   held by 'led0'",
        "binnacle doctor"
      ),
      (
        ["apps.mistakes": .integer(3)], "! apps          3 mistakes in manifests of apps",
        "binnacled --check"
      ),
      (
        ["apps.mistakes": .integer(1)], "! apps          1 mistake in manifests of apps",
        "binnacled --check"
      ),
      (
        [
          "clients.3.app": .text("door.nmea:1000"), "clients.3.is_served": .flag(false),
          "clients.4.app": .text("door.nmea:1000"), "clients.4.is_served": .flag(false),
          "clients.5.app": .text("door.nmea:tty"), "clients.5.is_served": .flag(true),
          "clients.6.app": .text("1000:/usr/bin/a"), "clients.6.is_served": .flag(false),
        ],
        "! door          the reader door.nmea:1000 has no right to positions",
        "binnacle why door.nmea:1000"
      ),
    ] as [([String: Report.Value?], String, String)])
  func troublesStandFirstWithTheirRemedy(
    changes: [String: Report.Value?], trouble: String, remedy: String
  ) {
    let lines = lines(changed(changes))
    #expect(lines[0] == trouble)
    #expect(lines[1] == "                mend: " + remedy)
    #expect(lines[2].hasPrefix("  daemon"))
  }

  @Test func aLongRemedyIsWholeBesideFewTroubles() {
    let advice = String(repeating: "check the wire ", count: 7) + "END"
    var report = changed([
      "receiver.trouble": .text("it sends noise"), "receiver.advice": .text(advice),
    ])
    #expect(lines(report)[1].hasPrefix("                mend: check the wire "))
    #expect(lines(report)[2].hasPrefix("                ") && lines(report)[2].hasSuffix("END"))
    report = changed([
      "receiver.trouble": .text("it sends noise"),
      "receiver.advice": .text(advice + advice + advice),
    ])
    #expect(lines(report)[4].hasSuffix(" ...") && lines(report)[5].hasPrefix("  daemon"))
    report = changed([
      "services.on": .flag(false), "state.kept": .flag(false),
      "receiver.trouble": .text("it sends noise"), "receiver.advice": .text(advice),
    ])
    #expect(lines(report)[5].hasSuffix("...") && lines(report)[6].hasPrefix("  daemon"))
  }

  @Test func aSleepingReceiverIsNoTrouble() {
    let lines = lines(
      changed([
        "receiver.state": .text("asleep"), "power.state": .text("asleep"),
        "power.cause": .text("the board rests"), "motion.is_stationary": .flag(true),
        "motion.since_s": .number(90), "sessions.paused": .integer(1),
        "clients.1.sequence.1.pause": .text("paused"),
      ]))
    #expect(!lines.contains { $0.hasPrefix("!") })
    #expect(lines.contains("  rest          at rest for 90 s; 1 sequence paused"))
    #expect(lines.contains("  power         asleep for 60 s: the board rests"))
    #expect(lines.contains("  apps          tracker: default, served, paused"))
  }

  /// A sentence about lost state names the records, and is longer than two lines.
  @Test func aLongSentenceAboutLostStateIsWhole() {
    let text = String(repeating: "commits 3 to 5 are damaged; ", count: 6) + "END"
    let report = changed(["state.damage": .text(text)])
    #expect(lines(report)[2].hasSuffix("END"))
    #expect(lines(report).allSatisfy { $0.count <= 80 })
  }

  @Test func manyClientsAndTroublesStillFit() {
    var report = changed([
      "services.on": .flag(false), "state.kept": .flag(false),
      "accelerometer.state": .text("failed"),
      "receiver.state": .text("waiting for the device"), "security.jamming_present": .flag(true),
      "security.spoofing_present": .flag(true), "indicator.is_faulty": .flag(true),
    ])
    for number in 3..<67 {
      Self.addClient(number, "app \(number)", ["default, served", "fitness, served"], to: &report)
    }
    let lines = lines(report)
    #expect(
      lines.contains("                and 2 more problems; 'binnacle status --all' lists all"))
    #expect(lines.contains("                app 3: default, served and 1 more"))
    #expect(lines.last == "                and 63 more; 'binnacle status --all' lists them")
  }

  @Test func eightProblemsOfABoardWithAllPartsLeaveALineForThePrompt() {
    var report = changed([
      "services.on": .flag(false), "state.kept": .flag(false), "prompts.open": .integer(1),
      "receiver.state": .text("waiting for the device"), "security.jamming_present": .flag(true),
      "security.spoofing_present": .flag(true), "accelerometer.state": .text("failed"),
      "indicator.is_faulty": .flag(true), "motion.is_stationary": .flag(true),
    ])
    report.add(.trackIsOn, true)
    report.add(.trackAccuracy, "full")
    for door in DoorKind.allCases { report.add(.doorReaders(door), 1) }
    report.add(.activityApp("1"), "tracker")
    report.add(.activityText("1"), "on the way")
    for number in 3..<7 { Self.addClient(number, "app \(number)", [], to: &report) }
    let lines = lines(report)
    #expect(lines.count == 23)
    #expect(lines.count { $0.hasPrefix("! ") } == 4)
    #expect(lines[8] == "                and 4 more problems; 'binnacle status --all' lists all")
    #expect(lines[9].hasPrefix("  daemon") && lines[21].hasPrefix("  activity"))
    #expect(lines[22] == "  apps          and 5 more; 'binnacle status --all' lists them")
  }

  @Test func aLongNameLeavesRoomForTheEntitlement() {
    var report = Self.well()
    Self.addClient(3, String(repeating: "n", count: 300), ["default, served"], to: &report)
    let last = lines(report).last ?? ""
    #expect(last.hasSuffix("nnn...: default, served") && last.count == 80)
  }

  @Test func toolsWithoutUpdatesAreNoApps() {
    var report = Report()
    report.add(.receiverState, "running")
    Self.addClient(1, "binnacle console", [], to: &report)
    Self.addClient(2, "binnacle top", [], to: &report)
    #expect(lines(report).contains("  apps          none is connected"))
    Self.addClient(3, "binnacle watch", ["fitness, served"], to: &report)
    Self.addClient(4, "tracker", [], to: &report)
    let shown = lines(report).joined(separator: "\n")
    #expect(
      shown.contains("binnacle watch: fitness, served") && shown.contains("tracker: no updates"))
    #expect(!shown.contains("console"))
  }

  @Test func textFromOutsideCannotSteerTheTerminal() {
    let lines = lines(
      changed([
        "clients.1.program": .text("\u{1b}[2J\u{202e}evil\nline"),
        "receiver.firmware": .text("\u{9b}31m"),
      ]))
    #expect(lines.contains("  apps          ?[2J?evil?line: default, served"))
    #expect(
      lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F } })
  }

  @Test func wideCharactersTakeTwoColumns() {
    var report = Report()
    report.add(.receiverState, String(repeating: "界", count: 100))
    report.add(.clientProgram("1"), String(repeating: "界", count: 100))
    report.add(.sequenceStands("1", "1"), "fitness, served")
    for line in StatusScreen(report, ownProgram: "binnacle status").lines {
      let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
      #expect(columns <= 80, "\(line)")
    }
  }

  @Test func anEmptyReportIsNoCrash() {
    #expect(lines(Report()).last == "  apps          none is connected")
  }
}

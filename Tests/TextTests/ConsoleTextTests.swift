import BinnacleModel
import BinnacleText
import TestSupport
import Testing

/// The texts of the console and of the verbs that came with it.
struct ConsoleTextTests {
  private func report(_ fill: (inout Report) -> Void) -> Report {
    var report = Report()
    report.add(.servicesOn, true)
    report.add(.receiverState, "running")
    report.add(.powerState, "on")
    fill(&report)
    return report
  }

  @Test func theMostUrgentStateIsTheWord() {
    #expect(StateWord.word(report { $0.add(.fixAge, 0.4) }) == "fix")
    #expect(StateWord.word(report { $0.add(.fixAge, 60) }) == "idle")
    #expect(StateWord.word(report { $0.add(.sessionsRate, 1) }) == "searching")
    #expect(
      StateWord.word(
        report {
          $0.add(.sessionsPaused, 1)
          $0.add(.fixAge, 0.4)
        }) == "paused")
    #expect(StateWord.word(report { $0.add(.receiverTrouble, "silent") }) == "fault")
    var off = Report()
    off.add(.servicesOn, false)
    off.add(.receiverTrouble, "silent")
    #expect(StateWord.word(off) == "services-off")
    var asleep = Report()
    asleep.add(.receiverState, "running")
    asleep.add(.powerState, "asleep")
    #expect(StateWord.word(asleep) == "asleep")
  }

  @Test func aTableThatIsTooWideIsAParagraphForEachRow() {
    var row = Report()
    row.add(.rowID, "org.example.tracker")
    row.add(.rowExecutable, "/usr/lib/example/a program with blanks in its name")
    row.add(.rowState, "background")
    row.add(.rowAuthorization, "when_in_use")
    row.add(.rowReason, String(repeating: "the process ended by a signal, ", count: 5))
    let table = RowTable([row, row])
    #expect(table.text(columns: nil).split(separator: "\n").count == 3)
    #expect(table.text(columns: 500) == table.text(columns: nil))
    for columns in [40, 80] {
      let lines = table.text(columns: columns).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= columns })
      #expect(lines.count { $0 == "org.example.tracker" } == 2)
      #expect(lines.contains { $0.contains("authorization when_in_use") })
      #expect(lines.count { $0.contains("state background") } == 2)
    }
  }

  @Test func theColumnsOfATableHaveTheOrderOfTheList() {
    var resting = Report()
    resting.add(.rowID, "org.a")
    resting.add(.rowState, "not_running")
    resting.add(.rowAccuracy, "full")
    var running = Report()
    running.add(.rowID, "org.b")
    running.add(.rowUserID, Int64(7))
    running.add(.rowState, "foreground")
    running.add(.rowStateSince, "2026-09-21T14:13:20Z")
    running.add(.rowAccuracy, "full")
    for rows in [[resting, running], [running, resting]] {
      let first =
        RowTable(rows, keys: RowCatalog.apps).text(columns: nil)
        .split(separator: "\n").first ?? ""
      #expect(first.split(separator: " ") == ["id", "user_id", "state", "since", "accuracy"])
    }
  }

  @Test func statusAndMotionShowTheSameVerdictOnRest() {
    var report = Report()
    report.add(.restIsStationary("motion"), false)
    report.add(.restDwell("rest.1"), 60)
    report.add(.restIsStationary("rest.1"), true)
    #expect(MotionText(report).line.contains("rests"))
    #expect(
      StatusScreen(report, ownProgram: "binnacle status").lines.contains {
        $0.contains("at rest") && !$0.contains("not")
      })
  }

  @Test func theBarOfMotionIsFullWhenTheBoardMoves() {
    func line(_ sway: Double, _ isStationary: Bool) -> String {
      var report = Report()
      report.add(.accelerometerLastX, -0.021)
      report.add(.accelerometerLastY, 0)
      report.add(.accelerometerLastZ, 1.004)
      report.add(.restSway("motion"), sway)
      report.add(.restThreshold("motion"), 8)
      report.add(.restIsStationary("motion"), isStationary)
      report.add(.restSince("motion"), 12)
      return MotionText(report).line
    }
    #expect(line(2, true) == "-0.02 +0.00 +1.00 g  [###.......] 2.0/8.0 mg  rests 12 s")
    #expect(line(500, false) == "-0.02 +0.00 +1.00 g  [##########] 500.0/8.0 mg  moves 12 s")
    #expect(line(.infinity, false).count <= 79)
  }

  @Test func aSettingIsFoundBySectionKeyOrBoth() {
    var row = Report()
    row.add(.rowSection, "Location")
    row.add(.rowSetting, "PromptTimeout")
    row.add(.rowValue, "30 s")
    row.add(.rowOrigin, "drop-in")
    row.add(.rowFile, "/etc/a.conf")
    row.add(.rowFileLine, 3)
    for name in ["location", "PromptTimeout", "Location.PromptTimeout"] {
      #expect(SettingTable.row(row, isNamed: name))
    }
    #expect(!SettingTable.row(row, isNamed: "Prompt"))
    #expect(SettingTable([row]).lines == "Location.PromptTimeout  30 s  drop-in /etc/a.conf:3")
  }

  @Test func aUserThatPerhapsMayNotAnswerReadsThatAnOperatorDoes() {
    var row = Report()
    row.add(.rowID, "org.a")
    row.add(.rowText, "org.a would like to use your location.")
    #expect(
      PromptText.question(row, program: "binnacle ", for: .anyUser) == """
        org.a would like to use your location.
          an operator answers with:
            binnacle allow org.a
            binnacle deny org.a
        """)
    #expect(
      PromptText.question(row, program: "") == """
        org.a would like to use your location.
          allow org.a
          deny org.a
        """)
  }

  @Test(arguments: [
    (RequestedRight.whenInUse, "deny org.a"), (.always, "allow org.a whenInUse"),
    (.fullAccuracy, "allow org.a reduced"),
  ])
  func theCommandThatRefusesARequestKeepsTheRightThatTheAppHas(
    request: RequestedRight, refusal: String
  ) {
    var row = Report()
    row.add(.rowID, "org.a")
    row.add(.rowRequest, request.name)
    row.add(.rowText, "org.a asks.")
    #expect(
      PromptText.question(row, program: "binnacle ") == """
        org.a asks.
          binnacle allow org.a
          binnacle \(refusal)
        """)
  }

  @Test func anAnsweredRequestIsNoLongerShown() {
    var row = Report()
    row.add(.rowID, "org.a")
    row.add(.rowIsShown, true)
    var changes = PromptChanges()
    #expect(changes.take([row]).map { $0[.rowIsShown] } == [true])
    let gone = changes.take([])
    #expect(gone.map { $0[.rowIsShown] } == [false] && gone.map { $0[.rowIsOpen] } == [false])
  }

  @Test func aConsoleDoesNotRepeatARequestThatIsShownLater() {
    func row(isShown: Bool) -> Report {
      var row = Report()
      row.add(.rowID, "org.a")
      row.add(.rowIsShown, isShown)
      return row
    }
    var changes = PromptChanges()
    #expect(changes.take([row(isShown: false)]).count == 1)
    #expect(changes.take([row(isShown: true)]).isEmpty)
  }

  /// An old process of an upgraded program and a new one ask with the same name and the same sentence.
  @Test func ofTwoEqualRequestsEachOneComesAndGoes() {
    var row = Report()
    row.add(.rowID, "1000:/usr/bin/tracker")
    var changes = PromptChanges()
    #expect(changes.take([row, row]).map { $0[.rowIsOpen] } == [true, true])
    #expect(changes.take([row]).map { $0[.rowIsOpen] } == [false])
    #expect(changes.take([row, row]).map { $0[.rowIsOpen] } == [true])
    #expect(changes.take([]).map { $0[.rowIsOpen] } == [false, false])
  }

  @Test func textOfOthersStaysOnItsLine() {
    var row = Report()
    row.add(.rowID, ForeignText.sample)
    row.add(.rowText, ForeignText.sample)
    row.add(.rowLogText, ForeignText.sample)
    row.add(.rowValue, ForeignText.sample)
    row.add(.activityApp("1"), ForeignText.sample)
    row.add(.activityText("1"), ForeignText.sample)
    row.add(.receiverDevice, ForeignText.sample)
    row.add(.accelerometerState, ForeignText.sample)
    let texts = [
      PromptText.question(row, program: ""), LogText.line(row), SettingTable([row]).lines,
      ActivityText.line(row) ?? "", ReceiverText(row).lines, MotionText(row).line,
    ]
    for text in texts { #expect(ForeignText.remains(in: text) == [], "\(text)") }
    #expect(LogText.line(row).split(separator: "\n").count == 1)
  }
}

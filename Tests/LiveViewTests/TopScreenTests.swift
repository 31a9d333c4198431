import BinnacleBasics
import BinnacleModel
import BinnacleText
import TestSupport
import Testing

@testable import LiveView

struct TopScreenTests {
  private func lines(
    _ snapshot: BoardSnapshot = SampleBoard.snapshot, columns: Int, rows: Int
  ) -> [String] {
    TopScreen(snapshot, columns: columns).grid(rows: rows).lines
  }

  private func text(
    _ snapshot: BoardSnapshot = SampleBoard.snapshot, columns: Int = 80, rows: Int = 24
  ) -> String {
    lines(snapshot, columns: columns, rows: rows).joined(separator: "\n")
  }

  @Test func aScreenOf80ColumnsAnd24RowsShowsEveryPart() {
    #expect(
      text(columns: 80, rows: 24) == """
        binnacle top  harbor fix                                   2026-11-24T10:15:32Z
        fix      0.5 s old, accurate to 2.1 m, of 2026-11-24T10:15:31Z
        motion   +0.01 -0.02 +1.00 g  [###.......] 1.9/6.4 mg  quiet 36 s of 2 min 0 s
        power    on for 60 min 0 s, kept on by org.example.tracker
        light    indicator lit
        receiver running, u-blox MAX-M10S, 38400 baud, 1 Hz
        state    kept, 12 records, 34 KiB written in the board's life
        sky      24 in view, 16 used, HDOP 0.71, VDOP unknown, PDOP unknown
                 50 ###       ###     #      #
                    #####     ####    ##     ###
                    ######:   #####   ##     ###
                    ######::  #####   ##     ###:
                    ######::  #####   ##:    ###:
                  0 ######::. #####.  ##:.   ###:.
                    GPS       Galileo BeiDou GLONASS
        apps     org.example.tracker: gets locations
                 org.example.route: NO, may not use your location: it was denied.
                   change: binnacle allow org.example.route
                 org.example.map: gets locations (accuracyLimited)
        log      10:14:02  daemon: version 1, receiver at /dev/ttyAMA0
                 10:14:30  receiver: running
                 10:15:31  warning: receiver: reports jamming

        q quits  p holds  r redraws  Ctrl-Z suspends
        """)
  }

  @Test func aLargerScreenShowsTheSameAndMore() {
    let small = lines(columns: 80, rows: 24)
    let large = lines(columns: 120, rows: 40)
    #expect(large.count == 40)
    #expect(small.count { $0.contains("#") } < large.count { $0.contains("#") })
    #expect(large[0].hasSuffix("2026-11-24T10:15:32Z"))
    for line in small[1..<12] where !line.contains("#") {
      #expect(large.contains { $0.hasPrefix(line) }, "\(line)")
    }
  }

  @Test func aSmallScreenShowsTheMostImportantParts() {
    #expect(
      text(columns: 60, rows: 15) == """
        binnacle top  harbor fix               2026-11-24T10:15:32Z
        fix      0.5 s old, accurate to 2.1 m, of 2026-11-24T10:15:3
        motion   [###.......] 1.9/6.4 mg  quiet 36 s of 2 min 0 s
        power    on for 60 min 0 s, kept on by org.example.tracker
        light    indicator lit
        receiver running, u-blox MAX-M10S, 38400 baud, 1 Hz
        state    kept, 12 records, 34 KiB written in the board's lif
        sky      24 in view, 16 used, HDOP 0.71, VDOP unknown, PDOP
        apps     org.example.tracker: gets locations
                 org.example.route: NO, may not use your location: i
                   change: binnacle allow org.example.route
                 org.example.map: gets locations (accuracyLimited)
        log      10:14:30  receiver: running
                 10:15:31  warning: receiver: reports jamming
        q quits  p holds  r redraws  Ctrl-Z suspends
        """)
  }

  @Test(arguments: [(1, 1), (1, 24), (80, 1), (80, 2), (80, 3), (10, 5), (400, 150), (20, 10)])
  func everySizeHasAPicture(columns: Int, rows: Int) {
    let lines = lines(columns: columns, rows: rows)
    #expect(lines.count == rows)
    #expect(lines.allSatisfy { GlyphWidth.columns(of: $0) <= columns })
    // The lower right corner stays empty.
    #expect(lines[0].first == (columns * rows == 1 ? nil : "b"))
  }

  @Test func aProblemStandsFirstWithTheCommandThatMendsIt() {
    var snapshot = SampleBoard.snapshot
    snapshot.report = nil
    var report = Report()
    report.add(.servicesOn, false)
    report.add(.receiverState, "running")
    snapshot.report = report
    let lines = lines(snapshot, columns: 80, rows: 24)
    #expect(lines[1] == "!        services: location services are off for every program; binnacle")
    #expect(lines[2] == "!          services on")
    #expect(lines[0].hasPrefix("binnacle top  harbor services-off"))
    let grid = TopScreen(snapshot, columns: 80).grid(rows: 24)
    #expect(grid[1, 0].style == .bad && grid[1, 9].style == .bad)
  }

  @Test func aRequestOfAnAppShowsTheCommandsThatAnswerIt() {
    var snapshot = SampleBoard.snapshot
    snapshot.requests = [SampleBoard.request("org.example.route")]
    let text = text(snapshot)
    #expect(text.contains("request  org.example.route would like to use your location."))
    #expect(text.contains("\n           binnacle allow org.example.route\n"))
    #expect(text.contains("\n           binnacle deny org.example.route\n"))
  }

  @Test func anAppThatGetsNothingHasTheReasonAndTheChange() {
    let text = text()
    #expect(
      text.contains("org.example.route: NO, may not use your location: it was denied."))
    #expect(text.contains("\n           change: binnacle allow org.example.route\n"))
    #expect(text.contains("org.example.map: gets locations (accuracyLimited)"))
  }

  @Test func noAppsAreReportedBeforeTheAnswerAboutApps() {
    var snapshot = SampleBoard.snapshot
    snapshot.apps = nil
    #expect(!text(snapshot).contains("no apps"))
    snapshot.apps = []
    #expect(text(snapshot).contains("apps     no apps"))
  }

  @Test func manyAppsAreCounted() {
    var snapshot = SampleBoard.snapshot
    snapshot.apps = AppReasons.grouped(
      (1...100).map { SampleBoard.verdict("org.example.app\($0)", receives: $0 % 2 == 0) })
    #expect(text(snapshot).contains(" more; 'binnacle why' lists them"))
    #expect(
      text(snapshot, columns: 80, rows: 8)
        .contains("50 of 100 get locations; 'binnacle why' lists them"))
    #expect(text(snapshot, columns: 80, rows: 150).contains("org.example.app100"))
  }

  @Test func withoutADaemonNoOldValueStays() {
    var snapshot = SampleBoard.snapshot
    snapshot.forgetValues()
    snapshot.absence = "the daemon has gone; waiting for it"
    let lines = lines(snapshot, columns: 80, rows: 24)
    #expect(lines[0].hasPrefix("binnacle top  harbor no-daemon"))
    #expect(lines[1] == "!        the daemon has gone; waiting for it")
    #expect(!lines.contains { $0.contains("s old") || $0.contains("#") })
    #expect(lines.contains { $0.contains("reports jamming") }, "the log is of the past")
  }

  @Test func colorsNeverStandAlone() {
    let grid = TopScreen(SampleBoard.snapshot, columns: 80).grid(rows: 24)
    for row in 0..<24 {
      for column in 0..<80 {
        let cell = grid[row, column]
        switch cell.style {
        case .plain, .strong, .bar: continue
        // A used satellite, or the words "gets locations".
        case .good: #expect(cell.scalar == "#" || grid.lines[row].contains("gets locations"))
        case .warning:
          #expect(grid.lines[row].contains("NO, ") || grid.lines[row].contains("warning: "))
        case .bad: #expect(grid.lines[row].hasPrefix("!") || grid.lines[row].contains("error: "))
        }
      }
    }
  }

  @Test func hostileTextCannotLeaveItsPlace() {
    var snapshot = BoardSnapshot(board: ForeignText.sample, time: ForeignText.sample)
    let long = String(repeating: "漢字", count: 200) + ForeignText.sample
    snapshot.report = SampleBoard.report
    snapshot.apps = AppReasons.grouped([
      SampleBoard.verdict(ForeignText.sample, receives: false),
      SampleBoard.reason(ForeignText.sample, "use", ForeignText.sample, change: ForeignText.sample),
      SampleBoard.verdict(long, receives: true, flags: ForeignText.sample),
    ])
    snapshot.requests = [SampleBoard.request(long)]
    snapshot.addLog([SampleBoard.logged("10:00:00", "error", long)])
    snapshot.skyAbsence = ForeignText.sample
    snapshot.absence = ForeignText.sample
    for (columns, rows) in [(80, 24), (60, 15), (120, 40), (9, 9)] {
      let grid = TopScreen(snapshot, columns: columns).grid(rows: rows)
      for row in 0..<rows {
        for column in 0..<columns {
          let scalar = grid[row, column].scalar
          #expect(PlainText.isPlain(scalar) && (0x300...0x36F).contains(scalar.value) == false)
        }
      }
      var painter = GridPainter(hasColors: true)
      var terminal = TestGrid(columns: columns, rows: rows)
      while !painter.shows(grid) { terminal.take(painter.paint(grid, budget: 400)) }
      #expect(terminal.lines == grid.lines && terminal.unknown == [])
    }
  }

  @Test func aHeldViewSaysSo() {
    let lines = TopScreen(SampleBoard.snapshot, columns: 80, isHeld: true).grid(rows: 24).lines
    #expect(lines[23].hasPrefix("HELD  q quits  p goes on"))
  }
}

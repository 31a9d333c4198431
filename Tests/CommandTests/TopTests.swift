import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// `binnacle top` as a person sees it, on a pseudo-terminal.
@Suite(.timeLimit(.minutes(5)))
struct TopTests {
  @Test func theViewShowsTheBoardAndQLeavesTheTerminalAsItWas() throws {
    let top = try TopUnderTest()
    #expect(try top.seesView())
    #expect(try top.sees("fix      0.5 s old, accurate to 2.1 m"))
    #expect(try top.sees("org.example.route: NO, may not use your location"))
    #expect(try top.sees("warning: receiver: reports jamming"))
    #expect(top.screen.unknown == [] && top.screen.scrolledCount == 0)
    #expect(try top.settings != top.settingsBefore)
    try top.type("q")
    #expect(try top.ending() == .exited(0))
    #expect(try top.settings == top.settingsBefore)
    // The prompt of a shell then stands below the picture.
    #expect(top.screen.row == 23 && top.screen.column == 0 && top.screen.pen == "")
    #expect(top.screen.lines[23] == "" && top.screen.lines[0].hasPrefix("binnacle top"))
  }

  @Test func controlCLeaves() throws {
    let top = try TopUnderTest()
    #expect(try top.seesView())
    try top.type("\u{3}")
    #expect(try top.ending() == .exited(0))
    #expect(try top.settings == top.settingsBefore)
  }

  @Test(arguments: [.terminate, .hangUp, .interrupt] as [Signals.Signal])
  func aSignalThatEndsTheViewGivesTheTerminalBack(signal: Signals.Signal) throws {
    let top = try TopUnderTest()
    #expect(try top.seesView())
    top.child.signal(signal)
    #expect(try top.ending() == .exited(0))
    #expect(try top.settings == top.settingsBefore)
    #expect(top.screen.row == 23 && top.screen.column == 0 && top.screen.pen == "")
  }

  @Test func anotherSizeOfTheTerminalIsFilled() throws {
    let top = try TopUnderTest()
    #expect(try top.seesView())
    for (columns, rows) in [(120, 40), (60, 15), (20, 5), (80, 24)] as [(UInt16, UInt16)] {
      top.resize(columns: columns, rows: rows)
      #expect(try top.seesView())
      #expect(try top.sees { !$0.text.contains("x" + "xxx") }, "no old place stays")
    }
    #expect(try top.sees("org.example.route: NO, may not use your location"))
    #expect(top.screen.unknown == [])
  }

  @Test func theDaemonsAbsenceIsShownAndTheViewGoesOn() throws {
    let directory = try TemporaryDirectory()
    let top = try TopUnderTest(hasDaemon: false, directory: directory)
    #expect(try top.sees("waiting for it"))
    #expect(try top.sees { $0.lines[0].contains(" no-daemon") })
    let daemon = try AnsweringDaemon(in: directory.path)
    TopBoard.prepare(daemon)
    let isBack = try top.sees { screen in
      try? daemon.work()
      return screen.lines[0].contains(" fix ") && screen.text.contains("fix      0.5 s old")
    }
    #expect(isBack)
    daemon.hangUp()
    // It comes back at once, so the screen may have had the sentence only for a moment: the daemon is not served here.
    #expect(try top.sees("the daemon has gone; waiting for it"))
    #expect(!top.screen.text.contains("0.5 s old"), "old values are not shown as present ones")
    let isBackAgain = try top.sees { screen in
      try? daemon.work()
      return screen.text.contains("fix      0.5 s old")
    }
    #expect(isBackAgain)
  }

  @Test func aDaemonThatDoesNotAnswerIsReported() throws {
    let top = try TopUnderTest()
    #expect(try top.sees("fix      0.5 s old"))
    top.daemon?.isSilent = true
    #expect(try top.sees("the daemon does not answer; waiting for it"))
    #expect(!top.screen.text.contains("0.5 s old"))
  }

  @Test func theConnectionsForTheValuesAndForTheLogAreThoseOfATool() throws {
    let top = try TopUnderTest()
    #expect(try top.seesView())
    #expect(try top.sees { _ in top.daemon?.roles == [.operator, .operator] })
  }

  @Test func aUserWithoutRightsGetsTheReasonAndTheTerminalBack() throws {
    let top = try TopUnderTest { $0.refusesOperators = true }
    #expect(try top.ending() == .exited(ExitStatus.notPermitted.rawValue))
    #expect(try top.settings == top.settingsBefore)
  }

  @Test func aRequestOfAnAppAppearsWithItsCommands() throws {
    let top = try TopUnderTest()
    #expect(try top.seesView())
    top.daemon?.report.add(.promptsOpen, 1)
    try top.daemon?.setPrompts([ConsoleTests.prompt("org.example.route")])
    #expect(try top.sees("binnacle allow org.example.route"))
  }

  @Test func aHeldViewStaysAsItIs() throws {
    let top = try TopUnderTest()
    #expect(try top.sees("fix      0.5 s old"))
    try top.type("p")
    #expect(try top.sees { $0.lines[23].hasPrefix("HELD") })
    var further = ConsoleTests.running
    further.add(.fixHorizontalAccuracy, 9.9)
    top.daemon?.report = further
    let count = try #require(top.daemon?.reportCount)
    #expect(try top.sees { _ in top.daemon.map { $0.reportCount >= count + 3 } ?? false })
    #expect(!top.screen.text.contains("9.9 m"))
    try top.type("p")
    #expect(try top.sees("accurate to 9.9 m"))
  }

  @Test func aHostileBoardGetsAtMostTwoKilobytesASecond() throws {
    var number = 0
    let top = try TopUnderTest(columns: 200, rows: 60) { daemon in
      TopBoard.prepare(daemon)
      daemon.beforeReport = { daemon in
        number += 1
        var report = ConsoleTests.running
        report.add(.activityApp("1"), "org.example.route")
        report.add(
          .activityText("1"), String(repeating: "漢\(number % 10)", count: 100))
        report.add(.lampState("indicator"), String(repeating: "\(number % 7)", count: 300))
        daemon.report = report
        daemon.reasons = (0..<60).map {
          TopBoard.verdict("org.example.app\($0 + number)", receives: ($0 + number) % 2 == 0)
        }
        daemon.sky = Sky(
          satellites: (0..<200).map {
            Satellite(
              constellation: .gps, number: $0, carrierToNoiseDBHz: ($0 * 7 + number * 13) % 50,
              isUsed: ($0 + number) % 2 == 0)
          })
      }
    }
    var line = 0
    let isOver = try top.sees { _ in
      // A log with hundreds of lines a second.
      line += 1
      top.daemon?.addLog(
        ConsolePageTests.logged(
          "10:00:00.000", "debug", "\(line) \(String(repeating: "\(line % 10)", count: 150))"))
      // The bytes were printed before this moment, so a late look changes nothing.
      let seconds = (Clock.now - top.startedAt).seconds
      #expect(Double(top.printed.count) <= max(1_900, 1_000 + 900 * seconds))
      return seconds > 8
    }
    #expect(isOver)
    #expect(top.printed.count > 2_000, "the board changes all the time")
    // One report a second at most.
    let seconds = (Clock.now - top.startedAt).seconds
    #expect(top.daemon.map { Double($0.reportCount) <= seconds + 1 } == true)
    try top.type("q")
    #expect(try top.ending() == .exited(0))
  }

  @Test func hostileNamesCannotBreakTheView() throws {
    let name = "org." + ForeignText.sample + String(repeating: "漢", count: 90)
    let top = try TopUnderTest { daemon in
      TopBoard.prepare(daemon)
      daemon.reasons = [
        TopBoard.verdict(name, receives: false), TopBoard.reason(name, name, change: name),
        TopBoard.verdict("org.example.last", receives: true),
      ]
      daemon.report.add(.promptsOpen, 1)
      daemon.report.add(.activityApp("1"), name)
      daemon.report.add(.activityText("1"), name)
    }
    try top.daemon?.setPrompts([ConsoleTests.prompt(name)])
    #expect(try top.seesView())
    #expect(try top.sees("org.example.last: gets locations"))
    #expect(try top.sees("activity org.a?[2J"))
    #expect(top.screen.unknown == [] && top.screen.scrolledCount == 0)
    let text = top.text
    #expect(!text.contains("\u{9B}") && !text.contains("\u{202E}") && !text.contains("\n"))
    // The only erasing of the screen is that of the view.
    #expect(text.split(separator: "\u{1B}[2J", omittingEmptySubsequences: false).count == 2)
  }

  @Test func noColorTurnsColorsOffAndOldTerminalsGetNone() throws {
    for (kind, variables) in [("xterm-256color", ["NO_COLOR": "1"]), ("vt102", [:])] {
      let top = try TopUnderTest(kind: kind, variables: variables)
      #expect(try top.sees("warning: receiver: reports jamming"))
      let text = top.text
      #expect(!text.contains("[0;3") && !text.contains(";31m"))
    }
    let top = try TopUnderTest(kind: "xterm-256color")
    #expect(try top.sees("warning: receiver: reports jamming"))
    #expect(top.text.contains("\u{1B}[0;33m"))
  }

  @Test func aDumbTerminalGetsLines() throws {
    let top = try TopUnderTest(kind: "dumb")
    #expect(try top.prints("state "))
    let text = top.text
    #expect(!top.printed.contains(0x1B))
    #expect(text.contains("\nbinnacle top  board fix  20"))
    #expect(text.contains("\nfix      0.5 s old, accurate to 2.1 m"))
    #expect(text.contains("org.example.route: NO, may not use your location"))
    top.daemon?.addLog(ConsolePageTests.logged("10:20:00.000", "error", "receiver: gone"))
    #expect(
      try top.sees { _ in
        top.text
          .contains("log      10:20:00  error: receiver: gone\n")
      })
    #expect(try top.settings == top.settingsBefore)
    try top.type("q\n")
    #expect(try top.ending() == .exited(0))
  }

  @Test func aFileGetsLinesUntilTheCommandIsStopped() throws {
    let directory = try TemporaryDirectory()
    let daemon = try AnsweringDaemon(in: directory.path)
    TopBoard.prepare(daemon)
    let child = try ChildProcess(
      Programs.path("binnacle"), ["top", "--runtime", directory.path], input: .null, output: .pipe,
      errorOutput: .null)
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let isShown = try eventually {
      try daemon.work()
      if let count = try child.readOutput(into: &chunk) { output += chunk[..<count] }
      return String(decoding: output, as: UTF8.self).contains("org.example.tracker")
    }
    #expect(isShown)
    #expect(!output.contains(0x1B))
    #expect(try child.terminate() == .exited(0))
  }
}

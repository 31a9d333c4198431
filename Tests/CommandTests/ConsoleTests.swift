import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// `binnacle console` as a person uses it, on a pseudo-terminal.
@Suite(.timeLimit(.minutes(5)))
struct ConsoleTests {
  static let running: Report = {
    var report = Report()
    report.add(.servicesOn, true)
    report.add(.receiverState, "running")
    report.add(.powerState, "on")
    report.add(.fixAge, 0.5)
    return report
  }()

  static func prompt(_ app: String) -> Report {
    var row = Report()
    row.add(.rowID, app)
    row.add(.rowRequest, "when_in_use")
    row.add(
      .rowText, "\(app) would like to use your location while it is in use. \"Draws the route.\"")
    return row
  }

  private static func app(_ name: String) -> Report {
    var row = Report()
    row.add(.rowID, name)
    return row
  }

  private func start(_ words: [String] = [], kind: String = "vt102") throws -> ConsoleUnderTest {
    let console = try ConsoleUnderTest(words, kind: kind) { $0.report = Self.running }
    #expect(try console.seesPrompt("fix"))
    return console
  }

  /// A dumb terminal shows its first prompt until the next command.
  @Test func theFirstPromptWaitsForALateAnswer() throws {
    let console = try ConsoleUnderTest(kind: "dumb") { $0.report = Self.running }
    var poll = Poll()
    poll.set(console.terminal.descriptor, .reading)
    console.daemon?.beforeReport = { daemon in
      if daemon.reportCount == 0 { _ = try? poll.wait(until: Clock.now + .milliseconds(500)) }
    }
    #expect(try console.seesPrompt("fix"))
  }

  @Test func aCommandIsTypedAndThePromptReturns() throws {
    let console = try start()
    try console.type("version\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
    #expect(try console.seesPrompt("fix"))
    try console.type("exit\r")
    #expect(try console.child.wait(limit: .seconds(60)) == .exited(0))
  }

  @Test func aWrongCommandIsExplained() throws {
    let console = try start()
    try console.type("stauts\r")
    #expect(try console.sees("'stauts' is not a command; did you mean 'status'?"))
    try console.type("say 'x\r")
    #expect(try console.sees("a quotation mark has no end"))
    #expect(try console.seesPrompt())
  }

  @Test func tabCompletesCommandsOptionsAppsAndValues() throws {
    let console = try ConsoleUnderTest {
      $0.report = Self.running
      $0.apps = ["org.example.tracker", "org.other", "1000:/opt/two words"].map(Self.app)
    }
    #expect(try console.seesPrompt("fix"))
    try console.type("serv\t")
    #expect(try console.sees { $0.currentRow.hasSuffix("> services") })
    try console.type("of\t")
    #expect(try console.sees { $0.currentRow.hasSuffix("> services off") })
    try console.type("\u{15}watch --conf\t")
    #expect(try console.sees { $0.currentRow.hasSuffix("> watch --configuration") })
    try console.type("fit\t")
    #expect(try console.sees { $0.currentRow.hasSuffix("--configuration fitness") })
    try console.type("\u{15}allow org.\t")
    #expect(try console.sees("org.example.tracker  org.other"))
    try console.type("e\t")
    #expect(try console.sees { $0.currentRow.hasSuffix("> allow org.example.tracker") })
    try console.type("\u{15}deny 1\t")
    #expect(try console.sees("'1000:/opt/two words'"))
  }

  @Test func aQuestionMarkListsTheNextWordsAndTheLineStays() throws {
    let console = try start()
    try console.type("services ?")
    #expect(try console.sees("\n  off"))
    #expect(try console.sees { $0.currentRow.hasSuffix("> services") })
    try console.type("\u{15}?")
    #expect(try console.sees("\n  status "))
    #expect(console.daemon?.changes == [])
  }

  @Test func theLineIsEditedAndEarlierCommandsComeBack() throws {
    let console = try start()
    try console.type("versionn\u{8}\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
    try console.type("\u{1B}[A")
    #expect(try console.sees { $0.currentRow.hasSuffix("> version") })
    try console.type("\u{3}")
    #expect(try console.seesPrompt())
    try console.type(" prompts\r")
    #expect(try console.seesPrompt())
    try console.type("exit\r")
    #expect(try console.child.wait(limit: .seconds(60)) == .exited(0))
    let file = console.directory("home") + "/.local/state/binnacle/console-history"
    let kept = String(decoding: try Files.read(file), as: UTF8.self)
    #expect(kept == "version\nexit\n")
    #expect(try Files.status(of: file).mode & 0o777 == 0o600)
  }

  @Test(arguments: [
    ["watch --operator", "no location"], ["prompts --follow", ""],
  ]) func controlCReturnsToThePrompt(words: [String]) throws {
    let console = try ConsoleUnderTest {
      $0.report = Self.running
      $0.update = Update(fix: nil)
    }
    #expect(try console.seesPrompt("fix"))
    try console.type(words[0] + "\r")
    #expect(try console.sees { $0.text.contains(words[0] + "\n" + words[1]) })
    try console.type("\u{3}")
    #expect(try console.sees { $0.currentRow.hasSuffix("fix>") && $0.text.contains("^C\n") })
    try console.type("version\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
  }

  @Test func aRequestAppearsAtOnceAndIsAnsweredThere() throws {
    let console = try start()
    try console.type("wat")
    #expect(try console.sees { $0.currentRow.hasSuffix("> wat") })
    try console.daemon?.setPrompts([Self.prompt("org.example.route")])
    #expect(try console.seesSentence("\"Draws the route.\""))
    #expect(try console.sees("\n  allow org.example.route\n  deny org.example.route\n"))
    // The line that was being typed is there again, once.
    #expect(try console.sees { $0.currentRow.hasSuffix("> wat") })
    #expect(console.screen.rows.count { $0.hasSuffix("> wat") } == 1)
    try console.type("\u{15}allow org.example.route\r")
    #expect(try console.seesPrompt())
    let isAllowed = try eventually {
      try console.read()
      return console.daemon?.changes
        == [.consent(.allow(app: "org.example.route", nil, isReduced: nil))]
    }
    #expect(isAllowed)
  }

  @Test func aRequestAppearsWhileACommandRuns() throws {
    let console = try start()
    try console.type("watch\r")
    try console.daemon?.setPrompts([Self.prompt("org.example.route")])
    #expect(try console.sees("\n  allow org.example.route\n"))
    try console.type("\u{3}")
    #expect(try console.seesPrompt())
  }

  @Test func aLiveActivityIsOneLineAboveThePrompt() throws {
    let console = try start()
    for kilometers in 1...3 {
      console.daemon?.report.add(.activityApp("1"), "org.example.route")
      console.daemon?.report = Report(
        items: Self.running.items + [
          .init(name: ReportKey.activityApp("1").name, value: .text("org.example.route")),
          .init(name: ReportKey.activityText("1").name, value: .text("\(kilometers) km")),
        ])
      #expect(try console.sees("[org.example.route: \(kilometers) km]\n"))
    }
    #expect(console.screen.rows.count { $0.contains("org.example.route") } == 1)
  }

  @Test func aDumbTerminalGetsNoEscapeSequences() throws {
    let console = try start(kind: "dumb")
    try console.type("vers\t\u{15}services ?\u{15}versionx\u{8}\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
    try console.type("status\r")
    #expect(try console.seesPrompt("fix"))
    try console.daemon?.setPrompts([Self.prompt("org.example.route")])
    #expect(try console.sees("\n  deny org.example.route\n"))
    try console.type("\u{1B}[A\u{1B}[D\u{1B}[D\u{3}help\r")
    #expect(try console.sees("leave; Ctrl-D does the same"))
    #expect(console.screen.escapeCount == 0)
  }

  /// The editor goes up a row to the start of a line only if it takes the line for longer than a row.
  @Test func anotherWidthIsTakenOver() throws {
    let console = try ConsoleUnderTest {
      $0.report = Self.running
      $0.settings = [ConsolePageTests.setting("Board", "Name", "b", "drop-in", nil)]
    }
    #expect(try console.sees { $0.currentRow == "b fix>" })
    func goesUpARow() throws -> Bool {
      let before = console.printed.count
      var text: String { String(decoding: console.printed[before...], as: UTF8.self) }
      try console.type("allow org.example.a.very.long.name.of.an.app\u{1}\u{15}version\r")
      #expect(
        try console.sees { _ in
          text.contains("binnacle \(Release.version)")
            && console.screen.currentRow.hasSuffix("fix>")
        })
      return text.contains("\u{1B}[A")
    }
    #expect(try !goesUpARow())
    console.setWindow(columns: 40)
    kill(console.child)
    #expect(try goesUpARow())
  }

  @Test func anotherWidthDrawsTheLineOnce() throws {
    let console = try start()
    try console.type("wat")
    #expect(try console.sees { $0.currentRow.hasSuffix("fix> wat") })
    let before = console.printed.count
    console.setWindow(columns: 100)
    kill(console.child)
    #expect(try console.sees { _ in console.printed.count > before })
    #expect(try console.sees { $0.currentRow.hasSuffix("fix> wat") })
    #expect(console.screen.rows.count { $0.contains("wat") } == 1)
    #expect(console.screen.currentRow.ranges(of: "fix>").count == 1)
  }

  @Test func thePromptHasTheNameThatAnOperatorHasGivenTheBoard() throws {
    let console = try ConsoleUnderTest {
      $0.report = Self.running
      $0.settings = [
        ConsolePageTests.setting("Board", "Name", "Harbor mast", "drop-in", ("/etc/x.conf", 2))
      ]
    }
    #expect(try console.sees { $0.currentRow == "Harbor mast fix>" })
    #expect(try console.sees("on Harbor mast. 'help'"))
  }

  /// Tells the console of the new size, as the kernel does for a controlling terminal.
  private func kill(_ child: ChildProcess) { child.signal(.windowChanged) }

  @Test func withoutADaemonTheConsoleWaitsForOne() throws {
    let directory = try TemporaryDirectory()
    let console = try ConsoleUnderTest(hasDaemon: false, directory: directory)
    #expect(try console.seesSentence("waiting for it"))
    #expect(try console.seesPrompt("no-daemon"))
    try console.type("status\r")
    #expect(try console.seesSentence("'binnacle doctor' names the command that starts it"))
    let daemon = try AnsweringDaemon(in: directory.path)
    daemon.report = Self.running
    let isBack = try console.sees { screen in
      try? daemon.work()
      return screen.text.contains("the daemon is back") && screen.currentRow.hasSuffix("fix>")
    }
    #expect(isBack)
    daemon.hangUp()
    #expect(try console.seesSentence("the daemon has gone; waiting for it"))
  }

  @Test func aUserWithoutRightsIsAGuest() throws {
    let console = try ConsoleUnderTest { $0.refusesOperators = true }
    #expect(try console.seesPrompt("guest"))
    try console.type("status\r")
    #expect(try console.sees("the daemon refused: only root may do this"))
    #expect(try console.seesPrompt("guest"))
  }

  @Test func aHostileNameCannotControlTheTerminal() throws {
    let console = try start()
    let before = console.screen.escapeCount
    try console.daemon?.setPrompts([Self.prompt("org." + ForeignText.sample)])
    #expect(try console.seesSentence("\"Draws the route.\""))
    #expect(try console.seesPrompt())
    let text = String(decoding: console.printed, as: UTF8.self)
    #expect(!text.contains("\u{1B}[2J") && !text.contains("\u{9B}") && !text.contains("\u{202E}"))
    #expect(console.screen.unknown == [])
    #expect(console.screen.escapeCount >= before)
  }

  @Test func linesOfRandomBytesChangeNothing() throws {
    let console = try start()
    var random = Random(seed: 18)
    for _ in 0..<40 {
      let count = Int(random.next() % 120)
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // A line that begins with these letters is no command, whatever the editor makes of the rest.
      try console.type("\u{15}zz")
      try console.type(bytes.filter { ![1, 2, 4, 10, 13, 21, 23, 27].contains($0) } + [13])
    }
    try console.type("\u{3}\u{3}\u{15}version\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
    #expect(console.daemon?.changes == [])
    #expect(try console.child.wait(limit: .zero) == nil)
  }

  @Test func randomInputChangesNothingAndHangsNothing() throws {
    let console = try start()
    var random = Random(seed: 17)
    for _ in 0..<40 {
      let bytes = (0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Without Ctrl-D, which leaves an empty line, and without the ends of lines, which would run words.
      try console.type(bytes.filter { ![4, 10, 13].contains($0) })
    }
    try console.type([UInt8](repeating: 0, count: 300))
    try console.type([UInt8](repeating: UInt8(ascii: "x"), count: 20_000))
    try console.type("\u{3}\u{3}\u{15}version\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
    #expect(console.daemon?.changes == [])
    #expect(try console.child.wait(limit: .zero) == nil)
  }
}

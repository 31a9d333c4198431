import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import TestSupport
import Testing

/// Scripted sessions in tmux, with a shell that has job control.
@Suite(
  .timeLimit(.minutes(5)), .enabled(if: TmuxUnderTest.isInstalled, "'make deps' installs tmux"))
struct TmuxTests {
  @Test func theViewFillsTheScreenFollowsItsSizeAndLeavesNothingBehind() throws {
    let tmux = try TmuxUnderTest()
    let before = try tmux.settings()
    try tmux.enter("binnacle top")
    #expect(try tmux.seesView())
    #expect(try tmux.sees("org.example.route: NO, may not use your location"))
    try tmux.resize(columns: 100, rows: 30)
    #expect(try tmux.sees { $0.count == 30 && $0[29].hasPrefix("q quits") })
    #expect(try tmux.sees("change: binnacle allow org.example.route"))
    try tmux.resize(columns: 50, rows: 10)
    #expect(try tmux.sees { $0.count == 10 && $0[9].hasPrefix("q quits") })
    try tmux.type("q")
    #expect(try tmux.seesPrompt())
    #expect(try tmux.settings() == before)
  }

  /// dash, unlike bash, gives a stopped program's terminal back as the program has left it.
  @Test(arguments: ["bash --norc --noprofile -i", "dash -i"])
  func controlZSuspendsAndTheShellContinues(_ shell: String) throws {
    let tmux = try TmuxUnderTest(shell: shell)
    let before = try tmux.settings()
    try tmux.enter("binnacle top")
    #expect(try tmux.seesView())
    try tmux.type("", key: "C-z")
    #expect(try tmux.sees { $0.contains { $0.contains("Stopped") } })
    #expect(try tmux.settings() == before)
    try tmux.enter("fg")
    #expect(try tmux.seesView())
    // A stop from outside, which no program can catch.
    try tmux.signal(SIGSTOP)
    #expect(try tmux.sees { $0.contains { $0.contains("Stopped") } })
    try tmux.enter("clear; fg")
    #expect(try tmux.seesView())
    try tmux.type("", key: "C-c")
    #expect(try tmux.seesPrompt())
    #expect(try tmux.settings() == before)
  }

  /// The shell sends no signal when it puts a job in the foreground that already runs.
  @Test func aViewThatRunsInTheBackgroundLeavesTheTerminalToTheShell() throws {
    let tmux = try TmuxUnderTest()
    let before = try tmux.settings()
    try tmux.enter("binnacle top")
    #expect(try tmux.seesView())
    try tmux.type("", key: "C-z")
    #expect(try tmux.sees { $0.contains { $0.contains("Stopped") } })
    let program = try #require(try tmux.command())
    try tmux.enter("clear; kill -CONT %1; echo goes on")
    #expect(try tmux.sees { $0.contains("goes on") && $0.last { !$0.isEmpty } == "READY>" })
    #expect(try tmux.settings() == before)
    #expect(try tmux.state(of: program) != "T")
    try tmux.enter("clear; fg")
    #expect(try tmux.seesView())
    try tmux.type("", key: "C-z")
    #expect(try tmux.sees { $0.contains { $0.contains("Stopped") } })
    try tmux.enter("clear; kill %1; kill -CONT %1; wait; echo has ended")
    #expect(try tmux.sees { $0.contains { $0.contains("has ended") } })
    #expect(try tmux.settings() == before)
  }

  @Test func theShellGetsItsTerminalBackFromAViewThatIsStopped() throws {
    let tmux = try TmuxUnderTest()
    let before = try tmux.settings()
    try tmux.enter("binnacle top")
    #expect(try tmux.seesView())
    try tmux.signal(SIGTERM)
    #expect(try tmux.seesPrompt())
    #expect(try tmux.settings() == before)
  }

  @Test func aDumbTerminalGetsTheViewAsLines() throws {
    let tmux = try TmuxUnderTest(kind: "dumb")
    try tmux.enter("binnacle top")
    #expect(try tmux.sees("fix      0.5 s old, accurate to 2.1 m"))
    try tmux.type("", key: "C-c")
    // The terminal shows the key as ^C.
    #expect(try tmux.sees { $0.last { !$0.isEmpty }?.hasSuffix("READY>") == true })
  }

  // MARK: The console

  private func startConsole(_ tmux: TmuxUnderTest, _ words: String = "") throws {
    try tmux.enter("binnacle console\(words)")
    #expect(try tmux.sees { $0.last { !$0.isEmpty }?.hasSuffix("fix>") == true })
  }

  @Test func aConsoleCompletesEditsAndAnswers() throws {
    let tmux = try TmuxUnderTest()
    try startConsole(tmux)
    try tmux.type("serv\tof\t")
    #expect(try tmux.sees { $0.last { !$0.isEmpty }?.hasSuffix("fix> services off") == true })
    try tmux.type("", key: "C-u")
    try tmux.type("versionn", key: "BSpace")
    try tmux.type("", key: "Enter")
    #expect(try tmux.sees("\nbinnacle \(Release.version)\n"))
    try tmux.type("", key: "Up")
    #expect(try tmux.sees { $0.last { !$0.isEmpty }?.hasSuffix("fix> version") == true })
    try tmux.type("", key: "C-c")
    try tmux.type("top", key: "Enter")
    #expect(try tmux.seesView())
    try tmux.type("q")
    #expect(try tmux.sees { $0.last { !$0.isEmpty }?.hasSuffix("fix>") == true })
    try tmux.enter("exit")
    #expect(try tmux.seesPrompt())
  }

  /// The editor wraps a long line at the width that it knows: only with the new width the whole line stands in one row.
  @Test func aConsoleTakesOverAnotherWidth() throws {
    let tmux = try TmuxUnderTest(columns: 40)
    try startConsole(tmux)
    let long = "allow org.example.a.very.long.name.of.an.app"
    try tmux.type(long)
    #expect(try tmux.sees("of.an.app"))
    #expect(try !tmux.rows().contains { $0.hasSuffix(long) })
    try tmux.type("", key: "C-u")
    try tmux.resize(columns: 120, rows: 24)
    try tmux.type(long)
    #expect(try tmux.sees { $0.contains { $0.hasSuffix("fix> " + long) } })
    // The editor knows where the row ends: it goes back to the start of the row and changes a letter there.
    try tmux.type("", key: "C-a")
    try tmux.type("x")
    #expect(try tmux.sees { $0.contains { $0.hasSuffix("fix> x" + long) } })
  }

  @Test func aConsoleOnADumbTerminalWorksWithoutEscapeSequences() throws {
    let tmux = try TmuxUnderTest(kind: "dumb")
    try startConsole(tmux)
    try tmux.type("vers\t", key: "Enter")
    #expect(try tmux.sees("\nbinnacle \(Release.version)\n"))
    try tmux.enter("top")
    #expect(try tmux.sees("fix      0.5 s old, accurate to 2.1 m"))
    try tmux.type("", key: "C-c")
    #expect(try tmux.sees { $0.last { !$0.isEmpty }?.hasSuffix("fix>") == true })
  }

  @Test func aConsoleOf9600BaudPacesItsOutput() throws {
    let tmux = try TmuxUnderTest(rows: 60)
    try startConsole(tmux, " --speed 9600")
    try tmux.enter("clear; help")
    #expect(try tmux.sees { $0.contains { $0.hasPrefix("binnacle: look at") } || $0.count > 5 })
    let start = Clock.now
    try tmux.enter("help --all")
    // 60 rows of text are about 3 kB, for which such a line takes three seconds.
    #expect(
      try tmux.sees { rows in
        !rows.contains { $0.contains("Exit status") } && rows.count { !$0.isEmpty } > 55
      })
    #expect((Clock.now - start).seconds > 1)
    try tmux.type("", key: "C-c")
    #expect(try tmux.sees { $0.last { !$0.isEmpty }?.hasSuffix("fix>") == true })
  }
}

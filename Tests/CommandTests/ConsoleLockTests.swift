import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// `unlock` and `lock` at a console with a real daemon.
@Suite(.timeLimit(.minutes(5)))
struct ConsoleLockTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Files.makePrivateDirectory(directory("etc"))
  }

  private func daemon(_ arguments: [String] = []) throws -> RunningDaemon {
    try RunningDaemon(
      receiver: directory("none"), directory: directory,
      arguments: ["--config", directory("etc")] + arguments)
  }

  /// Sets a PIN as a person at a terminal; returns what the terminal shows.
  private func setPIN(_ lines: String...) throws -> (ending: ChildProcess.Ending?, shown: String) {
    let terminal = try PseudoTerminal()
    let far = try FileDescriptor.open(terminal.farEndName, 0o400 | 2)
    let child = try ChildProcess(
      Programs.path("binnacle"), ["console", "--set-pin", "--config", directory("etc")],
      input: .descriptor(far.number), output: .descriptor(far.number),
      errorOutput: .descriptor(far.number))
    var shown: [UInt8] = []
    func read() throws {
      var chunk = [UInt8](repeating: 0, count: 4_096)
      while let count = try terminal.read(into: &chunk), count > 0 { shown += chunk[..<count] }
    }
    for (index, line) in lines.enumerated() {
      // Keys before a question are discarded.
      let isAsked = try eventually {
        try read()
        return String(decoding: shown, as: UTF8.self).components(of: "PIN") > index
      }
      #expect(isAsked)
      _ = try terminal.write(Array((line + "\n").utf8)[...])
    }
    let ending = try child.wait(limit: .seconds(60))
    try read()
    return (ending, String(decoding: shown, as: UTF8.self))
  }

  private func console(_ daemon: RunningDaemon) throws -> ConsoleUnderTest {
    let console = try ConsoleUnderTest(
      ["--locked"], hasDaemon: false, directory: directory, runtime: daemon.runtimeDirectory)
    #expect(try isLocked(console))
    return console
  }

  /// Waits for a prompt without the word `unlocked`.
  private func isLocked(_ console: ConsoleUnderTest) throws -> Bool {
    try console.sees {
      $0.currentRow.hasSuffix(">") && !$0.currentRow.contains("unlocked")
        && !$0.currentRow.contains("no-daemon")
    }
  }

  private func servicesAre(_ word: String, _ daemon: RunningDaemon) throws -> Bool {
    let child = try ChildProcess(
      Programs.path("binnacle"), ["services", "--runtime", daemon.runtimeDirectory], output: .pipe,
      errorOutput: .pipe)
    return try child.finish().output == "location services: \(word)\n"
  }

  @Test func aConsoleOnlyLooksUntilAPINUnlocksIt() throws {
    let pin = try setPIN("483920", "483920")
    #expect(pin.ending == .exited(0))
    #expect(!pin.shown.contains("483920"))
    #expect(try Files.status(of: directory("etc/console-pin")).mode == 0o600)
    let daemon = try daemon()
    let console = try console(daemon)
    // The help names the way out of the lock.
    try console.type("help\r")
    #expect(try console.sees("let this console change things"))
    // It looks, and changes nothing.
    try console.type("apps\r")
    #expect(try console.sees("no apps"))
    try console.type("services off\r")
    #expect(try console.seesSentence("this console is locked; 'unlock' lets it"))
    #expect(try servicesAre("on", daemon))
    // A wrong PIN, and a right one in the pause.
    try console.type("unlock\r")
    #expect(try console.sees { $0.currentRow.hasSuffix("PIN:") })
    try console.type("483921\r")
    #expect(try console.seesSentence("wrong PIN; the next one may be tried in 1 s"))
    let isUnlocked = try eventually {
      try console.type("unlock\r")
      #expect(try console.sees { $0.currentRow.hasSuffix("PIN:") })
      try console.type("483920\r")
      #expect(try console.sees { $0.currentRow.hasSuffix(">") })
      return console.screen.currentRow.hasSuffix("unlocked>")
    }
    #expect(isUnlocked)
    try console.type("services off\r")
    #expect(try eventually { try servicesAre("off", daemon) })
    // A person learns that it is done; a script has the status.
    #expect(try console.sees("location services: off"))
    try console.type("\rlock\r")
    #expect(try console.seesSentence("this console is locked again"))
    try console.type("services on\r")
    #expect(
      try eventually {
        try console.read()
        return console.screen.text.components(of: "this console is locked; 'unlock'") >= 1
      })
    #expect(try servicesAre("off", daemon))
    // No PIN anywhere.
    try console.type("exit\r")
    _ = try console.child.wait(limit: .seconds(60))
    let text = String(decoding: console.printed, as: UTF8.self)
    #expect(!text.contains("483920") && !text.contains("483921"))
    let history = try Files.read(directory("home") + "/.local/state/binnacle/console-history")
    #expect(!String(decoding: history, as: UTF8.self).contains("4839"))
    #expect(!daemon.logText.contains("483920") && !daemon.logText.contains("483921"))
    #expect(try daemon.says("a wrong PIN from 'binnacle console'"))
  }

  @Test func aCommandThatStillRunsEndsWithTheLock() throws {
    _ = try setPIN("483920", "483920")
    try Files.makePrivateDirectory(directory("etc/boards"))
    try Files.writeAtomically(
      Array("[Console]\nUnlockFor=10 s\n".utf8), to: directory("etc/boards/short.conf"))
    let daemon = try daemon(["--board", "short"])
    let console = try console(daemon)
    try console.type("unlock 483920\r")
    #expect(try console.seesPrompt("unlocked"))
    // An operator's command, and a view that goes on.
    try console.type("log -f\r")
    #expect(try console.seesSentence("is unlocked for 10 s"))
    #expect(try console.seesSentence("the daemon refused: this console is locked again"))
    #expect(try isLocked(console))
  }

  @Test func withoutAPINNoConsoleIsUnlocked() throws {
    let daemon = try daemon()
    let console = try console(daemon)
    try console.type("help unlock\r")
    #expect(try console.seesSentence("unlock: this board has no PIN; root sets a PIN by"))
    try console.type("unlock 483920\r")
    #expect(
      try console.seesSentence(
        "this board has no PIN; root sets a PIN by: binnacle console --set-pin"))
    #expect(try isLocked(console))
  }

  @Test func aPersonAtTheBoardUnlocksOneConsoleWithoutAPIN() throws {
    try Files.makePrivateDirectory(directory("etc/boards"))
    try Files.writeAtomically(
      Array("[Board]\nGPIO=sim:board.sock\n[Button HOME]\nLine=GPIO5\n".utf8),
      to: directory("etc/boards/cabin.conf"))
    try Files.makePrivateDirectory(directory("runtime"))
    let board = try RunningBoard(path: directory("runtime/board.sock"))
    let daemon = try daemon(["--board", "cabin"])
    let console = try console(daemon)
    try console.type("unlock\r")
    #expect(
      try console.seesSentence("press HOME twice at the board, then type 'unlock' within 30 s"))
    #expect(try isLocked(console))
    // On a busy machine two presses may be too far apart.
    let isPresent = try eventually(within: .seconds(120)) {
      _ = try ChildProcess.run(
        Programs.path("binnacle"),
        ["press", "HOME", "double", "--runtime", daemon.runtimeDirectory]
      )
      return try daemon.says("may be unlocked without a PIN for 30 s", within: .seconds(3))
    }
    try #require(isPresent)
    try console.type("unlock\r")
    #expect(try console.seesPrompt("unlocked"))
    try console.type("services off\r")
    #expect(try eventually { try servicesAre("off", daemon) })
    try console.type("lock\r")
    #expect(try isLocked(console))
    try console.type("unlock\r")
    #expect(
      try eventually {
        try console.read()
        return console.screen.text.components(of: "press HOME twice") >= 2
      })
    try console.type("audit\r")
    #expect(try console.sees("console_presence"))
    withExtendedLifetime(board) {}
  }

  @Test func unlockAndLockAreOfferedWhereTheyCanHaveAnEffect() throws {
    let daemon = try daemon()
    let without = try console(daemon)
    try without.type("?")
    #expect(try without.sees("leave; Ctrl-D does the same"))
    #expect(!without.screen.text.contains("let this console change things"))
    try without.type("exit\r")
    _ = try without.child.wait(limit: .seconds(60))
    _ = try setPIN("483920", "483920")
    let with = try console(daemon)
    try with.type("?")
    #expect(try with.sees("let this console change things"))
    #expect(with.screen.text.contains("take the rights of 'unlock' away again"))
    try with.type("help unlock\r")
    #expect(try with.seesSentence("let this console change things; type 'unlock', and then"))
    try with.type("unl\t")
    #expect(try with.sees { $0.currentRow.hasSuffix("> unlock") })
    try with.type("\u{15}lo\t\t")
    #expect(try with.sees { $0.text.contains("log   lock") })
  }

  @Test func aConsoleOfAnOperatorHasNoLock() throws {
    let daemon = try daemon()
    let console = try ConsoleUnderTest(
      hasDaemon: false, directory: directory, runtime: daemon.runtimeDirectory)
    #expect(try isLocked(console))
    try console.type("unlock\r")
    #expect(try console.seesSentence("has all rights of its user, so it has no lock"))
  }

  @Test func aScriptGivesThePINAsALineOfStandardInput() throws {
    func set(_ input: String) throws -> ChildProcess.Outcome {
      try ChildProcess.run(
        Programs.path("binnacle"), ["console", "--set-pin", "--config", directory("etc")],
        input: Array(input.utf8), limit: .seconds(60))
    }
    for (input, sentence) in [
      ("", "no PIN was read; nothing is changed"), ("48392\n", "a PIN has 6 to 64 characters"),
      ("48 3920\n", "without blanks"), ("444444\n", "at least three different characters"),
    ] {
      let refused = try set(input)
      #expect(refused.ending == .exited(64) && refused.errorText.contains(sentence))
      #expect(!Files.exists(directory("etc/console-pin")))
    }
    let outcome = try set("483920\n")
    #expect(outcome.ending == .exited(0) && !outcome.text.contains("483920"))
    #expect(try Files.status(of: directory("etc/console-pin")).mode == 0o600)
    let daemon = try daemon()
    let console = try console(daemon)
    try console.type("unlock 483920\r")
    #expect(try console.seesPrompt("unlocked"))
  }

  @Test func aPINThatIsRepeatedDifferentlyIsNotSet() throws {
    let outcome = try setPIN("483920", "483921")
    #expect(outcome.ending == .exited(64))
    #expect(outcome.shown.contains("the two PINs differ"))
    #expect(!Files.exists(directory("etc/console-pin")))
    #expect(try setPIN("48392").ending == .exited(64))
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}

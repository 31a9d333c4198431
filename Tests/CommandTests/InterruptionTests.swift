import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// Commands that a signal interrupts before the daemon answers.
@Suite(.timeLimit(.minutes(5)))
struct InterruptionTests {
  /// The outcome of a command that is interrupted after its request.
  private func interrupted(
    _ words: [String], beside daemon: ScriptedDaemon, by signal: Signals.Signal = .interrupt
  ) throws -> (status: ChildProcess.Ending?, output: String, complaint: String) {
    let child = try daemon.start(words)
    try daemon.welcome(version: WireLimits.versionMax)
    guard case .request = try daemon.hear() else {
      Issue.record("no request")
      return try child.finish()
    }
    child.signal(signal)
    return try child.finish()
  }

  @Test(arguments: [
    ["allow", "org.example.a"], ["deny", "org.example.a"], ["services", "off"],
    ["state", "erase", "all"], ["quit", "org.example.a"], ["status"], ["state", "show"],
  ])
  func anInterruptedRequestIsNoSuccess(_ words: [String]) throws {
    let outcome = try interrupted(words, beside: ScriptedDaemon())
    #expect(outcome.status == .exited(ExitStatus.interrupted.rawValue))
    #expect(outcome.output == "")
  }

  @Test func aTerminatedRequestIsNoSuccess() throws {
    let outcome = try interrupted(["services", "off"], beside: ScriptedDaemon(), by: .terminate)
    #expect(outcome.status == .exited(ExitStatus.interrupted.rawValue))
  }

  @Test(arguments: ["sky", "day"]) func anInterruptedCommandDoesNotBlameTheDaemon(
    _ verb: String
  ) throws {
    let outcome = try interrupted([verb], beside: ScriptedDaemon())
    #expect(outcome.status == .exited(ExitStatus.interrupted.rawValue))
    #expect(outcome.output == "" && outcome.complaint == "binnacle: \(verb): interrupted\n")
  }

  @Test func anInterruptedBackupHasNoFileAndNoSuccess() throws {
    let daemon = try ScriptedDaemon()
    let file = daemon.directory("backup")
    let outcome = try interrupted(["state", "backup", file], beside: daemon)
    #expect(outcome.status == .exited(ExitStatus.interrupted.rawValue))
    #expect(!Files.exists(file))
  }

  @Test func anInterruptedReportLeavesTheOlderPage() throws {
    let daemon = try ScriptedDaemon()
    let page = daemon.directory("page.html")
    try Files.writeAtomically(Array("older".utf8), to: page)
    let outcome = try interrupted(["report", "--html", page], beside: daemon)
    #expect(outcome.status == .exited(ExitStatus.interrupted.rawValue))
    #expect(outcome.complaint == "binnacle: report: interrupted\n")
    #expect(try Files.read(page) == Array("older".utf8))
  }

  @Test func aPressThatIsInterruptedBeforeItBeginsIsNoSuccess() throws {
    let outcome = try interrupted(["press", "ALLOW", "long"], beside: ScriptedDaemon())
    #expect(outcome.status == .exited(ExitStatus.interrupted.rawValue))
  }
}

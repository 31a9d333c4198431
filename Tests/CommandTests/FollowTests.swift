import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// The commands that follow the daemon, beside a daemon that stops and comes back.
@Suite(.timeLimit(.minutes(5)))
struct FollowTests {
  /// Greets the command, which then asks for all changes, or for the report.
  private func isAskedAgain(_ daemon: ScriptedDaemon) throws -> Bool {
    try daemon.welcome(version: WireLimits.versionMax)
    return switch try daemon.hear() {
    case .request(_, .consent(.watchPrompts)), .request(_, .log(_, isFollowed: true)),
      .request(_, .status):
      true
    case _: false
    }
  }

  @Test(arguments: [["prompts", "--follow"], ["log", "--follow"], ["motion"]])
  func theNextDaemonIsAskedAfterAnOrderlyStop(_ words: [String]) throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(words)
    #expect(try isAskedAgain(daemon))
    try daemon.say(.refused(.init(.stopping, "the daemon stops"), isFinal: true))
    daemon.hangUp()
    #expect(try isAskedAgain(daemon))
    #expect(try child.terminate() == .exited(0))
    #expect(try child.finish().complaint == "binnacle: the daemon stops; waiting for it\n")
  }

  @Test(arguments: [["prompts", "--follow"], ["motion"]])
  func anAbsenceIsReportedOnce(_ words: [String]) throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(words)
    #expect(try isAskedAgain(daemon))
    daemon.hangUp()
    // The kernel takes connections for a daemon that a signal has stopped, and no greeting is answered.
    for _ in 1...2 {
      _ = try daemon.greeting()
      daemon.hangUp()
    }
    #expect(try isAskedAgain(daemon))
    #expect(try child.terminate() == .exited(0))
    #expect(try child.finish().complaint == "binnacle: the daemon has gone; waiting for it\n")
  }

  @Test(.enabled(if: Sweep.isWanted), arguments: [["log", "--follow"], ["motion"]])
  func aDaemonThatDoesNotAnswerTheFirstGreetingEndsTheCommand(_ words: [String]) throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(words)
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(69))
    #expect(complaint == "binnacle: \(daemon.socketPath): the daemon does not answer\n")
  }

  @Test(.enabled(if: Sweep.isWanted)) func motionEndsIfTheDaemonNoLongerAnswers() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["motion"])
    #expect(try isAskedAgain(daemon))
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(69))
    #expect(complaint == "binnacle: \(daemon.socketPath): the daemon does not answer\n")
  }
}

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Glibc
import TestSupport
import Testing

/// Commands beside programs that connect to the daemon and hang up without a pause.
struct FullQueueTests {
  @Test func aCommandWaitsForRoomInTheQueueOfTheDaemon() throws {
    let daemon = try ScriptedDaemon()
    try ConnectionQueue.fill(at: daemon.socketPath)
    let child = try daemon.start(["services", "off"])
    let early = try child.wait(limit: .milliseconds(500))
    try #require(early == nil)
    try daemon.welcomeBehindClosedConnections()
    var number: UInt32?
    if case .request(let request, .setServices(isOn: false)) = try daemon.hear() {
      number = request
    }
    try daemon.say(.answered(request: try #require(number), nil))
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(0) && complaint == "")
  }

  @Test(.enabled(if: Sweep.isWanted))
  func aQueueThatStaysFullIsNoAbsenceOfTheDaemon() throws {
    let daemon = try ScriptedDaemon()
    try ConnectionQueue.fill(at: daemon.socketPath)
    let commands = [
      ["services", "off"], ["motion"], ["log", "--follow"], ["state", "show"], ["doctor"],
    ]
    let children = try commands.map { words -> ChildProcess in try daemon.start(words) }
    for (words, child) in zip(commands, children) {
      let outcome = try child.finish()
      let isDoctor = words == ["doctor"]
      #expect(outcome.status == .exited(isDoctor ? 1 : 69), "\(words)")
      let text = isDoctor ? outcome.output : outcome.complaint
      #expect(text.contains("the daemon's queue of connections was full for 5 s"), "\(text)")
      #expect(!text.contains("no daemon"), "\(text)")
    }
  }

  @Test func programsThatConnectInALoopKeepNoCommandOfAnOperatorOut() throws {
    let directory = try TemporaryDirectory()
    // Programs of another user reach the socket in it.
    try #require(chmod(directory.path, 0o755) == 0)
    let daemon = try RunningDaemon(receiver: "/dev/binnacle-none", directory: directory)
    let userID: UInt32? = Environment.userID == 0 ? 65_534 : nil
    let loops = try (0..<3).map { _ -> ConnectionLoop in
      try ConnectionLoop(at: daemon.socketPath, userID: userID)
    }
    if let userID {
      #expect(try daemon.says("clients: user \(userID) was refused: "))
    }
    for number in 0..<10 {
      let words = ["services", number % 2 == 0 ? "off" : "on"]
      let outcome = try ChildProcess.run(
        Programs.path("binnacle"), words + ["--runtime", daemon.runtimeDirectory],
        limit: .seconds(60))
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    }
    for loop in loops { #expect(try loop.isRunning()) }
  }
}

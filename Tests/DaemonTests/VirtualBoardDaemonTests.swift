import Basics
import Model
import Posix
import TestSupport
import Testing
import VirtualWire

/// The built daemon on a virtual board: buttons, lights, and a board that comes and goes.
@Suite(.serialized)
struct VirtualBoardDaemonTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Files.makePrivateDirectory(directory("runtime"), mode: 0o700, withParents: true)
  }

  private var socketPath: String { directory("runtime/board.sock") }

  private func startDaemon() throws -> RunningDaemon {
    try RunningDaemon(
      receiver: directory("receiver"), directory: directory,
      arguments: ["--board", TestData.packageRoot + "/boards/virtual.conf"])
  }

  private func startClient(_ daemon: RunningDaemon) throws -> RawClient {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    return client
  }

  private func press(_ words: String...) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle"), ["press"] + words + ["--runtime", directory("runtime")])
  }

  @Test func aPressedButtonIsAGesture() throws {
    let board = try RunningBoard(path: socketPath)
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try press("HOME").ending == .exited(0))
    #expect(try daemon.says("button HOME: short press"))
    #expect(try press("HOME", "double").ending == .exited(0))
    #expect(try daemon.says("button HOME: double press"))
    #expect(try press("ALLOW", "long").ending == .exited(0))
    #expect(try daemon.says("button ALLOW: long press"))
    #expect(try press("ALLOW", "1200").ending == .exited(0))
    #expect(try daemon.says("neither short nor long: ignored"))
    let report = try #require(try client.status())
    #expect(report["buttons.HOME.short"] == .integer(1))
    #expect(report["buttons.HOME.double"] == .integer(1))
    #expect(report["buttons.ALLOW.long"] == .integer(1))
    #expect(report["buttons.ALLOW.last_gesture"] == .text("long"))
    #expect(report["buttons.HOME.line"] == .text("GPIO5 on sim:\(socketPath)"))
    let wrong = try press("HUME")
    #expect(wrong.ending == .exited(69))
    #expect(wrong.errorText.contains("there are HOME, ALLOW"))
    #expect(try press("HOME", "quick").ending == .exited(64))
    _ = board
  }

  @Test func theStatusLightFollowsTheReceiver() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(
      try eventually(within: .seconds(40)) {
        try client.status()?["status_light.pattern"] == .text("solid: fix")
      })
    #expect(try eventually { try control.level("GPIO24")?.isHigh == true })
    #expect(try control.level("GPIO24")?.consumer == "binnacle status light")
    #expect(try control.level("GPIO23")?.isHigh == false)
    #expect(try control.level("GPIO23")?.use == .output)
    try receiver.unplug()
    #expect(try eventually(within: .seconds(40)) { try control.level("GPIO24")?.isHigh == false })
    _ = board
  }

  @Test func aLampThatDoesNotDoAsItIsToldIsReported() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    try control.ask(.stick(line: "GPIO23", .high))
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try daemon.says("indicator: told to be off and reads back on"))
    #expect(try daemon.says("indicator's sense: the lamp is lit and ought to be dark"))
    #expect(try client.status()?["indicator.is_faulty"] == .flag(true))
    #expect(try client.status()?["status_light.pattern"] == .text("fast blink: fault"))
    try control.ask(.stick(line: "GPIO23", .nothing))
    #expect(try daemon.says("indicator: reads back as it was told again"))
    #expect(
      try eventually {
        try client.status()?["status_light.pattern"] == .text("off: no receiver")
      })
    _ = board
  }

  @Test func aLineThatIsStolenIsReportedAndHadLater() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    try control.ask(.steal(line: "GPIO5", consumer: "led0"))
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try daemon.says("GPIO5 is held by 'led0'"))
    #expect(try client.status()?["buttons.HOME.fault"] != nil)
    #expect(try client.status()?["buttons.ALLOW.fault"] == nil)
    try control.ask(.steal(line: "GPIO5", consumer: ""))
    #expect(try daemon.says("button HOME: the line is there now"))
    #expect(try press("HOME").ending == .exited(0))
    #expect(try daemon.says("button HOME: short press"))
    _ = board
  }

  @Test func aChipThatIsUnpluggedComesBack() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try eventually { try control.level("GPIO6")?.use == .input })
    try control.ask(.plugLines(isPlugged: false))
    #expect(try daemon.says("button HOME: not watched, tried again later"))
    try control.ask(.plugLines(isPlugged: true))
    #expect(try daemon.says("button HOME: the line is there now"))
    #expect(try client.status()?["buttons.HOME.losses"] == .integer(1))
    _ = board
  }

  @Test func aDaemonWithoutItsBoardGoesOnAndDoesNotSpin() throws {
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try daemon.says("no board listens there"))
    let before = try turns(client)
    _ = try eventually(within: .seconds(1)) { false }
    #expect(try turns(client) - before < 60)
    let board = try RunningBoard(path: socketPath)
    #expect(try daemon.says("button HOME: the line is there now", within: .seconds(40)))
    _ = board
  }

  @Test func aDarkBoardCostsNoWakeUps() throws {
    let board = try RunningBoard(path: socketPath)
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try eventually { try client.status()?["buttons.ALLOW.line_state"] == .text("claimed") })
    // The missing receiver is looked for now and then; nothing else happens.
    let before = try turns(client)
    _ = try eventually(within: .seconds(3)) { false }
    #expect(try turns(client) - before < 30)
    _ = board
  }

  @Test func whatIsHeldWhenTheDaemonStartsCountsAfterARelease() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    try control.ask(.press(part: "HOME", isPressed: true))
    let daemon = try startDaemon()
    #expect(try daemon.says("button HOME: pressed already, counts after it was let go once"))
    _ = try eventually(within: .milliseconds(2_300)) { false }
    try control.ask(.press(part: "HOME", isPressed: false))
    _ = try eventually(within: .milliseconds(500)) { false }
    #expect(!daemon.logText.contains("HOME: long") && !daemon.logText.contains("HOME: short"))
    #expect(try press("HOME").ending == .exited(0))
    #expect(try daemon.says("button HOME: short press"))
    _ = board
  }

  private func turns(_ client: RawClient) throws -> Int64 {
    guard case .integer(let turns) = try client.status()?["daemon.turns"] else { return -1 }
    return turns
  }
}

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
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

  private func startDaemon(
    board: String = TestData.packageRoot + "/boards/virtual.conf"
  ) throws -> RunningDaemon {
    try RunningDaemon(
      receiver: directory("receiver"), directory: directory, arguments: ["--board", board])
  }

  private func startClient(_ daemon: RunningDaemon) throws -> RawClient {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    return client
  }

  @Test func everyValueOfTheReportIsInTheCatalogWithItsType() throws {
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    let report = try #require(try client.status())
    #expect(report.items.count > 60)
    for item in report.items {
      let typeName =
        switch item.value {
        case .text: "text"
        case .integer: "integer"
        case .number: "number"
        case .flag: "boolean"
        }
      let entry = ReportCatalog.entry(of: item.name)
      #expect(entry?.typeName == typeName, "\(item.name)")
    }
  }

  private func press(_ words: String...) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle"), ["press"] + words + ["--runtime", directory("runtime")])
  }

  /// Presses until it counts as meant, once: on a machine that is busy a press may last longer than it should.
  private func press(_ button: String, _ kind: String, as gesture: String, of client: RawClient)
    throws
  {
    let before = try counts(of: button, client)
    var after = before
    for _ in 0..<20 where after[gesture] == before[gesture] {
      let last = after
      #expect(try press(button, kind).ending == .exited(0))
      let isCounted = try eventually {
        after = try counts(of: button, client)
        return after != last
      }
      try #require(isCounted)
    }
    #expect(after[gesture] == (before[gesture] ?? -1) + 1, "\(button): \(gesture)")
  }

  private func counts(of button: String, _ client: RawClient) throws -> [String: Int64] {
    let report = try #require(try client.status())
    var counts: [String: Int64] = [:]
    for gesture in ["short", "long", "double", "ignored"] {
      guard case .integer(let count) = report["buttons.\(button).\(gesture)"] else { continue }
      counts[gesture] = count
    }
    return counts
  }

  @Test func aLongPressLastsAsLongAsTheProfileWants() throws {
    let file = directory("slow.conf")
    let virtual = try Files.read(TestData.packageRoot + "/boards/virtual.conf")
    try Files.writeAtomically(virtual + Array("\n[Buttons]\nLongPress=3200 ms\n".utf8), to: file)
    let board = try RunningBoard(path: socketPath)
    let daemon = try startDaemon(board: file)
    let client = try startClient(daemon)
    try press("HOME", "long", as: "long", of: client)
    withExtendedLifetime((board, daemon)) {}
  }

  @Test func theVirtualBoardsAccelerometerIsRead() throws {
    let board = try RunningBoard(path: socketPath)
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    let isRead = try eventually {
      try client.status()?["accelerometer.state"] == .text("working")
        && client.status()?["accelerometer.chip"] == .text("LIS3DH")
    }
    #expect(isRead)
    withExtendedLifetime((board, daemon)) {}
  }

  @Test func aPressedButtonIsAGesture() throws {
    let board = try RunningBoard(path: socketPath)
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    try press("HOME", "short", as: "short", of: client)
    #expect(try daemon.says("button HOME: short press"))
    try press("HOME", "double", as: "double", of: client)
    #expect(try daemon.says("button HOME: double press"))
    try press("ALLOW", "1200", as: "ignored", of: client)
    #expect(try daemon.says("neither short nor long: ignored"))
    try press("ALLOW", "long", as: "long", of: client)
    #expect(try daemon.says("button ALLOW: long press"))
    let report = try #require(try client.status())
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
      try eventually(within: .seconds(120)) {
        try client.status()?["status_light.pattern"] == .text("solid: fix")
      })
    #expect(try eventually { try control.level("GPIO24")?.isHigh == true })
    #expect(try control.level("GPIO24")?.consumer == "binnacle status light")
    #expect(try control.level("GPIO23")?.isHigh == false)
    #expect(try control.level("GPIO23")?.use == .output)
    try receiver.unplug()
    #expect(try eventually(within: .seconds(120)) { try control.level("GPIO24")?.isHigh == false })
    _ = board
  }

  @Test func aLampThatDoesNotFollowItsOrderIsReported() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    try control.ask(.stick(line: "GPIO23", .high))
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try daemon.says("indicator: set to off, but reads back on"))
    #expect(try daemon.says("indicator's sense: the lamp is lit, but must be dark"))
    #expect(try client.status()?["indicator.is_faulty"] == .flag(true))
    #expect(try client.status()?["status_light.pattern"] == .text("fast blink: fault"))
    try control.ask(.stick(line: "GPIO23", .nothing))
    #expect(try daemon.says("indicator: the line reads back correctly again"))
    #expect(
      try eventually {
        try client.status()?["status_light.pattern"] == .text("off: no receiver")
      })
    _ = board
  }

  @Test func aLineTakenByAnotherProcessIsReportedAndClaimedLater() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    try control.ask(.steal(line: "GPIO5", consumer: "led0"))
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try daemon.says("GPIO5 is held by 'led0'"))
    #expect(try client.status()?["buttons.HOME.fault"] != nil)
    #expect(try client.status()?["buttons.ALLOW.fault"] == nil)
    try control.ask(.steal(line: "GPIO5", consumer: ""))
    #expect(try daemon.says("button HOME: the line can be used now"))
    try press("HOME", "short", as: "short", of: client)
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
    #expect(try daemon.says("button HOME: not watched ("))
    try control.ask(.plugLines(isPlugged: true))
    #expect(try daemon.says("button HOME: the line can be used now"))
    #expect(try client.status()?["buttons.HOME.losses"] == .integer(1))
    _ = board
  }

  @Test func aDaemonWithoutItsBoardContinuesAndDoesNotSpin() throws {
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try daemon.says("no virtual board listens there"))
    #expect(try client.turnsPerSecond(for: .seconds(1)) < 60)
    let board = try RunningBoard(path: socketPath)
    #expect(try daemon.says("button HOME: the line can be used now"))
    _ = board
  }

  @Test func aDarkBoardCostsNoWakeUps() throws {
    let board = try RunningBoard(path: socketPath)
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(try eventually { try client.status()?["buttons.ALLOW.line_state"] == .text("claimed") })
    // The missing receiver is looked for now and then; nothing else happens.
    #expect(try client.turnsPerSecond(for: .seconds(3)) < 10)
    _ = board
  }

  @Test func aButtonHeldAtTheStartCountsAfterItsRelease() throws {
    let board = try RunningBoard(path: socketPath)
    let control = try BoardControl(socketPath)
    try control.ask(.press(part: "HOME", isPressed: true))
    let daemon = try startDaemon()
    let client = try startClient(daemon)
    #expect(
      try daemon.says("button HOME: already pressed; presses count only after it is released"))
    _ = try eventually(within: .milliseconds(2_300)) { false }
    try control.ask(.press(part: "HOME", isPressed: false))
    #expect(try eventually { try client.status()?["buttons.HOME.waits_for_release"] == nil })
    #expect(try counts(of: "HOME", client).values.allSatisfy { $0 == 0 })
    try press("HOME", "short", as: "short", of: client)
    #expect(try daemon.says("button HOME: short press"))
    _ = board
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Processes with a terminal that a person has left in the background, and that connect again.
@Suite struct AwayProcessesTests {
  private static let boots = ["0", "1"].map { String(repeating: $0, count: 36) }
  private static let tracker = ConsentDesk.tracker

  private static func desk() -> (desk: ConsentDesk, app: ClientID) {
    var desk = ConsentDesk { $0.bootID = boots[0] }
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.desk.connect(tracker, user: 1_001, processID: 70)
    return (desk, app)
  }

  @Test func aProcessThatWasSentToTheBackgroundStaysThereWhenItsDaemonIsKilled() {
    var (desk, _) = Self.desk()
    #expect(desk.state(Self.tracker) == "foreground")
    desk.request(.home)
    for _ in 0..<2 {
      desk.killDaemon()
      _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
      #expect(desk.state(Self.tracker) == "background")
    }
    desk.request(.home)
    #expect(desk.state(Self.tracker) == "foreground")
    desk.killDaemon()
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "foreground")
  }

  /// A desk with two apps in the background: the tracker, process 70, and the map, process 71, which was in front last.
  private static func deskOfTwoApps() -> (desk: ConsentDesk, tracker: ClientID) {
    var (desk, app) = Self.desk()
    _ = desk.desk.connect(ConsentDesk.map, user: 1_001, processID: 71)
    desk.request(.foreground(app: "org.example.map"))
    desk.request(.background(app: "org.example.map"))
    return (desk, app)
  }

  private static func processIDs(_ desk: ConsentDesk) -> [Int32] {
    desk.desk.engine.apps.away.entries.map(\.processID)
  }

  @Test func twoAppsInTheBackgroundStayThereWhenTheirDaemonIsKilled() {
    var (desk, _) = Self.deskOfTwoApps()
    for _ in 0..<2 {
      desk.killDaemon()
      _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
      _ = desk.desk.connect(ConsentDesk.map, user: 1_001, processID: 71)
      #expect(desk.state(Self.tracker) == "background")
      #expect(desk.state(ConsentDesk.map) == "background")
    }
    desk.request(.home)
    #expect(desk.state(ConsentDesk.map) == "foreground")
    desk.killDaemon()
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "background")
    _ = desk.desk.connect(ConsentDesk.map, user: 1_001, processID: 71)
    #expect(desk.state(ConsentDesk.map) == "foreground")
  }

  @Test func anAppThatConnectsAgainStaysInTheBackgroundAfterAnotherAppHasLeftTheForeground() {
    var (desk, app) = Self.deskOfTwoApps()
    desk.desk.end(app)
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "background")
  }

  @Test func anAppInTheBackgroundStaysThereWhenAPersonClosesTheAppInTheForeground() {
    var desk = ConsentDesk { $0.bootID = Self.boots[0] }
    let map = desk.desk.connect(ConsentDesk.map, user: 1_001, processID: 71)
    let app = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    desk.desk.end(map)
    let refusal = desk.request(.quit(app: "org.example.map"))
    #expect(refusal == nil)
    desk.desk.end(app)
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "background")
  }

  @Test func aChangeOfTheForegroundForgetsProcessesThatAreGone() {
    var (desk, app) = Self.deskOfTwoApps()
    #expect(Self.processIDs(desk) == [71, 70])
    desk.desk.end(app)
    desk.desk.wait(5)
    desk.request(.home)
    #expect(Self.processIDs(desk) == [70])
    desk.request(.home)
    #expect(Self.processIDs(desk) == [71, 70])
    desk.desk.wait(5)
    desk.request(.home)
    #expect(Self.processIDs(desk) == [])
    desk.request(.home)
    #expect(Self.processIDs(desk) == [71])
  }

  @Test func aRecordOfAnotherBootIsRemoved() {
    var (desk, _) = Self.deskOfTwoApps()
    #expect(desk.desk.engine.storage.state.value(of: RecordTable.away) != nil)
    desk.desk.configuration.bootID = Self.boots[1]
    for _ in 0..<2 {
      desk.killDaemon()
      #expect(desk.desk.engine.storage.state.value(of: RecordTable.away) == nil)
    }
  }

  @Test func anAppAtATerminalTakesThePlaceOfAnAppThatHasEnded() {
    var (desk, app) = Self.desk()
    desk.desk.end(app)
    _ = desk.desk.connect(ConsentDesk.map, user: 1_001, processID: 71)
    #expect(desk.state(ConsentDesk.map) == "foreground")
    // The app that has ended finds the place taken.
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "background")
    #expect(desk.state(ConsentDesk.map) == "foreground")
  }

  @Test func anAppWithoutATerminalLeavesThePlaceOfAnAppThatHasEnded() {
    var (desk, app) = Self.desk()
    desk.desk.end(app)
    _ = desk.desk.connect(ConsentDesk.map, user: 1_001, hasTerminal: false, processID: 71)
    #expect(desk.state(ConsentDesk.map) == "background")
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "foreground")
  }

  @Test func aProcessThatConnectsAgainToTheSameDaemonStaysInTheBackground() {
    var (desk, app) = Self.desk()
    desk.request(.home)
    desk.desk.end(app)
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "background")
  }

  @Test(arguments: [true, false])
  func aNewProcessAtATerminalComesToTheForeground(isOfAnotherBoot: Bool) {
    var (desk, _) = Self.desk()
    desk.request(.home)
    if isOfAnotherBoot { desk.desk.configuration.bootID = Self.boots[1] }
    desk.killDaemon()
    _ = desk.desk.connect(
      Self.tracker, user: 1_001, processID: isOfAnotherBoot ? 70 : 71)
    #expect(desk.state(Self.tracker) == "foreground")
  }

  @Test func theRecordIsReadBackAndOtherBytesAreNot() throws {
    let map = AwayProcesses.Entry(app: ConsentDesk.map, processID: 99)
    let own = (1...20).map { AwayProcesses.Entry(app: Self.tracker, processID: Int32($0)) }
    let processes = AwayProcesses([map] + own)
    #expect(processes.entries.count == 16)
    let bytes = try #require(processes.bytes(bootID: Self.boots[0]))
    #expect(AwayProcesses(bytes: bytes, bootID: Self.boots[0]) == processes)
    #expect(AwayProcesses(bytes: bytes, bootID: Self.boots[1]) == nil)
    #expect(AwayProcesses(bytes: bytes, bootID: "") == nil)
    #expect(processes.bytes(bootID: "") == nil)
    for count in 0..<bytes.count {
      let part = AwayProcesses(bytes: Array(bytes.prefix(count)), bootID: Self.boots[0])
      #expect(part != processes)
    }
    #expect(AwayProcesses().bytes(bootID: Self.boots[0]) == nil)
    let text = try #require(AwayProcesses.text(of: bytes))
    #expect(text.hasPrefix("org.example.map, processes 99; org.example.tracker, processes 1, 2,"))
  }

  @Test func aRecordOfVersion1IsRead() {
    let name = Array("org.example.tracker".utf8)
    var bytes = Array(Self.boots[0].utf8)
    bytes += [2, 70, 0, 0, 0, 71, 0, 0, 0]
    bytes += name
    let ids: [Int32] = [70, 71]
    let entries = ids.map { AwayProcesses.Entry(app: Self.tracker, processID: $0) }
    #expect(AwayProcesses(bytes: bytes, bootID: Self.boots[0]) == AwayProcesses(entries))
    #expect(AwayProcesses(bytes: bytes, bootID: Self.boots[1]) == nil)
    #expect(AwayProcesses.text(of: bytes) == "org.example.tracker, processes 70, 71")
  }

  @Test func theLongestRecordFits() throws {
    let name = "org.example." + String(repeating: "a", count: 88)
    let longest = AwayProcesses(
      (1...16).map { AwayProcesses.Entry(app: .listed(name), processID: Int32($0)) })
    let bytes = try #require(longest.bytes(bootID: Self.boots[0]))
    #expect(bytes.count <= RecordTable.away.valueSizeMax)
  }
}

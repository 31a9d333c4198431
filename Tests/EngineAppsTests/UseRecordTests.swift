import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The epochs of `binnacle audit` at the stop of the daemon, and of operators' tools.
@Suite struct UseRecordTests {
  @Test func aStopOfTheDaemonEndsTheEpochWithItsCount() throws {
    var (desk, app) = SessionTests.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    for _ in 0..<40 { desk.fix() }
    desk.restart()
    let row = try #require(desk.rows(.audit).first)
    #expect(row[.rowUpdates] == 40)
    #expect(row[.rowIsInterrupted] == nil)
    #expect(row[.rowTo] != nil)
    #expect(row[.rowTo] != row[.rowFrom])
  }

  @Test func aKillOfTheDaemonIsAnInterruption() throws {
    var (desk, app) = SessionTests.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    for _ in 0..<40 { desk.fix() }
    desk.killDaemon()
    let row = try #require(desk.rows(.audit).first)
    #expect(row[.rowIsInterrupted] == true)
  }

  @Test func usesByToolsRemoveNoUseInTheBackground() {
    let app = AppID.listed("org.example.tracker")
    let tool = AppID.unlisted(userID: 0, executable: "/usr/bin/binnacle")
    func epoch(_ app: AppID, _ right: UseRight) -> BackgroundEpoch {
      BackgroundEpoch(
        app: app, right: right, from: nil, to: nil, updateCount: 0, hasEnded: true,
        isLampVerified: true)
    }
    var epochs = BackgroundEpochs()
    for _ in 0..<64 { _ = epochs.begin(epoch(app, .backgroundSession), at: .zero) }
    for _ in 0..<500 { _ = epochs.begin(epoch(tool, .operator), at: .zero) }
    #expect(epochs.entries.count { $0.epoch.app == app } == 64)
    #expect(epochs.entries.count == 128)
    for _ in 0..<128 { _ = epochs.begin(epoch(app, .backgroundSession), at: .zero) }
    #expect(epochs.entries.count { $0.epoch.app == app } >= 64)
    #expect(epochs.entries.count == 128)
  }

  @Test func usesByOneAppRemoveAtMostHalfOfTheOtherUses() {
    func epoch(_ app: AppID) -> BackgroundEpoch {
      BackgroundEpoch(
        app: app, right: .alwaysSession, from: nil, to: nil, updateCount: 0, hasEnded: true,
        isLampVerified: true)
    }
    let reader = AppID.door("nmea", .user(1_004))
    var epochs = BackgroundEpochs()
    for number in 0..<128 { _ = epochs.begin(epoch(.listed("org.example.a\(number)")), at: .zero) }
    for _ in 0..<500 { _ = epochs.begin(epoch(reader), at: .zero) }
    #expect(epochs.entries.count == 128)
    #expect(epochs.entries.count { $0.epoch.app == reader } == 64)
    #expect(epochs.entries.first?.epoch.app == .listed("org.example.a64"))
  }

  @Test func theUseOfAnOperatorsToolIsAnEpochWithoutTheLamp() throws {
    var desk = ConsentDesk()
    let client = ClientID(number: 70)
    let peer = Peer(
      userID: 0, processID: 9, app: .unlisted(userID: 0, executable: "/usr/bin/binnacle"),
      hasTerminal: true, file: ConsentDesk.file, mayOperate: true, isOperator: true)
    desk.desk.send(.client(client, .connected(peer, program: "binnacle")))
    desk.desk.open(client)
    for _ in 0..<3 { desk.fix() }
    #expect(!desk.isLit)
    desk.desk.end(client)
    let row = try #require(desk.rows(.audit).first)
    #expect(row[.rowRight] == "operator")
    #expect(row[.rowUpdates] == 3)
    #expect(row[.rowIsLampVerified] == false)
    #expect(row[.rowTo] != nil)
  }
}

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

  /// A use in the moment after the foreground is recorded with the updates that are open; without updates there is no record.
  @Test func anAppThatHasLeftTheForegroundGetsNoSatellitesWithoutUpdates() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    desk.request(.allow(app: "org.example.map", nil))
    let tracker = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.hold(.backgroundActivity, by: tracker)
    let map = desk.start(ConsentDesk.map)
    desk.request(.foreground(app: "org.example.map"))
    #expect(desk.isLit)
    func isRefused(_ number: UInt32) -> Bool {
      desk.desk.send(.client(map, .requested(number, .sky)))
      for case .client(map, .skyRefusal(number, let refusal)) in desk.desk.effects {
        return refusal.kind == .notPermitted
      }
      return false
    }
    #expect(!isRefused(1))
    desk.request(.home)
    #expect(isRefused(2))
    desk.desk.open(map)
    #expect(!isRefused(3))
  }

  /// The satellites in view are a location.
  @Test func theSatellitesForAnOperatorsToolAreAUse() {
    var table = UseTable()
    let tool = AppID.unlisted(userID: 0, executable: "/usr/bin/binnacle")
    table.deliveredOnce(to: tool, time: nil, at: .zero)
    #expect(table.uses == [])
    let epoch = table.epochs.entries.first?.epoch
    #expect(epoch?.right == .operator)
    #expect(epoch?.updateCount == 1)
    #expect(epoch?.hasEnded == true)
    let use = LocationUse(
      app: tool, right: .operator, isInBackground: false, since: .zero, time: nil)
    table.settle([use], isLampVerified: false, time: nil, at: .zero)
    table.deliveredOnce(to: tool, time: nil, at: .zero)
    #expect(table.uses.map(\.updateCount) == [1])
  }

  /// `binnacle top` asks once a second.
  @Test func aToolThatAsksForSatellitesAgainAndAgainHasOneEpoch() {
    var table = UseTable()
    let tool = AppID.unlisted(userID: 0, executable: "/usr/bin/binnacle")
    var notes: [OutstandingUpdates.Note] = []
    for second in 0..<(7_200 as Int64) {
      let now = Instant.zero + .seconds(second)
      table.deliveredOnce(to: tool, time: nil, at: now)
      notes += table.epochs.takeNotes(at: now, time: nil)
    }
    #expect(table.epochs.entries.map(\.epoch.updateCount) == [7_200])
    // A power cut now is an interruption, in the record of each hour.
    #expect((1...2).contains(notes.count))
    let kept = notes.compactMap { $0.value.flatMap(BackgroundEpoch.init(bytes:)) }
    #expect(kept.allSatisfy { !$0.hasEnded } && kept.last?.updateCount ?? 0 >= 3_600)
    let end = Instant.zero + .seconds(7_300)
    let last = table.epochs.takeNotes(at: end, time: nil)
    #expect(
      last.compactMap { $0.value.flatMap(BackgroundEpoch.init(bytes:)) }.map(\.hasEnded) == [true])
  }

  /// The records of epochs that the log got.
  private static func recordCount(_ desk: ConsentDesk) -> Int {
    desk.desk.effects.count { effect in
      guard case .storage(.commit(_, let changes)) = effect else { return false }
      return changes.contains { $0.name.kind == RecordTable.backgroundEpoch.number }
    }
  }

  private static func doorDesk() -> ConsentDesk {
    ConsentDesk { $0.doors = [DoorSettings(name: "nmea", grants: [.init(nil)])] }
  }

  /// A program such as `gpspipe` in a loop.
  @Test func aReaderThatReturnsWithinAMinuteContinuesItsEpoch() throws {
    var desk = Self.doorDesk()
    var count = 0
    for _ in 0..<20 {
      let reader = desk.run(.door("nmea", .user(1_001)))
      for _ in 0..<3 { desk.fix() }
      count += desk.seen(reader).count { $0 == "f" }
      desk.desk.end(reader)
    }
    #expect(count >= 60)
    #expect(desk.rows(.audit).map { $0[.rowUpdates] } == [Int64(count)])
    // The beginning, the first end, the first return, and after 10 s and 60 s.
    #expect(Self.recordCount(desk) <= 6)
    desk.restart()
    let row = try #require(desk.rows(.audit).first)
    #expect(row[.rowUpdates] == Int64(count))
    #expect(row[.rowIsInterrupted] == nil)
  }

  @Test func aPowerCutAfterAReturnIsAnInterruption() throws {
    var desk = Self.doorDesk()
    for _ in 0..<2 {
      let reader = desk.run(.door("nmea", .user(1_001)))
      for _ in 0..<3 { desk.fix() }
      desk.desk.end(reader)
    }
    desk.cutPower()
    #expect(desk.rows(.audit).map { $0[.rowIsInterrupted] } == [true])
  }

  @Test func aReaderThatReturnsLaterBeginsAnotherEpoch() {
    var desk = Self.doorDesk()
    for _ in 0..<2 {
      let reader = desk.run(.door("nmea", .user(1_001)))
      desk.fix()
      desk.desk.end(reader)
      desk.desk.wait(61)
    }
    #expect(desk.rows(.audit).map { $0[.rowUpdates] } == [1, 1])
  }
}

import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing
import UBX

@testable import LocationEngine

/// Assistance that the board stores for a quick start, and the time when the receiver gets it.
@Suite struct AssistanceTests {
  static let receivers: [Generation] = [.m8, .m10, .m10SPG530]
  static let start: Int64 = 1_790_000_000

  /// The records on the disk after a run of 75 s with a receiver and the end of the daemon.
  static func kept(_ generation: Generation, seed: UInt64 = 1) throws -> RecordSet {
    var desk = EngineDesk(generation, seed: seed, path: .journey)
    desk.open()
    desk.send(clock(desk))
    desk.run(seconds: 75)
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    var records = RecordSet()
    for change in desk.commits.joined() { records.apply(change) }
    return records
  }

  static func database(in records: RecordSet) throws -> NavigationDatabase {
    let entry = try #require(
      records.entries.first { $0.name.kind == RecordTable.navigationDatabase.number })
    let key = try #require(ReceiverKey(bytes: entry.name.key))
    return try #require(NavigationDatabase(receiver: key, bytes: entry.value))
  }

  static func clock(_ desk: EngineDesk, error: Int64 = 0) -> Event {
    .wallClockRead(
      desk.receiver.world.utc(at: desk.now) + .milliseconds(error), within: .milliseconds(500))
  }

  /// The board gets power again so many seconds after that run; the receiver knows nothing.
  static func afterPowerCut(
    _ generation: Generation, _ kept: RecordSet?, seed: UInt64 = 1, after seconds: Int64 = 600,
    start: StartKind = .cold, clock event: ((EngineDesk) -> Event)? = { clock($0) }
  ) -> EngineDesk {
    var desk = EngineDesk(
      generation, lastSpeed: 9_600, seed: seed, path: .journey, start: start,
      startSeconds: Self.start + seconds, reading: StateReading(records: kept ?? RecordSet()))
    if let event { desk.send(event(desk)) }
    desk.open()
    return desk
  }

  /// Seconds to the first location; 100 when there is none.
  static func secondsToFix(_ desk: inout EngineDesk) -> Double {
    while desk.fixes.isEmpty, desk.now < .zero + .seconds(100) { desk.run(seconds: 0.25) }
    return (desk.now - .zero).seconds
  }

  @Test(arguments: receivers)
  func aReceiverWithoutMemoryStartsHotWithTheStoredDatabase(_ generation: Generation) throws {
    let kept = try Self.kept(generation)
    let database = try Self.database(in: kept)
    #expect(database.records.count >= 4)
    var helped = Self.afterPowerCut(generation, kept)
    var alone = Self.afterPowerCut(generation, nil)
    let (with, without) = (Self.secondsToFix(&helped), Self.secondsToFix(&alone))
    #expect(with <= 15)
    #expect(without >= 30 && without < 100)
    let report = helped.report()
    let count = Int64(database.records.count)
    #expect(report["assistance.given_records"] == .integer(count))
    let taken: Report.Value? = generation == .m8 ? nil : .integer(count)
    #expect(report["assistance.given_records_taken"] == taken)
    #expect(report["assistance.state"] == .text("not needed any more"))
    #expect(report["assistance.given_to"] == .text(database.receiver.text))
    // It was polled after a minute of fixes.
    guard case .number(let age)? = report["assistance.given_database_age_s"] else {
      Issue.record("its age is told")
      return
    }
    #expect((520...600).contains(age))
    #expect(alone.report()["assistance.given_records"] == nil)
  }

  @Test func anotherReceiverGetsNoAssistance() throws {
    var desk = Self.afterPowerCut(.m10, try Self.kept(.m10), seed: 2)
    #expect(Self.secondsToFix(&desk) >= 30)
    #expect(desk.writes(ofClass: 0x13, 0x40) == 0)
    #expect(desk.writes(ofClass: 0x13, 0x80) == 0)
  }

  @Test func anotherFirmwareOnTheSameChipGetsNoAssistance() throws {
    let kept = try Self.kept(.m10)
    var desk = Self.afterPowerCut(.m10SPG530, kept)
    #expect(Self.secondsToFix(&desk) >= 30)
    #expect(desk.writes(ofClass: 0x13, 0x80) == 0)
  }

  @Test func aChangedByteLeavesAColdStartAndNothingWorse() throws {
    var kept = try Self.kept(.m10)
    var database = try Self.database(in: kept)
    var changed = NavigationDatabase(receiver: database.receiver, time: database.time)
    for (index, record) in database.records.enumerated() {
      var record = record
      if index == 3 { record[40] ^= 1 }
      changed.append(record)
    }
    database = changed
    let name = RecordName(
      kind: RecordTable.navigationDatabase.number, key: database.receiver.bytes)
    kept.apply(Change(try #require(name), .put(database.bytes, isCautious: false)))
    var desk = Self.afterPowerCut(.m10, kept)
    let seconds = Self.secondsToFix(&desk)
    #expect(seconds >= 30 && seconds < 60)
    #expect(desk.report()["assistance.given_refused"] == .integer(1))
  }

  @Test func aClockThatIsWrongLeavesAColdStartAndNothingWorse() throws {
    var desk = Self.afterPowerCut(.m10, try Self.kept(.m10)) { Self.clock($0, error: 30_000) }
    let seconds = Self.secondsToFix(&desk)
    #expect(seconds >= 30 && seconds < 60)
    #expect(desk.writes(ofClass: 0x13, 0x40) == 2)
  }

  @Test func anUntrustedClockGivesNoAssistance() throws {
    let kept = try Self.kept(.m10)
    var desk = Self.afterPowerCut(.m10, kept) { .wallClockRead($0.receiver.world.utc(at: $0.now)) }
    desk.run(seconds: 8)
    #expect(desk.writes(ofClass: 0x13, 0x40) == 0)
    let state = "the wall clock is not known to be right"
    #expect(desk.report()["assistance.state"] == .text(state))
    // The network comes up.
    desk.send(Self.clock(desk))
    #expect(Self.secondsToFix(&desk) <= 15)
  }

  @Test func aClockBehindTheStoredTimeIsNotTrusted() throws {
    let kept = try Self.kept(.m10)
    var desk = Self.afterPowerCut(.m10, kept) { Self.clock($0, error: -3_600_000) }
    #expect(Self.secondsToFix(&desk) >= 30)
    #expect(desk.writes(ofClass: 0x13, 0x40) == 0)
  }

  @Test func aReceiverThatKeptItsMemoryGetsNoAssistance() throws {
    let kept = try Self.kept(.m10)
    for start in [StartKind.hot, .warm] {
      var desk = Self.afterPowerCut(.m10, kept, start: start)
      desk.run(seconds: 40)
      #expect(desk.writes(ofClass: 0x13, 0x40) == 0, "\(start)")
      #expect(!desk.fixes.isEmpty)
    }
  }

  @Test func generationsWithoutTheMessagesGetNoAssistance() {
    for generation in [Generation.six, .seven] {
      var desk = EngineDesk(generation, path: .journey)
      desk.open()
      desk.send(Self.clock(desk))
      desk.run(seconds: 90)
      #expect(desk.writes(ofClass: 0x13, 0x80) == 0)
      #expect(desk.writes(ofClass: 0x27, 0x03) == 0)
      let state = "not for a receiver that has no number"
      #expect(desk.report()["assistance.state"] == .text(state))
    }
  }

  /// A dip of the supply that the daemon survives: nothing is read from the state, it is still at hand.
  @Test func aReceiverThatLosesItsMemoryAtWorkGetsAssistance() throws {
    var desk = EngineDesk(.m10, path: .journey)
    desk.open()
    desk.send(Self.clock(desk))
    desk.run(seconds: 75)
    desk.plug(false, keepsBattery: false)
    desk.run(seconds: 5)
    desk.plug(true)
    let (count, plugged) = (desk.fixes.count, desk.now)
    while desk.fixes.count == count, desk.now - plugged < .seconds(60) { desk.run(seconds: 0.25) }
    #expect((desk.now - plugged).seconds <= 15)
    #expect(desk.writes(ofClass: 0x13, 0x80) > 4)
  }

  @Test func theStoredPlaceIsNeverDelivered() throws {
    // A place a degree away, which the kept uncertainty does not cover.
    let fix = Fix(
      latitude: 46.2, longitude: 8.5, horizontalAccuracy: 3,
      time: UTCTime(secondsSince1970: Self.start))
    var kept = try Self.kept(.m10)
    kept.apply(
      Change(
        RecordName(kind: RecordTable.lastFix.number),
        .put(LastPlace(fix, model: .portable).bytes, isCautious: false)))
    var desk = Self.afterPowerCut(.m10, kept, after: 100)
    #expect(Self.secondsToFix(&desk) >= 30)
    desk.run(seconds: 20)
    #expect(desk.fixes.allSatisfy { $0.latitude > 47.2 })
    #expect(desk.updates.filter { $0.fix == nil }.count >= 1)
  }

  // MARK: Asking

  @Test(arguments: receivers)
  func theDatabaseIsPolledAfterOneMinuteAndThenEveryTenMinutes(_ generation: Generation) {
    var desk = EngineDesk(generation, path: .journey)
    desk.open()
    desk.send(Self.clock(desk))
    desk.run(seconds: 90)
    #expect(desk.writes(ofClass: 0x13, 0x80) == 1)
    desk.run(seconds: 1_200)
    #expect(desk.writes(ofClass: 0x13, 0x80) == 3)
    let report = desk.report()
    #expect(report["receiver.position_losses"] == .integer(0))
    #expect(report["rejected.jump"] == .integer(0))
  }

  @Test func theDatabaseIsNotPolledWithoutAFix() {
    var desk = EngineDesk(.m10, skies: [World.Sky(start: .zero, visibility: 0)])
    desk.open()
    desk.run(seconds: 120)
    #expect(desk.writes(ofClass: 0x13, 0x80) == 0)
  }

  @Test func aDaemonThatIsToEndAsksOnceMoreAndDoesNotWaitLong() {
    var desk = EngineDesk(.m10, path: .journey)
    desk.open()
    desk.run(seconds: 200)
    let writes = desk.writes(ofClass: 0x13, 0x80)
    desk.send(.stopRequested)
    #expect(desk.writes(ofClass: 0x13, 0x80) == writes + 1)
    #expect(!desk.engine.outlook.isStateSettled)
    desk.run(seconds: 3.1)
    #expect(desk.engine.outlook.isStateSettled)
    // Once more would say the same.
    desk.send(.stopRequested)
    #expect(desk.engine.outlook.isStateSettled)
    #expect(desk.writes(ofClass: 0x13, 0x80) == writes + 1)
  }

  @Test func aPositionThatWasKeptYearsAheadIsReplaced() throws {
    var writer = ByteWriter()
    writer.put([1, 0])
    writer.i32(473_977_000)
    writer.i32(85_456_000)
    writer.i32(0)
    writer.u32(2_500)
    writer.i64(2_100_000_000)
    writer.i32(0)
    var records = RecordSet()
    let name = RecordName(kind: RecordTable.lastFix.number)
    records.apply(Change(name, .put(writer.bytes, isCautious: false)))
    #expect(LastPlace(bytes: writer.bytes) != nil)
    var desk = EngineDesk(reading: StateReading(records: records))
    desk.open()
    desk.run(seconds: 100)
    desk.send(.stopRequested)
    desk.run(seconds: 4)
    let kept = desk.engine.storage.state.records[name].flatMap { LastPlace(bytes: $0) }
    #expect(try #require(kept).time.secondsSince1970 < 1_800_000_000)
  }

  @Test func theLastPositionIsTheNewestAtTheEndAndNoRecordComesEachSecond() throws {
    var desk = EngineDesk(.m10, path: .motorway)
    desk.open()
    desk.send(Self.clock(desk))
    desk.run(seconds: 130)
    // Lazy: nothing of it is written in the first ten minutes.
    func written(_ kind: RecordKind) -> [Change] {
      desk.commits.joined().filter { $0.name.kind == kind.number }
    }
    #expect(written(RecordTable.lastFix).isEmpty)
    #expect(written(RecordTable.navigationDatabase).isEmpty)
    desk.send(.stopRequested)
    desk.run(seconds: 4)
    let place = try #require(written(RecordTable.lastFix).last)
    guard case .put(let value, _) = place.action, let read = LastPlace(bytes: value) else {
      Issue.record("it is a position")
      return
    }
    let age = desk.receiver.world.utc(at: desk.now) - read.time
    #expect(age <= .seconds(6))
    // The stored database is written at once, and the receiver's new database behind it.
    #expect(written(RecordTable.navigationDatabase).count == 2)
    #expect(written(RecordTable.receiverIdentity).count == 1)
  }

  /// The receivers whose databases are left after a third receiver has come; each had its database this long before the start.
  private static func databasesAfterAThirdReceiver(
    _ agesInSeconds: [(name: String, age: Int64)], lastUsed: String? = nil
  ) throws -> [String] {
    var records = RecordSet()
    for (name, age) in agesInSeconds {
      let key = try #require(ReceiverKey(bytes: Array(name.utf8)))
      let time = UTCTime(secondsSince1970: Self.start - age)
      let database = NavigationDatabase(receiver: key, time: time)
      let record = try #require(
        RecordName(kind: RecordTable.navigationDatabase.number, key: key.bytes))
      records.apply(Change(record, .put(database.bytes, isCautious: false)))
    }
    if let lastUsed {
      records.apply(
        Change(
          RecordName(kind: RecordTable.receiverIdentity.number),
          .put(Array(lastUsed.utf8), isCautious: false)))
    }
    var desk = Self.afterPowerCut(.m10, records, start: .hot)
    desk.run(seconds: 80)
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    for change in desk.commits.joined() { records.apply(change) }
    return records.entries.filter { $0.name.kind == RecordTable.navigationDatabase.number }
      .map { String(decoding: $0.name.key, as: UTF8.self) }
  }

  @Test func aThirdReceiverReplacesTheOldest() throws {
    let kept = try Self.databasesAfterAThirdReceiver([("old", 1_000), ("older", 1_001)])
    #expect(kept.count == 2)
    #expect(kept.contains("old") && !kept.contains("older"))
  }

  @Test func aReceiverThatIsYearsAheadDoesNotReplaceTheOneOfTheLastRun() throws {
    let tenYears: Int64 = 10 * 365 * 86_400
    let kept = try Self.databasesAfterAThirdReceiver(
      [("right", 1_000), ("ahead", -tenYears)], lastUsed: "right")
    #expect(kept.count == 2)
    #expect(kept.contains("right") && !kept.contains("ahead"))
  }

  @Test func unreadableAssistanceIsReportedAndIgnored() {
    var records = RecordSet()
    for kind in [
      RecordTable.lastFix, RecordTable.navigationDatabase, RecordTable.receiverIdentity,
    ] {
      records.apply(Change(RecordName(kind: kind.number), .put([9, 9], isCautious: false)))
    }
    var desk = Self.afterPowerCut(.m10, records, start: .hot)
    desk.run(seconds: 20)
    #expect(!desk.fixes.isEmpty)
    #expect(desk.lines.filter { $0.hasPrefix("state: ") }.count == 2)
  }

  @Test func aSilentReceiverIsPolledForALimitedTime() {
    var memory = AssistanceMemory()
    memory.isTracking = true
    let identity = ReceiverIdentity(
      MonVER(softwareVersion: "x", hardwareVersion: "000A0000", extensions: ["PROTVER=34.10"]))
    let around = AssistanceMachine.Surroundings(
      identity: identity, isSetUp: true, acknowledges: true, speed: 9_600)
    var machine = AssistanceMachine()
    var actions: [AssistanceMachine.Action] = []
    machine.settled(around, at: .zero, into: &actions)
    machine.take(
      .secUNIQID(SecUNIQID(number: [1, 2, 3, 4, 5, 6])), around, &memory, at: .zero, into: &actions)
    var solution = NavigationSolution(source: .navPVT)
    solution.isFixOK = true
    solution.utc = UTCTime(secondsSince1970: Self.start)
    solution.position = .init(
      latitudeE7: 1, longitudeE7: 1, heightMillimeters: nil, heightMSLMillimeters: nil)
    actions = []
    for second in Int64(0)...10_000 {
      let now = Instant.zero + .seconds(second)
      machine.epochArrived(solution, around, memory, at: now, into: &actions)
      machine.deadlineReached(&memory, at: now, into: &actions)
    }
    #expect(
      actions == [AssistanceMachine.Action](repeating: .write(DatabasePoll.question), count: 3))
  }
}

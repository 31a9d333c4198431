import BinnacleBasics
import StateLog
import Testing

@testable import LocationEngine

struct CommitScheduleTests {
  private var schedule: CommitSchedule
  private let none = RecordSet()
  private let start = Instant(nanoseconds: 5_000_000_000)

  init() throws {
    schedule = CommitSchedule(
      geometry: try #require(LogGeometry(blockSize: 512, blocksPerSegment: 32)))
  }

  private mutating func add(
    _ kind: RecordKind, _ key: UInt8 = 0, size: Int = 4, after seconds: Int64 = 0
  ) throws {
    let value = [UInt8](repeating: key, count: size)
    try schedule.add(kind, key: [key], value: value, over: none, at: start + .seconds(seconds))
  }

  private mutating func take(after seconds: Int64) -> [UInt16] {
    schedule.take(at: start + .seconds(seconds)).map(\.name.kind)
  }

  @Test mutating func aRecordOfClassNowIsDueAtOnce() throws {
    try add(RecordTable.appDefaults)
    #expect(schedule.nextDeadline == start)
    #expect(take(after: 0) == [8])
    #expect(schedule.isEmpty)
  }

  @Test mutating func aGroupIsDueWithItsFirstOrWhenSixtyWait() throws {
    try add(RecordTable.track, 1)
    try add(RecordTable.track, 2, after: 20)
    #expect(take(after: 59) == [])
    #expect(take(after: 60) == [9, 9])
    for number in 0..<60 { try add(RecordTable.track, UInt8(number), after: 70) }
    #expect(take(after: 70).count == 60)
  }

  @Test mutating func aLazyRecordWaitsTenMinutesFromItsFirstChange() throws {
    try add(RecordTable.counters, 1)
    try add(RecordTable.counters, 1, after: 599)
    #expect(schedule.nextDeadline == start + .seconds(600))
    #expect(take(after: 599) == [])
    #expect(take(after: 600) == [7])
  }

  @Test mutating func waitingRecordsJoinACommitWithRoom() throws {
    try add(RecordTable.counters, size: 200)
    try add(RecordTable.lastFix, size: 250)
    try add(RecordTable.appDefaults, size: 40)
    // 460 bytes fit: 53 of the default and 213 of the counters, but not 263 more of the position.
    #expect(take(after: 1) == [7, 8])
    #expect(take(after: 599) == [])
    #expect(take(after: 600) == [3])
  }

  @Test mutating func onlyTheLastValueOfANameWaits() throws {
    try add(RecordTable.lastFix, size: 10)
    try add(RecordTable.lastFix, size: 20)
    #expect(schedule.waitingSize == 12 + 1 + 20)
    #expect(take(after: 600) == [3])
    #expect(schedule.waitingSize == 0)
  }

  @Test mutating func aStopTakesEverythingAndASecondCommitTheRest() throws {
    for number in 0..<3 { try add(RecordTable.appDefaults, UInt8(number), size: 1_400) }
    let first = schedule.take(at: start, isStopping: true)
    let second = schedule.take(at: start, isStopping: true)
    #expect(first.count == 2 && second.count == 1)
    #expect(schedule.isEmpty)
  }

  @Test mutating func aFailedRecordIsTriedAgainLater() throws {
    try add(RecordTable.lastFix)
    try add(RecordTable.appDefaults)
    let changes = schedule.take(at: start)
    #expect(changes.count == 2)
    schedule.takeBack(changes, at: start)
    #expect(schedule.nextDeadline == start + StorageLimits.retryDelay)
    #expect(take(after: 30) == [3])
  }

  @Test mutating func aValueThatChangedMeanwhileIsNotTakenBack() throws {
    try add(RecordTable.lastFix, size: 4)
    let changes = schedule.take(at: start, isStopping: true)
    try add(RecordTable.lastFix, size: 9)
    schedule.takeBack(changes, at: start)
    #expect(schedule.waitingSize == 12 + 1 + 9)
  }

  @Test mutating func tooMuchIsRefusedWithTheLimit() throws {
    #expect(
      throws: RecordRefusal.valueTooLarge(kind: "receiver speed", size: 17, sizeMax: 16)
    ) { try self.add(RecordTable.receiverSpeed, size: 17) }
    for number in 0..<2 { try add(RecordTable.navigationDatabase, UInt8(number)) }
    #expect(throws: RecordRefusal.tooMany(kind: "navigation database", countMax: 2)) {
      try self.add(RecordTable.navigationDatabase, 2)
    }
    try add(RecordTable.navigationDatabase, 1, size: 8)
    #expect(throws: RecordRefusal.keyTooLong(size: 256, sizeMax: 255)) {
      try self.schedule.add(
        RecordTable.appDefaults, key: [UInt8](repeating: 1, count: 256), value: nil,
        over: self.none, at: self.start)
    }
  }

  @Test mutating func theNumberOfWaitingRecordsIsBounded() throws {
    for number in 0..<100 {
      try schedule.add(
        RecordTable.track, key: [UInt8(number)], value: [UInt8](repeating: 0, count: 4_000),
        over: none, at: start)
    }
    #expect(schedule.waitingSize <= StorageLimits.waitingSizeMax)
    #expect(schedule.droppedCount == 68)
  }
}

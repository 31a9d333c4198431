import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Decisions while a write does not return.
@Suite struct SlowDiskTests {
  private static let off = StateOrder.setServices(isOn: false)
  private static let patience = StorageLimits.denialPatience

  /// Takes a decision about a record with a key.
  private static func decide(
    _ direction: Decision<StateOrder>.Direction, _ kind: RecordKind, key: UInt8, _ value: UInt8,
    in desk: inout RecordKeeperTests.Desk
  ) throws {
    let decision = Decision(
      direction, changes: [try kind.change(key: [key], to: [value])], then: [StateOrder]())
    desk.settled += desk.keeper.decide(
      decision, for: .engine, at: desk.now, into: &desk.effects)
  }

  /// The first byte of the key and of the value of each change that was ordered, after the first commit.
  private static func laterChanges(of desk: RecordKeeperTests.Desk) -> [[UInt8]] {
    desk.commits.dropFirst().flatMap(\.changes).map { change in
      guard case .put(let value, _) = change.action else { return change.name.key }
      return change.name.key + value
    }
  }

  @Test func aDenialUnderWayHasItsEffectAfterTwoSeconds() {
    var desk = RecordKeeperTests.Desk()
    desk.decide(.takesAway, isOn: false, number: 1)
    #expect(desk.keeper.nextDeadline == Instant.zero + SlowDiskTests.patience)
    desk.wait(SlowDiskTests.patience - .milliseconds(1))
    #expect(desk.settled.isEmpty)
    desk.wait(.milliseconds(1))
    #expect(desk.settled.map(\.orders) == [[SlowDiskTests.off]])
    #expect(desk.settled.last?.failure?.kind == .late)
    #expect(desk.keeper.nextDeadline == nil)
    // The disk answers: nothing follows.
    desk.answer()
    desk.wait(.seconds(60))
    #expect(desk.settled.count == 1)
    #expect(desk.commits.count == 1)
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
    #expect(desk.keeper.isSettled)
  }

  @Test func aDenialThatHadItsEffectIsTriedAgainWhenItsWriteFails() {
    var desk = RecordKeeperTests.Desk()
    desk.decide(.takesAway, isOn: false, number: 1)
    desk.wait(SlowDiskTests.patience)
    desk.answer(.fault(.inputOutput))
    desk.wait(StorageLimits.retryDelay)
    #expect(desk.commits.count == 2)
    desk.answer()
    #expect(desk.settled.count == 1)
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
    #expect(desk.keeper.isSettled)
  }

  /// Neither the grant under way nor one that waits undoes the denial, whether the disk answers or fails.
  @Test(arguments: [CommitFailure?.none, .fault(.inputOutput)])
  func aDenialThatWaitsHasItsEffectAfterTwoSecondsAndIsWrittenFirst(_ failure: CommitFailure?) {
    var desk = RecordKeeperTests.Desk()
    desk.decide(.gives, isOn: true, number: 1)
    desk.decide(.gives, isOn: true, number: 2)
    desk.decide(.takesAway, isOn: false, number: 3)
    desk.wait(SlowDiskTests.patience)
    #expect(desk.settled.map(\.orders) == [[], [], [SlowDiskTests.off]])
    #expect(desk.settled.map(\.failure?.kind) == [.busy, .busy, .late])
    desk.answer(failure)
    #expect(desk.commits.count == 2)
    desk.answer()
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
    desk.wait(.seconds(60))
    #expect(desk.settled.count == 3)
    #expect(desk.commits.count == 2)
    #expect(desk.keeper.isSettled)
  }

  @Test func aGrantAfterADenialThatHadItsEffectCounts() {
    var desk = RecordKeeperTests.Desk()
    desk.decide(.gives, isOn: true, number: 1)
    desk.decide(.takesAway, isOn: false, number: 2)
    desk.wait(SlowDiskTests.patience)
    desk.decide(.gives, isOn: true, number: 3)
    desk.wait(.seconds(60))
    #expect(desk.settled.count == 2)
    for _ in 1...3 { desk.answer() }
    #expect(desk.settled.last?.orders == [.setServices(isOn: true)])
    #expect(desk.settled.last?.failure == nil)
    #expect(desk.keeper.records[RecordKeeperTests.name] == [1])
    #expect(desk.keeper.isSettled)
  }

  @Test func aGrantWaitsForTheDiskWithoutALimit() {
    var desk = RecordKeeperTests.Desk()
    desk.decide(.gives, isOn: true, number: 1)
    #expect(desk.keeper.nextDeadline == nil)
    desk.wait(.seconds(3_600))
    #expect(desk.settled.isEmpty)
  }

  /// The records are still in the log, so apps would get erased defaults again.
  @Test func anErasureWaitsForTheDiskWithoutALimit() {
    var desk = RecordKeeperTests.Desk()
    desk.decide(.gives, isOn: true, number: 1)
    let erasure = Decision(
      .takesAway, changes: [Change(RecordKeeperTests.name, .remove)],
      then: [StateOrder.forget(.all)])
    desk.settled += desk.keeper.decide(
      erasure, for: .engine, at: desk.now, into: &desk.effects)
    #expect(desk.keeper.nextDeadline == nil)
    desk.wait(.seconds(3_600))
    #expect(desk.settled.isEmpty)
    for _ in 1...2 { desk.answer() }
    #expect(desk.settled.map(\.orders) == [[.setServices(isOn: true)], [.forget(.all)]])
  }

  @Test func aValueThatEqualsTheLogIsWrittenAfterADenialThatHadItsEffect() throws {
    var desk = RecordKeeperTests.Desk()
    desk.decide(.gives, isOn: true, number: 1)
    desk.answer()
    try SlowDiskTests.decide(.gives, RecordTable.grant, key: 8, 4, in: &desk)
    desk.decide(.takesAway, isOn: false, number: 2)
    desk.wait(SlowDiskTests.patience)
    desk.keep(RecordTable.locationServices, [1])
    for _ in 1...2 { desk.answer() }
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
    desk.wait(.seconds(600))
    desk.answer()
    #expect(desk.keeper.records[RecordKeeperTests.name] == [1])
  }

  @Test func denialsAreWrittenBeforeGrantsExceptEarlierOnesOfTheirRecords() throws {
    var desk = RecordKeeperTests.Desk()
    let defaults = RecordTable.appDefaults
    let grant = RecordTable.grant
    try SlowDiskTests.decide(.gives, defaults, key: 0, 1, in: &desk)
    try SlowDiskTests.decide(.gives, defaults, key: 1, 1, in: &desk)
    try SlowDiskTests.decide(.takesAway, grant, key: 7, 2, in: &desk)
    try SlowDiskTests.decide(.gives, grant, key: 8, 4, in: &desk)
    try SlowDiskTests.decide(.gives, defaults, key: 2, 1, in: &desk)
    try SlowDiskTests.decide(.takesAway, grant, key: 8, 2, in: &desk)
    try SlowDiskTests.decide(.takesAway, grant, key: 9, 2, in: &desk)
    for _ in 0...6 { desk.answer() }
    #expect(
      SlowDiskTests.laterChanges(of: desk) == [
        [7, 2], [1, 1], [8, 4], [8, 2], [9, 2], [2, 1],
      ])
    #expect(desk.settled.allSatisfy { $0.failure == nil })
    #expect(desk.settled.count == 7)
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

@Suite struct RecordKeeperTests {
  /// A keeper and what it has ordered, in time that a test sets.
  struct Desk {
    var keeper = RecordKeeper()
    var effects: [Effect] = []
    var settled: [RecordKeeper.CommitOutcome] = []
    var now = Instant.zero

    static let receipt = CommitReceipt(
      sequence: 1, bytesWritten: 4_096, flushCount: 1, isCompaction: false)

    init(_ reading: StateReading? = StateReading()) {
      if let reading { read(reading) }
    }

    mutating func read(_ reading: StateReading) {
      settled += keeper.read(reading, at: now, into: &effects)
    }

    mutating func keep(_ kind: RecordKind, _ value: [UInt8]?) {
      settled += keeper.keep(kind, value: value, at: now, into: &effects)
    }

    mutating func decide(_ direction: Decision<StateOrder>.Direction, isOn: Bool, number: UInt32) {
      let change = Change(
        RecordName(kind: RecordTable.locationServices.number),
        .put([isOn ? 1 : 0], isCautious: true))
      settled += keeper.decide(
        Decision(direction, changes: [change], then: [.setServices(isOn: isOn)]),
        for: .client(ClientID(number: number), request: number), at: now, into: &effects)
    }

    /// The commits that were ordered, each as what it puts.
    var commits: [(number: UInt32, changes: [Change])] {
      effects.compactMap {
        guard case .storage(.commit(let number, let changes)) = $0 else { return nil }
        return (number, changes)
      }
    }

    mutating func answer(_ failure: CommitFailure? = nil) {
      guard let number = commits.last?.number else { return }
      if let failure {
        settled += keeper.failed(number, failure, at: now, into: &effects)
      } else {
        settled += keeper.committed(number, Desk.receipt, at: now, into: &effects)
      }
    }

    mutating func wait(_ interval: Interval) {
      now += interval
      settled += keeper.deadlineReached(at: now, into: &effects)
    }

    var lines: [String] {
      effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
    }
  }

  static let name = RecordName(kind: RecordTable.locationServices.number)

  @Test func nothingFollowsFromADecisionBeforeItsCommit() {
    for direction in [Decision<StateOrder>.Direction.gives, .takesAway] {
      var desk = Desk()
      desk.decide(direction, isOn: true, number: 1)
      #expect(desk.settled.isEmpty)
      #expect(desk.commits.count == 1)
      desk.answer()
      #expect(desk.settled.map(\.orders) == [[.setServices(isOn: true)]])
      #expect(desk.settled.allSatisfy { $0.failure == nil })
      #expect(desk.keeper.records[RecordKeeperTests.name] == [1])
    }
  }

  @Test func aFailingDiskRefusesGrantsAndNotDenials() {
    var desk = Desk()
    desk.decide(.gives, isOn: true, number: 1)
    desk.answer(.fault(.noSpace))
    #expect(desk.settled.last?.orders == [])
    #expect(desk.settled.last?.failure?.kind == .notWritten)
    desk.decide(.takesAway, isOn: false, number: 2)
    desk.answer(.fault(.noSpace))
    #expect(desk.settled.last?.orders == [.setServices(isOn: false)])
    #expect(desk.settled.last?.failure?.kind == .notWritten)
    #expect(desk.lines == ["state: not written: no space is left on the disk"])
  }

  @Test func aFaultOfTheMarkIsLoggedWhenItBeginsAndWhenItEnds() {
    var desk = Desk()
    for fault in ["the disk is full", "a bad sector", nil, nil] {
      desk.keeper.markChanged(fault: fault, into: &desk.effects)
      var report = Report()
      desk.keeper.add(to: &report)
      #expect(report[.stateMarkFault] == fault)
      #expect(report[.stateKept] == true)
    }
    #expect(
      desk.effects == [
        .log(.warning, "state: the disk is full; 'binnacle doctor' names the remedy"),
        .log(.notice, "state: the mark of the log was written again"),
      ])
  }

  @Test func aDenialIsWrittenWhenTheDiskWorksAgain() {
    var desk = Desk()
    desk.decide(.takesAway, isOn: false, number: 1)
    desk.answer(.fault(.inputOutput))
    desk.wait(.seconds(29))
    #expect(desk.commits.count == 1)
    desk.wait(.seconds(1))
    #expect(desk.commits.count == 2)
    desk.answer()
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
    #expect(desk.lines.last == "state: writing to the disk works again")
  }

  @Test func aLaterDecisionIsNotUndoneByAnEarlierOneThatIsTriedAgain() {
    var desk = Desk()
    desk.decide(.takesAway, isOn: false, number: 1)
    desk.answer(.fault(.inputOutput))
    desk.decide(.gives, isOn: true, number: 2)
    desk.answer()
    desk.wait(.seconds(60))
    #expect(desk.commits.count == 2)
    #expect(desk.keeper.records[RecordKeeperTests.name] == [1])
  }

  @Test func aDecisionAgainstAFailedOneIsWrittenAlthoughItsRecordIsUnchanged() {
    var records = RecordSet()
    records.apply(Change(RecordKeeperTests.name, .put([0], isCautious: true)))
    var desk = Desk(StateReading(records: records))
    desk.decide(.gives, isOn: true, number: 1)
    desk.answer(.fault(.inputOutput))
    // The disk may hold "on" nevertheless.
    desk.decide(.takesAway, isOn: false, number: 2)
    #expect(desk.commits.count == 2)
    #expect(desk.settled.count == 1)
    desk.answer()
    #expect(desk.settled.last?.failure == nil)
    // The control: on a disk that works, an equal value is kept at once.
    desk.decide(.takesAway, isOn: false, number: 3)
    #expect(desk.commits.count == 2)
    #expect(desk.settled.count == 3)
  }

  /// A power cut would otherwise bring back a session that its app has ended.
  @Test func aSessionWhoseWriteFailedIsRemovedFromTheDiskAtOnce() {
    var desk = Desk()
    desk.keep(RecordTable.sessions, [1, 1])
    desk.answer(.fault(.inputOutput))
    // The disk may hold the session nevertheless.
    desk.keep(RecordTable.sessions, nil)
    #expect(desk.commits.map(\.changes.count) == [1, 1])
    #expect(desk.commits.last?.changes.first?.action == .remove)
    // A removal that fails, too, is tried again.
    desk.answer(.fault(.inputOutput))
    desk.wait(StorageLimits.retryDelay)
    #expect(desk.commits.map(\.changes.count) == [1, 1, 1])
    desk.answer()
    // The control: on a disk that works, an equal value is not written.
    desk.keep(RecordTable.sessions, nil)
    desk.wait(.seconds(60))
    #expect(desk.commits.count == 3)
    #expect(desk.keeper.isSettled)
  }

  @Test func aLaterFailedDecisionKeepsAnEarlierDenial() {
    var desk = Desk()
    desk.decide(.takesAway, isOn: false, number: 3)
    desk.answer(.fault(.inputOutput))
    desk.decide(.gives, isOn: true, number: 4)
    desk.answer(.fault(.inputOutput))
    desk.wait(.seconds(60))
    desk.answer()
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
  }

  @Test func decisionsAreCommitsOfTheirOwnInTheirOrder() {
    var desk = Desk()
    for number: UInt32 in 1...4 { desk.decide(.gives, isOn: number % 2 == 1, number: number) }
    #expect(desk.commits.count == 1)
    for _ in 1...4 { desk.answer() }
    #expect(desk.commits.map(\.changes.count) == [1, 1, 1, 1])
    #expect(
      desk.settled.map(\.requester) == (1...4).map { .client(ClientID(number: $0), request: $0) })
  }

  @Test func anEqualValueWritesNothingAndIsKeptAtOnce() {
    var desk = Desk()
    desk.decide(.gives, isOn: true, number: 1)
    desk.answer()
    desk.decide(.gives, isOn: true, number: 2)
    #expect(desk.settled.count == 2)
    #expect(desk.commits.count == 1)
    desk.keep(RecordTable.receiverSpeed, [1, 2, 3, 4])
    desk.answer()
    desk.keep(RecordTable.receiverSpeed, [1, 2, 3, 4])
    desk.wait(.seconds(3_600))
    #expect(desk.commits.count == 2)
    #expect(desk.keeper.isSettled)
    #expect(desk.keeper.nextDeadline == nil)
  }

  @Test func aLazyRecordWaitsForTheNextCommit() {
    var desk = Desk()
    desk.keep(RecordTable.lastFix, [1])
    #expect(desk.commits.isEmpty)
    #expect(desk.keeper.nextDeadline == .zero + .seconds(600))
    desk.decide(.gives, isOn: true, number: 1)
    #expect(desk.commits.first?.changes.map(\.name.kind) == [1, 3])
    desk.answer()
    #expect(desk.keeper.nextDeadline == nil)
    // A value that went back to what is on the disk has nothing to wait for.
    desk.keep(RecordTable.lastFix, [2])
    desk.keep(RecordTable.lastFix, [1])
    #expect(desk.keeper.nextDeadline == nil)
  }

  @Test func aCompanionRecordDoesNotFailADecision() {
    var desk = Desk()
    desk.keep(RecordTable.lastFix, [1])
    desk.decide(.gives, isOn: true, number: 1)
    desk.answer(.full(size: 2, sizeMax: 1))
    #expect(desk.settled.isEmpty)
    #expect(desk.commits.last?.changes.map(\.name.kind) == [1])
    desk.answer()
    #expect(desk.settled.last?.failure == nil)
    desk.wait(.seconds(30))
    #expect(desk.commits.last?.changes.map(\.name.kind) == [3])
  }

  /// A session that its app has ended would otherwise stay on the disk while any other record finds no room.
  @Test func aRemovalDoesNotWaitForAChangeThatFindsNoRoom() throws {
    let session = try #require(RecordTable.sessions.named())
    var records = RecordSet()
    records.apply(Change(session, .put([1, 1], isCautious: true)))
    var desk = Desk(StateReading(records: records))
    desk.keep(RecordTable.receiverSpeed, [1, 2, 3, 4])
    desk.keep(RecordTable.consoleUses, [1, 2, 3])
    desk.keep(RecordTable.sessions, nil)
    desk.answer()
    #expect(desk.commits.last?.changes.map(\.name.kind) == [19, 13])
    desk.answer(.full(size: 2, sizeMax: 1))
    #expect(desk.commits.last?.changes == [Change(session, .remove)])
    desk.answer()
    #expect(desk.keeper.records[session] == nil)
    #expect(desk.commits.count == 3)
    // The other change is tried again alone, and waits while the log is full.
    for count in 4...5 {
      desk.wait(StorageLimits.retryDelay)
      #expect(desk.commits.count == count)
      #expect(desk.commits.last?.changes.map(\.name.kind) == [19])
      desk.answer(.full(size: 2, sizeMax: 1))
    }
  }

  @Test func withoutALogTheServiceContinuesAndNothingIsPromised() {
    let reading = StateReading(obstacle: .init(.passing, "no space"))
    var desk = Desk(reading)
    desk.decide(.gives, isOn: true, number: 1)
    #expect(desk.settled.last?.failure == .init(.closed, "no space"))
    #expect(desk.settled.last?.orders == [])
    desk.decide(.takesAway, isOn: false, number: 2)
    #expect(desk.settled.last?.orders == [.setServices(isOn: false)])
    #expect(desk.keeper.isSettled)
    desk.wait(.seconds(30))
    #expect(desk.effects.last == .storage(.open))
    desk.read(reading)
    desk.wait(.seconds(30))
    desk.read(StateReading())
    #expect(desk.lines == ["state: nothing is kept: no space", "state: the log is open again"])
    desk.wait(.seconds(30))
    desk.answer()
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
  }

  @Test func aPermanentFaultIsNotTriedAgain() {
    var desk = Desk(StateReading(obstacle: .init(.lasting, "a newer version wrote it")))
    #expect(desk.keeper.nextDeadline == nil)
    desk.wait(.seconds(3_600))
    #expect(!desk.effects.contains(.storage(.open)))
  }

  @Test func atACleanStopEverythingIsWritten() {
    var desk = Desk()
    desk.keep(RecordTable.lastFix, [1])
    #expect(!desk.keeper.isSettled)
    desk.settled += desk.keeper.stopping(at: desk.now, into: &desk.effects)
    #expect(!desk.keeper.isSettled)
    desk.answer()
    #expect(desk.keeper.isSettled)
    // A disk that fails does not hold up the end.
    desk.keep(RecordTable.lastFix, [2])
    desk.answer(.fault(.inputOutput))
    #expect(desk.keeper.isSettled)
  }

  @Test func tooManyDecisionsAreRefused() {
    var desk = Desk()
    for number in 0...UInt32(StorageLimits.decisionsWaitingMax + 1) {
      desk.decide(.gives, isOn: number % 2 == 0, number: number)
    }
    #expect(desk.settled.map(\.failure?.kind) == [.busy])
  }

  /// The denial counts at once.
  ///
  /// Neither the grant under way nor one that waits may then take effect, whether the commit
  /// succeeds or not.
  @Test(arguments: [CommitFailure?.none, .fault(.inputOutput)])
  func anEarlierDecisionDoesNotUndoADenialThatFindsNoPlace(_ failure: CommitFailure?) {
    var desk = Desk()
    for number in 0...UInt32(StorageLimits.decisionsWaitingMax) {
      desk.decide(.gives, isOn: true, number: number)
    }
    #expect(desk.settled.isEmpty)
    desk.decide(.takesAway, isOn: false, number: 99)
    #expect(desk.settled.count == StorageLimits.decisionsWaitingMax + 2)
    #expect(desk.settled.allSatisfy { $0.failure?.kind == .busy })
    #expect(
      desk.settled.filter { !$0.orders.isEmpty }.map(\.requester) == [desk.settled.last?.requester])
    #expect(desk.settled.last?.orders == [.setServices(isOn: false)])
    let count = desk.settled.count
    desk.answer(failure)
    desk.wait(StorageLimits.retryDelay)
    desk.answer()
    #expect(desk.settled.count == count)
    #expect(desk.keeper.records[RecordKeeperTests.name] == [0])
    #expect(desk.keeper.isSettled)
  }

  @Test func theSpeedThatWasKeptIsTriedFirst() {
    var records = RecordSet()
    records.apply(
      Change(
        RecordName(kind: RecordTable.receiverSpeed.number),
        .put(ReceiverSpeedRecord(speed: 57_600).value, isCautious: false)))
    let desk = EngineDesk(reading: StateReading(records: records))
    var opened = desk
    opened.run(seconds: 0)
    #expect(opened.effects.contains(.receiver(.open(speed: 57_600))))
    // The profile takes precedence.
    var other = EngineDesk(lastSpeed: 38_400, reading: StateReading(records: records))
    other.run(seconds: 0)
    #expect(other.effects.contains(.receiver(.open(speed: 38_400))))
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// An erase removes records from the disk and from memory.
@Suite struct EraseTests {
  /// A board that has tracked for minutes and keeps what it found, beside what an app keeps.
  static func tracked() -> EngineDesk {
    var records = RecordSet()
    for key in ["org.a\0one", "org.a\0two", "org.ab\0one"] {
      guard let name = RecordTable.appDefaults.named(Array(key.utf8)) else { continue }
      records.apply(Change(name, .put([1], isCautious: false)))
    }
    var desk = EngineDesk(reading: StateReading(records: records)) { $0.power.sleeps = false }
    desk.open(app: .listed("org.a"))
    desk.run(seconds: 200)
    // Lazy records are written before the erase.
    desk.run(seconds: 700)
    return desk
  }

  static func erase(_ subject: EraseSubject, _ desk: inout EngineDesk) {
    desk.commits = []
    desk.effects = []
    desk.send(.client(EngineDesk.client, .requested(9, .state(.erase(subject)))))
  }

  static func kinds(_ desk: EngineDesk) -> Set<UInt16> {
    Set(desk.engine.storage.state.records.entries.map(\.name.kind))
  }

  static let answer = Effect.client(EngineDesk.client, .answer(request: 9, failure: nil))

  @Test func anEraseIsAnsweredAfterItsCommit() {
    var desk = EraseTests.tracked()
    desk.holdsCommits = true
    #expect(EraseTests.kinds(desk).contains(RecordTable.lastFix.number))
    EraseTests.erase(.fix, &desk)
    #expect(!desk.effects.contains(EraseTests.answer))
    desk.holdsCommits = false
    desk.release()
    #expect(desk.effects.contains(EraseTests.answer))
    #expect(desk.commits.joined().contains(Change(.init(kind: 3), .remove)))
    #expect(desk.engine.receiver.memory.assistance.place == nil)
  }

  @Test func erasingASubjectKeepsOtherSubjects() {
    var desk = EraseTests.tracked()
    let before = EraseTests.kinds(desk)
    EraseTests.erase(.counters, &desk)
    #expect(EraseTests.kinds(desk) == before.subtracting([RecordTable.counters.number]))
    #expect(desk.report()["life.fixes"] == .integer(0))
    #expect(desk.report()["life.starts"] == .integer(1))
    desk.run(seconds: 10)
    guard case .integer(let fixes) = desk.report()["life.fixes"] else {
      Issue.record("there is no count")
      return
    }
    #expect((8...12).contains(fixes))
  }

  @Test func defaultsOfOneAppAreNotThoseOfAnotherWhoseNameBeginsAlike() {
    var desk = EraseTests.tracked()
    EraseTests.erase(.defaults(app: "org.a"), &desk)
    let keys = desk.engine.storage.state.records.entries.filter { $0.name.kind == 8 }.map(
      \.name.key)
    #expect(keys == [Array("org.ab\0one".utf8)])
    EraseTests.erase(.defaults(app: nil), &desk)
    #expect(!EraseTests.kinds(desk).contains(RecordTable.appDefaults.number))
  }

  @Test(arguments: ["org", "org.b"])
  func anAppWithoutDefaultsIsRefusedAndNothingIsErased(_ app: String) {
    var desk = EraseTests.tracked()
    EraseTests.erase(.defaults(app: app), &desk)
    var refusals: [ConsentFailure] = []
    for case .client(EngineDesk.client, .consentRefusal(request: 9, let refusal)) in desk.effects {
      refusals.append(refusal.kind)
    }
    #expect(refusals == [.appUnknown] && !desk.effects.contains(EraseTests.answer))
    #expect(desk.engine.storage.state.records.count(ofKind: RecordTable.appDefaults.number) == 3)
  }

  @Test func erasedSequencesAreNotResumedAgain() {
    var desk = EraseTests.tracked()
    #expect(EraseTests.kinds(desk).contains(RecordTable.liveUpdates.number))
    EraseTests.erase(.sequences, &desk)
    #expect(!EraseTests.kinds(desk).contains(RecordTable.liveUpdates.number))
    desk.send(.client(EngineDesk.client, .disconnected))
    #expect(desk.report()["outstanding.sequences"] == .integer(0))
    desk.run(seconds: 120)
    #expect(!EraseTests.kinds(desk).contains(RecordTable.liveUpdates.number))
  }

  @Test func erasingEverythingKeepsTheServicesSwitchAndTheSpeed() {
    var desk = EraseTests.tracked()
    ServiceSwitchTests.wants(false, &desk)
    desk.run(seconds: 10)
    EraseTests.erase(.all, &desk)
    #expect(
      EraseTests.kinds(desk) == [
        RecordTable.locationServices.number, RecordTable.receiverSpeed.number,
      ])
    #expect(desk.report()["services.on"] == .flag(false))
    // No erased record returns while no client gets positions.
    desk.run(seconds: 1_300)
    #expect(!EraseTests.kinds(desk).contains(RecordTable.lastFix.number))
    #expect(!EraseTests.kinds(desk).contains(RecordTable.navigationDatabase.number))
  }

  @Test func anEraseCoversWaitingRecords() {
    var desk = EngineDesk()
    desk.open()
    desk.run(seconds: 60)
    // The last position is lazy, so it still waits.
    #expect(!EraseTests.kinds(desk).contains(RecordTable.lastFix.number))
    desk.send(.client(EngineDesk.client, .updatesClosed(SequenceID(number: 1))))
    EraseTests.erase(.fix, &desk)
    desk.run(seconds: 1_300)
    let places = desk.commits.joined().filter { $0.name.kind == 3 && $0.action != .remove }
    #expect(places.isEmpty)
  }

  @Test func aFailingDiskIsReportedAndTheEraseStillCounts() {
    var desk = EraseTests.tracked()
    desk.failure = .fault(.noSpace)
    EraseTests.erase(.fix, &desk)
    let failures = desk.effects.compactMap {
      if case .client(_, .answer(9, let failure)) = $0 { failure } else { nil }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("no space is left") == true)
    #expect(desk.engine.receiver.memory.assistance.place == nil)
    // It is written when there is space again.
    desk.send(.client(EngineDesk.client, .updatesClosed(SequenceID(number: 1))))
    desk.failure = nil
    desk.run(seconds: 60)
    #expect(!EraseTests.kinds(desk).contains(RecordTable.lastFix.number))
  }

  // MARK: What was written

  static func writes(_ desk: inout EngineDesk) -> Report {
    desk.send(.client(EngineDesk.client, .requested(10, .state(.writes))))
    for case .client(_, .reportWrites(10, let report)) in desk.effects.reversed() { return report }
    return Report()
  }

  @Test func writesAreCountedByHourAndByTheMostUrgentClass() {
    var book = WriteStatistics()
    let receipt = CommitReceipt(sequence: 1, bytesWritten: 100, flushCount: 1, isCompaction: false)
    func record(_ kind: RecordKind) -> Change {
      Change(.init(kind: kind.number), .put([], isCautious: false))
    }
    let start = Instant.zero + .seconds(100)
    book.add(
      receipt, of: [record(RecordTable.lastFix), record(RecordTable.receiverSpeed)], at: start)
    book.add(receipt, of: [record(RecordTable.lastFix)], at: start)
    book.add(
      .init(sequence: 2, bytesWritten: 900, flushCount: 1, isCompaction: true),
      of: [record(RecordTable.track)], at: start + .seconds(3_600))
    book.add(
      .init(sequence: nil, bytesWritten: 0, flushCount: 0, isCompaction: false), of: [], at: start)
    var report = Report()
    book.add(to: &report, at: start + .seconds(3_600))
    #expect(report["writes.now.bytes"] == .integer(100))
    #expect(report["writes.lazy.commits"] == .integer(1))
    #expect(report["writes.group.copies"] == .integer(1))
    #expect(report["writes.hour_1.now.flushes"] == .integer(1))
    #expect(report["writes.hour_0.group.bytes"] == .integer(900))
    #expect(report["writes.hour_0.now.bytes"] == nil)
    // After a day only the sum is left.
    report = Report()
    book.add(to: &report, at: start + .seconds(86_400 + 3_600))
    #expect(!report.items.contains { $0.name.contains("hour") })
    #expect(report["writes.now.bytes"] == .integer(100))
  }

  @Test func aYearOfHoursTakesNoMoreMemoryThanADay() {
    var book = WriteStatistics()
    let receipt = CommitReceipt(sequence: 1, bytesWritten: 1, flushCount: 1, isCompaction: false)
    for hour in 0..<Int64(8_760) {
      book.add(receipt, of: [], at: .zero + .seconds(3_600 * hour))
    }
    var report = Report()
    book.add(to: &report, at: .zero + .seconds(3_600 * 8_759))
    #expect(book.hours.count == 24)
    #expect(report.items.count { $0.name.contains("hour") } == 24 * 4)
    #expect(report["writes.now.commits"] == .integer(8_760))
  }

  @Test func theEngineCountsItsCommits() {
    var desk = EraseTests.tracked()
    let report = EraseTests.writes(&desk)
    guard case .integer(let now) = report["writes.now.commits"],
      case .integer(let group) = report["writes.group.commits"],
      case .integer(let lazy) = report["writes.lazy.commits"]
    else {
      Issue.record("there is no count")
      return
    }
    #expect(now > 0 && group + lazy > 0)
    #expect(desk.report()["state.commits"] == .integer(now + group + lazy))
  }
}

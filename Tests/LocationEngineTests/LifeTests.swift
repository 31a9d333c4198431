import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

/// Counters over the board's life, and the writes that an idle board avoids.
@Suite struct LifeTests {
  /// The records of a run on the disk.
  static func records(of desk: EngineDesk, over before: RecordSet = RecordSet()) -> RecordSet {
    var records = before
    for change in desk.commits.joined() { records.apply(change) }
    return records
  }

  static func start(
    _ records: RecordSet = RecordSet(), receiver seed: UInt64 = 1, after seconds: Int64 = 0,
    sleeps: Bool = true
  ) -> EngineDesk {
    EngineDesk(
      .m10, lastSpeed: 9_600, seed: seed, path: .journey,
      startSeconds: 1_790_000_000 + seconds, reading: StateReading(records: records)
    ) { $0.power.sleeps = sleeps }
  }

  static func number(_ report: Report, _ name: String) -> Int64 {
    guard case .integer(let number)? = report["life.\(name)"] else { return -1 }
    return number
  }

  static func counters(in records: RecordSet) -> LifeCounters? {
    records[RecordName(kind: RecordTable.counters.number)].flatMap { LifeCounters(bytes: $0) }
  }

  @Test func theBoardsLifeContinuesOverStarts() throws {
    var first = Self.start()
    first.open()
    first.run(seconds: 100)
    first.send(.stopRequested)
    first.run(seconds: 5)
    let kept = Self.records(of: first)
    let counters = try #require(Self.counters(in: kept))
    #expect(counters.isCleanlyStopped)
    #expect(counters[.starts] == 1)
    #expect((98...101).contains(counters[.trackingSeconds]))
    #expect((95...101).contains(counters[.receiverSeconds]))
    #expect((80...100).contains(counters[.fixes]))
    var second = Self.start(kept, after: 1_000)
    second.open()
    second.run(seconds: 50)
    second.plug(false)
    second.run(seconds: 5)
    let report = second.report()
    #expect(Self.number(report, "starts") == 2)
    #expect(Self.number(report, "starts_without_clean_stop") == 0)
    #expect(Self.number(report, "fixes") >= Int64(counters[.fixes]) + 30)
    #expect(Self.number(report, "receiver_losses") == 1)
    #expect(!second.lines.contains { $0.contains("it was not stopped") })
  }

  @Test func aRunThatWasCutOffIsNoticedAtTheNextStart() throws {
    var first = Self.start()
    first.open()
    // Lazy records are written after ten minutes; the second commit contains the cost of the first.
    first.run(seconds: 1_300)
    let kept = Self.records(of: first)
    #expect(Self.counters(in: kept)?.isCleanlyStopped == false)
    var second = Self.start(kept, after: 1_000)
    second.open()
    #expect(Self.number(second.report(), "starts_without_clean_stop") == 1)
    #expect(Self.number(second.report(), "written_bytes") >= 4_096)
    #expect(second.lines.contains { $0.contains("the power was cut, or it was killed") })
  }

  @Test func hoursWithoutProgramsWriteNothingAfterTheStartIsWrittenDown() {
    // A receiver that goes on finding positions is the harder case.
    var desk = Self.start(sleeps: false)
    desk.send(.wallClockRead(desk.receiver.world.utc(at: desk.now), within: .milliseconds(500)))
    desk.run(seconds: 660)
    // The start itself, and which receiver it is.
    #expect(desk.commits.count == 1)
    #expect(desk.commits.joined().count { $0.name.kind == RecordTable.counters.number } == 1)
    desk.run(seconds: 4 * 3_600)
    #expect(desk.commits.count == 1)
    #expect(Self.number(desk.report(), "fixes") >= 14_300)
    // A clean stop writes what has come together.
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    #expect((Self.counters(in: Self.records(of: desk))?[.fixes] ?? 0) >= 14_300)
  }

  @Test func whileAProgramGetsPositionsOneCommitInTenMinutesIsEnough() {
    var desk = Self.start()
    desk.open()
    desk.send(.wallClockRead(desk.receiver.world.utc(at: desk.now), within: .milliseconds(500)))
    desk.run(seconds: 3_600)
    #expect((5...7).contains(desk.commits.count))
  }

  @Test func anotherReceiverIsNoticed() throws {
    var first = Self.start()
    first.open()
    first.run(seconds: 30)
    first.send(.stopRequested)
    first.run(seconds: 5)
    #expect(first.report()["receiver.is_another_than_last_time"] == .flag(false))
    let kept = Self.records(of: first)
    var same = Self.start(kept, after: 100)
    same.run(seconds: 30)
    #expect(same.report()["receiver.is_another_than_last_time"] == .flag(false))
    var other = Self.start(kept, receiver: 2, after: 100)
    other.run(seconds: 30)
    #expect(other.report()["receiver.is_another_than_last_time"] == .flag(true))
    #expect(other.lines.count { $0.contains("another receiver than last time") } == 1)
    #expect(!same.lines.contains { $0.contains("another receiver than last time") })
  }

  @Test func neitherLogNorReportContainsAPlace() throws {
    var desk = Self.start()
    desk.open()
    desk.send(.wallClockRead(desk.receiver.world.utc(at: desk.now), within: .milliseconds(500)))
    desk.run(seconds: 100)
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    let fix = try #require(desk.fixes.last)
    let texts = desk.lines + desk.report().items.map { "\($0.value)" }
    for degrees in [fix.latitude, fix.longitude] {
      let shown = String("\(degrees)".prefix(5))
      let scaled = String("\(Int(degrees * 1e7))".prefix(5))
      #expect(!texts.contains { $0.contains(shown) || $0.contains(scaled) })
    }
  }

  // MARK: The parts

  @Test func countersKeepFieldsOfANewerVersion() throws {
    var counters = LifeCounters()
    counters.add(7, to: .starts)
    counters.add(.max, to: .flushes)
    counters.add(1, to: .flushes)
    counters.isCleanlyStopped = true
    #expect(counters[.flushes] == .max)
    #expect(LifeCounters(bytes: counters.bytes) == counters)
    var newer = counters.bytes
    newer[2] += 1
    newer += [1, 2, 3, 4, 5, 6, 7, 8]
    let read = try #require(LifeCounters(bytes: newer))
    #expect(read[.starts] == 7)
    #expect(read.bytes == newer)
    // One number fewer, as an older program has written it.
    var older = counters.bytes
    older[2] -= 1
    older.removeLast(8)
    #expect(LifeCounters(bytes: older)?[.flushes] == 0)
    for count in 0..<counters.bytes.count {
      #expect(LifeCounters(bytes: Array(counters.bytes.prefix(count))) == nil)
    }
  }

  @Test func storedCountersAreNotOverwrittenBeforeTheyAreRead() {
    var book = LifeStatistics()
    book.observe(isTracking: true, isHearing: true, at: .zero)
    #expect(book.counters(.init(), at: .zero + .seconds(5)) == nil)
    var entry = book.takeEntry(at: .zero + .seconds(5))
    #expect(!entry)
    var kept = LifeCounters()
    kept.add(100, to: .trackingSeconds)
    kept.isCleanlyStopped = true
    #expect(book.adopt(kept) == .cleanStop)
    entry = book.takeEntry(at: .zero + .seconds(6))
    #expect(entry)
    let counters = book.counters(.init(fixes: 3), at: .zero + .seconds(6))
    #expect(counters?[.trackingSeconds] == 106)
    #expect(counters?[.fixes] == 3)
    #expect(counters?.isCleanlyStopped == false)
  }
}

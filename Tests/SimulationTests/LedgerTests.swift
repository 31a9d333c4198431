import BinnacleBasics
import BinnacleModel
import StateLog
import Testing
import UBX

@testable import LocationEngine
@testable import Simulation

/// The checkers' ledgers on their own: the promises that each ledger checks, and the deviations that each allows.
@Suite struct LedgerTests {
  private static let walker = AppID.unlisted(userID: 0, executable: "/usr/bin/walker")
  private static let client = ClientID(number: 4)

  private static func instant(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64(seconds * 1e9))
  }

  // MARK: Outstanding updates

  /// A ledger with so many open sequences of an app, which the disk has recorded.
  private static func ledger(open count: UInt32) throws -> OutstandingLedger {
    var ledger = OutstandingLedger()
    let peer = Peer(userID: 0, processID: 1, app: walker, isOperator: true)
    ledger.delivered(.client(client, .connected(peer, program: "walker")), at: instant(0))
    for number in 1...count {
      ledger.delivered(
        .client(client, .updatesOpened(SequenceID(number: number), .default)), at: instant(0))
    }
    try keep(Int(count), number: 1, in: &ledger, at: 0.1)
    return ledger
  }

  private static func keep(
    _ count: Int, number: UInt32, fails: Bool = false, in ledger: inout OutstandingLedger,
    at seconds: Double
  ) throws {
    #expect(ledger.ordered(number, [try change(to: count)]) == nil)
    if fails {
      return ledger.delivered(
        .storage(.commitFailed(number, .fault(.inputOutput))), at: instant(seconds))
    }
    let receipt = CommitReceipt(
      sequence: nil, bytesWritten: 512, flushCount: 1, isCompaction: false)
    ledger.delivered(.storage(.committed(number, receipt)), at: instant(seconds))
  }

  private static func change(to count: Int) throws -> Change {
    var record = LiveUpdatesRecord()
    record[.default] = count
    return try RecordTable.liveUpdates.change(
      key: #require(walker.recordKey), to: record.value)
  }

  /// Seed 1428034352.
  @Test func theTimeOfAnEndedSequenceCountsFromTheRecordInForce() throws {
    var ledger = try LedgerTests.ledger(open: 2)
    ledger.delivered(
      .client(LedgerTests.client, .updatesClosed(SequenceID(number: 1))),
      at: LedgerTests.instant(10))
    try LedgerTests.keep(1, number: 2, in: &ledger, at: 40)
    ledger.delivered(
      .client(LedgerTests.client, .updatesClosed(SequenceID(number: 2))),
      at: LedgerTests.instant(40.1))
    #expect(ledger.overdue(at: LedgerTests.instant(72)) == nil)
    #expect(ledger.overdue(at: LedgerTests.instant(72.2))?.hasPrefix("ended updates of") == true)
  }

  @Test func anEndedSequenceIsForgottenAfterAWhile() throws {
    var ledger = try LedgerTests.ledger(open: 1)
    ledger.delivered(
      .client(LedgerTests.client, .updatesClosed(SequenceID(number: 1))),
      at: LedgerTests.instant(10))
    #expect(ledger.overdue(at: LedgerTests.instant(41)) == nil)
    #expect(ledger.overdue(at: LedgerTests.instant(42.1)) != nil)
  }

  /// Seed 2606799136: of several failed commits, any may be on the disk.
  @Test func anyOfTheFailedCommitsMayBeFoundAfterAPowerCut() throws {
    for found in 1...4 {
      var ledger = try LedgerTests.ledger(open: 1)
      for number in UInt32(2)...3 {
        ledger.delivered(
          .client(LedgerTests.client, .updatesOpened(SequenceID(number: number), .default)),
          at: LedgerTests.instant(Double(number)))
        try LedgerTests.keep(
          Int(number), number: number, fails: true, in: &ledger, at: Double(number) + 0.1)
      }
      var records = RecordSet()
      records.apply(try LedgerTests.change(to: found))
      #expect((ledger.powerCut(found: records) == nil) == (found < 4))
    }
  }

  // MARK: Orders

  @Test func anOrderWithoutAnAnswerIsWrittenAgain() {
    let question = Poll(CfgRATE.self).frame
    var silent = OrderLedger()
    #expect(silent.wrote(question, at: LedgerTests.instant(1)) == nil)
    #expect(silent.overdue(at: LedgerTests.instant(20)) == nil)
    #expect(silent.overdue(at: LedgerTests.instant(21.1)) != nil)
    // Seed 3543400777.
    var repeating = OrderLedger()
    #expect(repeating.wrote(question, at: LedgerTests.instant(1)) == nil)
    #expect(repeating.wrote(question, at: LedgerTests.instant(2.5)) == nil)
    #expect(repeating.overdue(at: LedgerTests.instant(60)) == nil)
  }

  // MARK: Rests

  /// The time in seconds at which a pause is overdue; nil: the pause is not overdue within 160 s.
  ///
  /// The board has no accelerometer and drives off after 70 s.
  private static func overdue(
    restartedAt: Double? = nil, neededUntil: Double = 0, asleepFrom: Double
  ) -> Double? {
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .journey),
      departure: instant(60))
    var ledger = RestLedger(world, .none)
    let pauser = RestLedger.Pauser(name: "walker", pausedAt: instant(12))
    for step in 0..<640 {
      let seconds = Double(step) / 4
      if seconds == restartedAt { ledger.receiverRestarted(at: instant(seconds)) }
      let isNeeded = (25..<max(25, neededUntil)).contains(seconds)
      let isAwake =
        isNeeded || (restartedAt.map { ($0..<asleepFrom).contains(seconds) } ?? false)
      let complaint = ledger.overdue(
        [pauser], isReceiverNeeded: isNeeded, isReceiverAsleep: seconds >= 15 && !isAwake,
        at: instant(seconds))
      if complaint != nil { return seconds }
    }
    return nil
  }

  /// Seeds 179611158 and 13260.
  @Test func pollIntervalsRestartAfterAResetOfTheReceiver() throws {
    let first = try #require(LedgerTests.overdue(restartedAt: nil, asleepFrom: 15))
    #expect((130.0...131.0).contains(first))
    let later = try #require(LedgerTests.overdue(restartedAt: 29, asleepFrom: 39))
    #expect((154.0...155.0).contains(later))
    // Seed 3422774858: another client kept the receiver on for a while.
    let needed = try #require(LedgerTests.overdue(neededUntil: 40, asleepFrom: 15))
    #expect((155.0...156.0).contains(needed))
  }

  /// "An idling car sways by 1.5 to 5.4 mg" (`MOTION.md`); a board without shaking sways by zero.
  @Test func theTrueSwayIsThatOfTheRecordings() {
    func sway(_ path: Body.Path, seed: UInt64) -> Double {
      var sway = BodySway(FeltMotion(body: Body(path: path), departure: .zero, seed: seed))
      return sway.greatestMilliG(by: LedgerTests.instant(30))
    }
    #expect(sway(.still, seed: 1) == 0)
    let idling = (UInt64(1)...20).map { sway(.idling, seed: $0) }
    #expect(idling.allSatisfy { (1.0...8.0).contains($0) })
    #expect(idling.contains { $0 < 3.9 } && idling.contains { $0 > 3.9 })
  }

  // MARK: Ages

  @Test func onlyAnOverloadThatEndsExcusesOldSolutions() {
    var ledger = BacklogLedger()
    ledger.noticed(.milliseconds(900), at: LedgerTests.instant(1))
    #expect(ledger.excess(at: LedgerTests.instant(1)) == .zero)
    ledger.noticed(.seconds(3), at: LedgerTests.instant(2))
    ledger.noticed(.seconds(2), at: LedgerTests.instant(3))
    #expect(ledger.excess(at: LedgerTests.instant(3)) == .seconds(2))
    ledger.noticed(.zero, at: LedgerTests.instant(12.5))
    #expect(ledger.excess(at: LedgerTests.instant(12.5)) == .seconds(1))
    ledger.noticed(.zero, at: LedgerTests.instant(14))
    #expect(ledger.excess(at: LedgerTests.instant(14)) == .zero)
    for second in 20...70 {
      ledger.noticed(.seconds(3), at: LedgerTests.instant(Double(second)))
      let excess = ledger.excess(at: LedgerTests.instant(Double(second)))
      #expect(excess == (second < 65 ? .seconds(2) : .zero))
    }
  }
}

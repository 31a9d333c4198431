import BinnacleModel
import LocationEngine
import StateLog
import Testing

@testable import Simulation

/// The ledger of location services on its own: the behaviours that it accepts, and those that it reports.
@Suite struct ServiceLedgerTests {
  private static let name = RecordName(kind: RecordTable.locationServices.number)
  private static let client = ClientID(number: 1)
  private static let position = Update(
    fix: Fix(latitude: 47, longitude: 8, horizontalAccuracy: 3, time: .init(secondsSince1970: 0)))
  private static let off = Update(
    fix: nil, flags: [.authorizationDenied, .authorizationDeniedGlobally])
  private static let receipt = CommitReceipt(
    sequence: 1, bytesWritten: 512, flushCount: 1, isCompaction: false)

  private static func change(isOn: Bool) -> Change {
    Change(name, .put([isOn ? 1 : 0], isCautious: true))
  }

  /// The records on a disk after a power cut; nil: location services were never switched.
  private static func records(isOn: Bool?) -> RecordSet {
    var records = RecordSet()
    if let isOn { records.apply(change(isOn: isOn)) }
    return records
  }

  /// A ledger with a request to switch location services, whose commit is pending.
  private static func asked(
    isOn: Bool, _ ledger: ServiceLedger = ServiceLedger()
  ) -> ServiceLedger {
    var ledger = ledger
    ledger.delivered(.client(client, .requested(7, .setServices(isOn: isOn))))
    ledger.ordered(3, [change(isOn: isOn)])
    return ledger
  }

  /// A ledger of a board whose location services are off, by an acknowledged commit.
  private static func switchedOff() -> ServiceLedger {
    var ledger = asked(isOn: false)
    ledger.delivered(.storage(.committed(3, receipt)))
    return ledger
  }

  @Test func offCountsFromItsCommitOn() {
    var ledger = Self.asked(isOn: false)
    #expect(ledger.delivered(Self.position) == nil)
    #expect(ledger.delivered(Self.off) != nil)
    ledger.delivered(.storage(.committed(2, Self.receipt)))
    #expect(ledger.delivered(Self.position) == nil)
    ledger.delivered(.storage(.committed(3, Self.receipt)))
    #expect(ledger.delivered(Self.position) == "a position while location services are off")
    #expect(ledger.delivered(Self.off) == nil)
  }

  @Test func onCountsFromItsCommitOn() {
    var ledger = Self.asked(isOn: true, Self.switchedOff())
    #expect(ledger.delivered(Self.position) != nil)
    ledger.delivered(.storage(.committed(3, Self.receipt)))
    #expect(ledger.delivered(Self.position) == nil)
  }

  @Test(arguments: [false, true])
  func anAnswerBeforeItsCommitIsWrongAndOneAfterItIsRight(isOn: Bool) {
    var ledger = Self.asked(isOn: isOn, isOn ? Self.switchedOff() : ServiceLedger())
    // Both requests have the number 7; the earlier request gets its answer here.
    if isOn { #expect(ledger.answered(7, failure: nil) == nil) }
    var early = ledger
    #expect(early.answered(7, failure: nil)?.hasSuffix("before the disk has it") == true)
    ledger.delivered(.storage(.committed(3, Self.receipt)))
    #expect(ledger.answered(7, failure: nil) == nil)
    #expect(ledger.answered(7, failure: nil) == "an answer to no request")
  }

  @Test func anUnchangedDecisionIsAnsweredWithoutACommit() {
    var ledger = ServiceLedger()
    ledger.delivered(.client(Self.client, .requested(4, .setServices(isOn: true))))
    #expect(ledger.answered(4, failure: nil) == nil)
  }

  @Test func aRequestToEraseHasAnAnswerToo() {
    var ledger = ServiceLedger()
    #expect(ledger.answered(5, failure: nil) != nil)
    ledger.delivered(.client(Self.client, .requested(5, .state(.erase(.fix)))))
    #expect(ledger.answered(5, failure: nil) == nil)
  }

  @Test func offHoldsAlthoughItsCommitFailedAndMayBeOnTheDisk() {
    var ledger = Self.asked(isOn: false)
    ledger.delivered(.storage(.commitFailed(3, .fault(.noSpace))))
    #expect(ledger.delivered(Self.position) != nil)
    #expect(ledger.answered(7, failure: "no space") == nil)
    for found in [true, false] {
      var cut = ledger
      #expect(cut.powerCut(found: Self.records(isOn: found)) == nil)
    }
  }

  @Test func servicesStayOffWhenTheCommitOfOnFails() {
    var ledger = Self.asked(isOn: true, Self.switchedOff())
    ledger.delivered(.storage(.commitFailed(3, .fault(.inputOutput))))
    #expect(ledger.delivered(Self.position) != nil)
  }

  @Test func afterACommitThatSucceededAnEarlierOneThatFailedIsGone() {
    var ledger = Self.asked(isOn: false)
    ledger.delivered(.storage(.commitFailed(3, .fault(.noSpace))))
    ledger.ordered(4, [Self.change(isOn: true)])
    ledger.delivered(.storage(.committed(4, Self.receipt)))
    #expect(ledger.powerCut(found: Self.records(isOn: false)) != nil)
  }

  @Test func anAcknowledgedDecisionSurvivesAPowerCut() {
    for found in [nil, true] {
      var ledger = Self.switchedOff()
      #expect(
        ledger.powerCut(found: Self.records(isOn: found))
          == "a promise about location services was not kept")
    }
    var ledger = Self.switchedOff()
    #expect(ledger.powerCut(found: Self.records(isOn: false)) == nil)
    var untouched = ServiceLedger()
    #expect(untouched.powerCut(found: Self.records(isOn: nil)) == nil)
    #expect(untouched.powerCut(found: Self.records(isOn: false)) != nil)
  }

  @Test(arguments: [false, true])
  func aCommitUnderWayCountsAsItIsFoundAfterAPowerCut(isFoundOn: Bool) {
    var ledger = Self.asked(isOn: false)
    #expect(ledger.powerCut(found: Self.records(isOn: isFoundOn)) == nil)
    #expect((ledger.delivered(Self.position) == nil) == isFoundOn)
    // The commit from before the power cut has no answer any more, and its client is gone.
    ledger.delivered(.storage(.committed(3, Self.receipt)))
    #expect((ledger.delivered(Self.position) == nil) == isFoundOn)
    #expect(ledger.answered(7, failure: nil) == "an answer to no request")
    ledger.delivered(.client(Self.client, .requested(8, .setServices(isOn: true))))
    #expect((ledger.answered(8, failure: nil) == nil) == isFoundOn)
  }

  @Test func otherRecordsDoNotAffectTheSwitch() {
    var ledger = ServiceLedger()
    ledger.ordered(
      3, [Change(RecordName(kind: RecordTable.lastFix.number), .put([0], isCautious: true))])
    ledger.delivered(.storage(.committed(3, Self.receipt)))
    #expect(ledger.delivered(Self.position) == nil)
    #expect(ledger.powerCut(found: Self.records(isOn: nil)) == nil)
  }
}

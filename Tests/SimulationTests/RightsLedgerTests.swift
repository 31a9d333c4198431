import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog
import Testing

@testable import Simulation

/// The ledgers of the rights of apps on their own.
@Suite struct RightsLedgerTests {
  private static let key = Array("org.example.tracker".utf8)
  private static let receipt = CommitReceipt(
    sequence: 1, bytesWritten: 512, flushCount: 1, isCompaction: false)

  private static func instant(_ milliseconds: Int64) -> Instant {
    .zero + .milliseconds(milliseconds)
  }

  private static func change(_ authorization: Authorization?) throws -> Change {
    try RecordTable.grant.change(
      key: key, to: authorization.map { Grant($0, by: .command).bytes })
  }

  private static func reading(_ authorization: Authorization?) throws -> StateReading {
    var records = RecordSet()
    records.apply(try change(authorization))
    return StateReading(records: records)
  }

  // MARK: Answers after a power cut

  @Test(arguments: [Authorization.denied, .whenInUse])
  func anAcknowledgedAnswerIsOnTheDiskAfterAPowerCut(_ authorization: Authorization) throws {
    var ledger = GrantLedger()
    ledger.ordered(1, [try Self.change(authorization)])
    #expect(ledger.settled(1, isKept: true).count == 1)
    for found in [nil, Authorization.denied, .whenInUse] {
      var cut = ledger
      #expect((cut.restarted(with: try Self.reading(found)) == nil) == (found == authorization))
    }
  }

  @Test func anAnswerOnItsWayMayBeOnTheDiskOrNot() throws {
    var ledger = GrantLedger()
    ledger.ordered(1, [try Self.change(.whenInUse)])
    _ = ledger.settled(1, isKept: true)
    ledger.ordered(2, [try Self.change(.denied)])
    for found in [Authorization.denied, .whenInUse] {
      var cut = ledger
      #expect(cut.restarted(with: try Self.reading(found)) == nil)
    }
    var cut = ledger
    #expect(cut.restarted(with: try Self.reading(nil)) != nil)
  }

  @Test func aFailedAnswerMayBeOnTheDiskUntilTheNextIsAcknowledged() throws {
    var ledger = GrantLedger()
    ledger.ordered(1, [try Self.change(.whenInUse)])
    _ = ledger.settled(1, isKept: false)
    var cut = ledger
    #expect(cut.restarted(with: try Self.reading(.whenInUse)) == nil)
    ledger.ordered(2, [try Self.change(.denied)])
    _ = ledger.settled(2, isKept: true)
    #expect(ledger.restarted(with: try Self.reading(.whenInUse)) != nil)
  }

  @Test func aDenialCountsAlthoughItsCommitFailed() throws {
    var ledger = RightsLedger(AppCrowd.model)
    #expect(
      ledger.delivered(.storage(.read(try Self.reading(.whenInUse))), at: Self.instant(0)) == nil)
    let index = try #require(ledger.model.index(of: .listed("org.example.tracker")))
    #expect(ledger.model.isAllowed(index, file: nil))
    #expect(
      ledger.ordered(
        [.storage(.commit(number: 1, [try Self.change(.denied)]))], at: Self.instant(1)) == nil)
    #expect(ledger.model.isAllowed(index, file: nil))
    #expect(
      ledger.delivered(
        .storage(.commitFailed(1, .fault(.inputOutput))), at: Self.instant(2)) == nil)
    #expect(!ledger.model.isAllowed(index, file: nil))
  }

  // MARK: Requests

  /// The complaint about an empty list of requests, with one object of an app in the foreground, which has no updates.
  private static func complaint(about session: AppSession, of app: String) -> String? {
    var ledger = RightsLedger(AppCrowd.model)
    let peer = Peer(userID: 1_001, processID: 7, app: .listed(app), hasTerminal: true)
    let client = ClientID(number: 10_001)
    let events: [Event] = [
      .client(client, .connected(peer, program: "app")),
      .client(client, .sessionOpened(SessionID(number: 1), session)),
      .client(AppCrowd.person, .requested(1, .consent(.prompts))),
    ]
    for event in events { _ = ledger.delivered(event, at: .zero) }
    return ledger.ordered([.client(AppCrowd.person, .rows(request: 1, []))], at: .zero)
  }

  @Test(arguments: [
    AppSession.authorizationRequest(isAlways: false), .authorizationRequest(isAlways: true),
    .backgroundActivity, .standardUpdates, .service(.whenInUse), .service(.always),
  ])
  func anAppThatWantsLocationsHasARequest(_ session: AppSession) {
    let complaint = Self.complaint(about: session, of: "org.example.tracker")
    #expect(complaint == "no request of an app that asks: org.example.tracker")
    let silent = Self.complaint(about: session, of: "org.example.mute")
    #expect(silent == nil)
  }

  @Test(arguments: [
    AppSession.service(.none), .liveActivity(text: "on the way"), .backgroundTask,
    .fullAccuracyRequest(purpose: "delivery"),
  ])
  func anAppThatWantsNoLocationsNeedsNoRequest(_ session: AppSession) {
    let complaint = Self.complaint(about: session, of: "org.example.tracker")
    #expect(complaint == nil)
  }

  @Test func anAppThatNeedsAServiceSessionAsksByExplicitObjectsOnly() {
    for session in [AppSession.backgroundActivity, .standardUpdates] {
      let complaint = Self.complaint(about: session, of: "org.example.fleet")
      #expect(complaint == nil, "\(session)")
    }
    let explicit: [AppSession] = [
      .authorizationRequest(isAlways: false), .service(.whenInUse), .service(.always),
    ]
    for session in explicit {
      let complaint = Self.complaint(about: session, of: "org.example.fleet")
      #expect(complaint == "no request of an app that asks: org.example.fleet", "\(session)")
    }
  }

  // MARK: The lamp

  private static func lamp(isLit: Bool) -> LampLedger {
    var lamp = LampLedger()
    lamp.delivered(.opened(isActive: false, isDebounced: false))
    lamp.ordered(.set(isActive: isLit))
    lamp.delivered(.read(isActive: isLit))
    return lamp
  }

  @Test func aLampMayFlashButNotStayLitWithoutAReason() {
    var lamp = Self.lamp(isLit: true)
    #expect(lamp.isSeenLit)
    lamp.compare(isDue: false, at: Self.instant(0))
    #expect(lamp.overdue(at: Self.instant(150)) == nil)
    #expect(lamp.overdue(at: Self.instant(151))?.hasPrefix("the lamp is lit although") == true)
    lamp.compare(isDue: true, at: Self.instant(120))
    #expect(lamp.overdue(at: Self.instant(500)) == nil)
  }

  @Test func aLampThatIsHeldDarkMayNotStayOrderedToBeLit() {
    var lamp = Self.lamp(isLit: false)
    lamp.ordered(.set(isActive: true))
    lamp.delivered(.read(isActive: false))
    lamp.compare(isDue: false, at: Self.instant(0))
    #expect(lamp.overdue(at: Self.instant(151))?.hasPrefix("the lamp is lit although") == true)
  }

  @Test func aLampThatIsDueMayNotBeDark() {
    var lamp = Self.lamp(isLit: false)
    #expect(!lamp.isSeenLit)
    lamp.compare(isDue: true, at: Self.instant(0))
    #expect(lamp.overdue(at: Self.instant(20)) == nil)
    #expect(lamp.overdue(at: Self.instant(21))?.hasPrefix("the lamp is dark although") == true)
  }

  @Test func aLampThatDoesNotFollowItsOrdersIsNotTheEnginesFault() {
    var lamp = Self.lamp(isLit: false)
    lamp.ordered(.set(isActive: true))
    lamp.delivered(.read(isActive: false))
    #expect(!lamp.isSeenLit)
    lamp.compare(isDue: true, at: Self.instant(0))
    #expect(lamp.overdue(at: Self.instant(5_000)) == nil)
    lamp.delivered(.lost(LineFault(.gone, "no chip")))
    lamp.compare(isDue: true, at: Self.instant(5_000))
    #expect(lamp.overdue(at: Self.instant(50_000)) == nil)
  }

  // MARK: The person

  @Test func homeHasAnEffectWithAShortPressOnly() throws {
    var ledger = RightsLedger(AppCrowd.model)
    let peer = Peer(
      userID: 1_001, processID: 7, app: .listed("org.example.tracker"), hasTerminal: true)
    let client = ClientID(number: 10_001)
    #expect(ledger.delivered(.client(client, .connected(peer, program: "app")), at: .zero) == nil)
    let index = try #require(ledger.model.index(of: peer.app))
    func press(_ ledger: inout RightsLedger, from start: Int64, for time: Int64) {
      for (isActive, at) in [(true, start), (false, start + time)] {
        let edge = Event.Line.edge(isActive: isActive, at: Self.instant(at))
        #expect(ledger.delivered(.line(SimulatedPanel.home, edge), at: Self.instant(at)) == nil)
      }
    }
    press(&ledger, from: 100, for: 900)
    #expect(ledger.model.isInFront(index))
    press(&ledger, from: 2_000, for: 799)
    #expect(!ledger.model.isInFront(index))
    #expect(ledger.model.isInUse(index))
    #expect(ledger.delivered(.deadlineReached, at: Self.instant(12_800)) == nil)
    #expect(!ledger.model.isInUse(index))
  }

  @Test func anAppWithoutAManifestIsInTheForegroundAsLongAsItHasATerminal() throws {
    var ledger = RightsLedger(AppCrowd.model)
    let peer = Peer(userID: 1_003, processID: 7, app: AppCrowd.others[0], hasTerminal: true)
    let client = ClientID(number: 10_001)
    #expect(ledger.delivered(.client(client, .connected(peer, program: "app")), at: .zero) == nil)
    let index = try #require(ledger.model.index(of: peer.app))
    #expect(ledger.model.isInFront(index))
    #expect(ledger.delivered(.client(client, .terminalLost), at: Self.instant(100)) == nil)
    #expect(!ledger.model.isInFront(index))
  }
}

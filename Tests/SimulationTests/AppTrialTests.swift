import BinnacleBasics
import BinnacleModel
import StateLog
import TestSupport
import Testing

@testable import LocationEngine
@testable import Simulation

/// An engine that breaks one rule about the rights of apps.
private struct BrokenRights: EngineUnderTest {
  enum Flaw: String, CaseIterable {
    case servesBeforeTheAnswer, servesTheDenied, servesWhileServicesAreOff, servesTheBackground
    case trustsADarkLamp, leavesTheLampLit, leavesTheLampDark
    case asksAgain, keepsAPrompt, asksNever, answersNoCommand
    case ignoresAuthorizationRequests, ignoresBackgroundSessions
    case countsWithoutTheDisk, forgetsDenials, forgetsGrants
    case inventsASession, keepsEndedSessions, revealsThePlace, starvesTheForeground
    case starvesTheBackground

    /// A part of the complaint about this flaw.
    var complaint: String {
      switch self {
      case .servesBeforeTheAnswer, .servesTheDenied, .countsWithoutTheDisk:
        "a location for an app that no person has allowed"
      case .servesWhileServicesAreOff: "a position while location services are off"
      case .servesTheBackground: "a location for an app that is not in use"
      case .trustsADarkLamp: "a location in the background while the lamp is dark"
      case .leavesTheLampLit, .inventsASession: "the lamp is lit although"
      case .leavesTheLampDark: "the lamp is dark although"
      case .asksAgain, .keepsAPrompt, .forgetsGrants: "a person is asked again for an answer"
      case .forgetsDenials: "asks for an answer that it has"
      case .asksNever, .ignoresAuthorizationRequests, .ignoresBackgroundSessions:
        "no request of an app that asks"
      case .answersNoCommand: "has no answer"
      case .keepsEndedSessions: "the record of an app's sessions is old"
      case .revealsThePlace: "the exact location"
      case .starvesTheForeground: "an entitled app in the foreground got nothing"
      case .starvesTheBackground: "no location in the background"
      }
    }

    /// Whether an engine with this flaw raises no request because of an object.
    func ignores(_ session: AppSession) -> Bool {
      switch session {
      case .authorizationRequest: self == .ignoresAuthorizationRequests
      case .backgroundActivity: self == .ignoresBackgroundSessions
      case .standardUpdates, .service(.whenInUse, _), .service(.always, _): false
      case .service(.none, _), .fullAccuracyRequest, .liveActivity, .backgroundTask: true
      }
    }
  }

  var engine: Engine
  let flaw: Flaw
  private var lastFix: Fix?
  private var lastPrompt: Effect?
  private var lastPrompts: [Report] = []
  private var isStarving = false
  private var isOrderedLit = false

  init(_ engine: Engine, _ flaw: Flaw) {
    self.engine = engine
    self.flaw = flaw
  }

  var outlook: Engine.Outlook { engine.outlook }

  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    engine.handle(spoiled(event), at: now, into: &effects)
    effects = effects.flatMap { spoiled($0) }
    if flaw == .asksAgain, let lastPrompt, case .storage(.committed) = event {
      effects.append(lastPrompt)
    }
    // Object 1 is the session for the background; the objects before it only ask.
    if case .client(let client, .sessionOpened(let id, _)) = event, client.number == 20_000,
      id.number == 1
    {
      isStarving = flaw == .starvesTheBackground
    }
    guard flaw == .countsWithoutTheDisk else { return }
    for case .storage(.commit(let number, let changes)) in effects
    where changes.contains(where: BrokenRights.isAllowance) {
      let receipt = CommitReceipt(
        sequence: 1, bytesWritten: 512, flushCount: 1, isCompaction: false)
      effects.removeAll { $0 == .storage(.commit(number: number, changes)) }
      engine.handle(.storage(.committed(number, receipt)), at: now, into: &effects)
    }
  }

  /// Whether a change keeps the answer that a person allows an app.
  private static func isAllowance(_ change: Change) -> Bool {
    guard change.name.kind == RecordTable.grant.number, case .put(let value, _) = change.action
    else { return false }
    return value[1] != Authorization.denied.rawValue
  }

  private func spoiled(_ event: Event) -> Event {
    switch event {
    case .line(.indicator, .read(let isActive)):
      let isTrusted = flaw == .trustsADarkLamp && isOrderedLit
      return .line(.indicator, .read(isActive: isActive || isTrusted))
    case .storage(.read(let reading)): return .storage(.read(spoiled(reading)))
    case _: return event
    }
  }

  private func spoiled(_ reading: StateReading) -> StateReading {
    var spoiled = reading
    spoiled.records = RecordSet()
    for change in reading.records.entries.map(\.change) {
      if change.name.kind == RecordTable.grant.number,
        case .put(let value, _) = change.action
      {
        let isDenial = value[1] == Authorization.denied.rawValue
        if isDenial ? flaw == .forgetsDenials : flaw == .forgetsGrants { continue }
      }
      spoiled.records.apply(change)
    }
    let key = Array(AppCrowd.manifests[0].identifier.utf8)
    if flaw == .inventsASession,
      let name = RecordName(kind: RecordTable.sessions.number, key: key)
    {
      spoiled.records.apply(Change(name, .put([1, 1], isCautious: true)))
    }
    return spoiled
  }

  private mutating func spoiled(_ effect: Effect) -> [Effect] {
    switch effect {
    case .client(let client, .deliver(let ids, let update)):
      if let fix = update.fix, !update.flags.contains(.accuracyLimited) { lastFix = fix }
      return AppCrowd.isMember(client) ? spoiled(update, to: client, ids) : [effect]
    case .line(.indicator, .set(let isActive)):
      isOrderedLit = isActive
      return (isActive ? flaw == .leavesTheLampDark : flaw == .leavesTheLampLit) ? [] : [effect]
    case .log(_, let text) where text.hasPrefix("prompt: "):
      lastPrompt = effect
      return [effect]
    case .client(let client, .rows(let request, let rows)):
      let prompts = rows.filter { $0[.rowRequest] != nil }
      if flaw == .asksNever {
        return [.client(client, .rows(request: request, rows.filter { $0[.rowRequest] == nil }))]
      }
      if flaw == .ignoresAuthorizationRequests || flaw == .ignoresBackgroundSessions {
        return [.client(client, .rows(request: request, rows.filter { !isIgnored($0) }))]
      }
      guard flaw == .keepsAPrompt else { return [effect] }
      if !prompts.isEmpty { lastPrompts = prompts }
      return [.client(client, .rows(request: request, rows.isEmpty ? lastPrompts : rows))]
    case .client(_, .answer): return flaw == .answersNoCommand ? [] : [effect]
    case .storage(.commit(let number, let changes)) where flaw == .keepsEndedSessions:
      let spoiled = changes.filter {
        $0.name.kind != RecordTable.sessions.number || $0.action != .remove
      }
      return [.storage(.commit(number: number, spoiled))]
    case _: return [effect]
    }
  }

  /// Whether a row is the request of an app that wants locations by ignored objects only.
  private func isIgnored(_ row: Report) -> Bool {
    guard let name: String = row[.rowID], let request: String = row[.rowRequest],
      request == Authorization.whenInUse.name,
      let app = AppCrowd.model.apps.map(\.id).first(where: { "\($0)" == name }),
      !engine.updates.isOpen(for: app)
    else { return false }
    return engine.apps.sessions.objects(of: app).allSatisfy { flaw.ignores($0.session) }
  }

  private func spoiled(
    _ update: Update, to client: ClientID, _ ids: [SequenceID]
  ) -> [Effect] {
    let isServed =
      switch flaw {
      case .servesBeforeTheAnswer: update.flags.contains(.authorizationRequestInProgress)
      case .servesTheDenied: update.flags == .authorizationDenied
      case .servesWhileServicesAreOff: update.flags.contains(.authorizationDeniedGlobally)
      case .servesTheBackground: update.flags.contains(.insufficientlyInUse)
      case .revealsThePlace: update.flags.contains(.accuracyLimited)
      case _: false
      }
    if flaw == .starvesTheForeground || isStarving { return [] }
    let sent = isServed ? lastFix.map { Update(fix: $0) } ?? update : update
    return [.client(client, .deliver(ids, sent))]
  }
}

/// The boards with apps of several users that belong to each seed.
@Suite struct AppTrialTests {
  @Test func seedsHaveAppsThatAskAndGoOnInTheBackground() {
    var (places, backgroundPlaces, prompts) = (0, 0, 0)
    for seed in UInt64(1)...12 {
      let board = AppTrial(seed: seed) { $0 }.finish()
      #expect(board.checkers.violations == [], "seed \(seed)")
      places += board.checkers.rights?.fixCount ?? 0
      backgroundPlaces += board.checkers.rights?.backgroundFixCount ?? 0
      prompts += board.checkers.rights?.promptCount ?? 0
    }
    #expect(places > 100)
    #expect(backgroundPlaces > 24)
    #expect(prompts > 24)
  }

  /// Boards that failed in hunts.
  private static let keptSeeds: [UInt64] = [
    // An answer waited for the commit of another one, which failed; it counted at once, with the app in the background.
    1_717_696_784, 3_850_469_320,
    // An answer after a failed write was not written, because it equaled the record of before.
    2_742_926_828,
    // A right lapsed at the end of a connection, to which the lapse was told.
    304_235_347,
    // A right lapsed at the event that brought the app to the foreground again.
    1_873_090_867,
    // Services went off, because the disk had failed, and on again in one step.
    3_078_993_570,
    // The daemon ended between the record of a close and the end of the app's sessions.
    3_923_212_440, 4_280_693_060,
    // A request to forget an answer waited for the commit of a denial by a button, which failed.
    3_217_593_959,
    // A right lapsed at the end of a sequence, to which the lapse was told.
    4_140_465_100,
    // The checker demanded a prompt for a request that had only one of two usage texts.
    1_085_345_952,
    // An answer that gave less than before counted although its commit had failed, and the checker did not know it.
    1_032_156_249,
    // An answer that waited for another one gave less than it and failed, and the checker let it count.
    3_588_681_095,
  ]

  @Test(arguments: keptSeeds)
  func boardsWithAppsThatHaveFailedPass(seed: UInt64) {
    #expect(AppTrial(seed: seed) { $0 }.run() == [])
  }

  @Test(
    .enabled(if: Sweep.isWanted, "a sweep of 'make check'"),
    arguments: BrokenRights.Flaw.allCases.map(\.rawValue))
  func aBrokenRuleIsFound(_ name: String) throws {
    let flaw = try #require(BrokenRights.Flaw(rawValue: name))
    let isFound = (UInt64(1)...300).contains { seed in
      let complaint = AppTrial(seed: seed) { BrokenRights($0, flaw) }.run().first ?? ""
      return complaint.contains(flaw.complaint)
    }
    #expect(isFound)
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Background activity sessions and service sessions: their beginning, their effect, their end, and rejoining.
@Suite struct SessionTests {
  static let tracker = ConsentDesk.tracker
  static let map = ConsentDesk.map
  static let name = "org.example.tracker"

  /// A desk with an allowed app in the foreground that has updates open.
  static func desk(
    _ allowance: ConsentRequest.Allowance? = nil,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> (desk: ConsentDesk, app: ClientID) {
    var desk = ConsentDesk(adjust)
    desk.request(.allow(app: name, allowance))
    let app = desk.run(tracker, hasTerminal: true)
    return (desk, app)
  }

  // MARK: Rows of Docs/SOURCES.md, L1

  @Test func row10AnAppWithABackgroundSessionGetsLocationsInTheBackgroundWithoutABreak() {
    var (desk, app) = Self.desk()
    desk.fix()
    let session = desk.hold(.backgroundActivity, by: app)
    #expect(desk.diagnostic(session) == [])
    #expect(!desk.isLit)
    desk.request(.home)
    #expect(desk.isLit)
    for _ in 0..<20 { desk.fix() }
    #expect(desk.seen(app) == String(repeating: "f", count: 21))
  }

  @Test func row14AnAppThatNeedsAServiceSessionGetsTheReasonUntilItMakesOne() {
    var (desk, app) = Self.desk {
      $0.apps[0].needsServiceSession = true
    }
    desk.fix()
    #expect(desk.seen(app) == "s")
    desk.hold(.service(.whenInUse), by: app)
    desk.fix()
    #expect(desk.seen(app) == "sf")
  }

  @Test func row14AnAppWithoutAnAnswerAsksOnlyByItsServiceSession() {
    var desk = ConsentDesk { $0.apps[0].needsServiceSession = true }
    let app = desk.run(Self.tracker, hasTerminal: true)
    #expect(desk.rows(.prompts) == [])
    let none = desk.hold(.service(.none), by: app)
    #expect(desk.rows(.prompts) == [])
    desk.invalidate(none, of: app)
    let session = desk.hold(.service(.whenInUse), by: app)
    #expect(desk.diagnostic(session) == .authorizationRequestInProgress)
    desk.request(.allow(app: Self.name, nil))
    desk.fix()
    #expect(desk.seen(app).hasSuffix("f"))
    #expect(desk.diagnostic(session) == [])
  }

  @Test func row15AnAppThatIsAlwaysAllowedGetsLocationsInTheBackgroundByItsAlwaysSession() {
    var (desk, app) = Self.desk(.always)
    desk.hold(.service(.always), by: app)
    desk.request(.home)
    #expect(desk.isLit)
    for _ in 0..<20 { desk.fix() }
    #expect(desk.seen(app) == String(repeating: "f", count: 20))
  }

  @Test func row8AnAppWithReducedAccuracyGetsItsExactLocationAfterAPersonHasGivenItForAWhile() {
    var (desk, app) = Self.desk { $0.apps[0].isAccuracyReduced = true }
    desk.fix()
    let session = desk.hold(.service(.whenInUse, fullAccuracyPurpose: "delivery"), by: app)
    #expect(desk.diagnostic(session) == .authorizationRequestInProgress)
    #expect(desk.rows(.prompts).map { $0[.rowRequest] } == ["full_accuracy"])
    desk.request(.allow(app: Self.name, nil))
    desk.fix()
    desk.fix()
    #expect(desk.seen(app) == "lff")
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["reduced"])
  }

  @Test func theAnswerReducedRefusesFullAccuracyForTheRequestsOfTheApp() {
    var (desk, app) = Self.desk { $0.apps[0].isAccuracyReduced = true }
    let session = desk.hold(.service(.whenInUse, fullAccuracyPurpose: "delivery"), by: app)
    desk.request(.allow(app: Self.name, nil, isReduced: true))
    #expect(desk.rows(.prompts) == [])
    #expect(desk.diagnostic(session) == .fullAccuracyDenied)
  }

  @Test func theAnswerReducedEndsFullAccuracyThatWasGivenForAWhile() {
    var (desk, app) = Self.desk { $0.apps[0].isAccuracyReduced = true }
    desk.hold(.service(.whenInUse, fullAccuracyPurpose: "delivery"), by: app)
    desk.request(.allow(app: Self.name, nil))
    desk.fix()
    desk.request(.allow(app: Self.name, .whenInUse))
    desk.fix()
    #expect(desk.seen(app) == "ff")
    desk.request(.allow(app: Self.name, nil, isReduced: true))
    desk.fix()
    #expect(desk.seen(app) == "ffl")
    #expect(desk.rows(.prompts) == [])
  }

  // MARK: Background sessions

  @Test func aSessionOfAnAppInTheBackgroundDoesNotBeginUntilTheAppIsInFront() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, nil))
    let app = desk.run(Self.tracker)
    let session = desk.hold(.backgroundActivity, by: app)
    #expect(desk.diagnostic(session) == .insufficientlyInUse)
    desk.fix()
    #expect(desk.seen(app) == "i")
    desk.request(.foreground(app: Self.name))
    #expect(desk.diagnostic(session) == [])
    desk.request(.home)
    for _ in 0..<20 { desk.fix() }
    #expect(desk.seen(app) == "i" + String(repeating: "f", count: 20))
  }

  @Test func anAppWithoutTheBackgroundModeHasNoBackgroundSession() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.map", nil))
    let app = desk.run(Self.map, hasTerminal: true)
    let session = desk.hold(.backgroundActivity, by: app)
    #expect(desk.diagnostic(session) == .insufficientlyInUse)
    desk.request(.home)
    desk.desk.wait(11)
    #expect(!desk.isLit)
    desk.fix()
    #expect(desk.seen(app).hasSuffix("i"))
  }

  @Test func theSessionEndsWithItsLastObjectAndTheLightWithIt() {
    var (desk, app) = Self.desk()
    let first = desk.hold(.backgroundActivity, by: app)
    let second = desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.wait(20)
    desk.invalidate(first, of: app)
    #expect(desk.isLit)
    desk.invalidate(second, of: app)
    #expect(!desk.isLit)
    desk.fix()
    #expect(desk.seen(app).hasSuffix("i"))
  }

  @Test func anInvalidatedSessionDoesNotBeginAgainInTheBackground() {
    var (desk, app) = Self.desk()
    let first = desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.invalidate(first, of: app)
    let second = desk.hold(.backgroundActivity, by: app)
    #expect(desk.diagnostic(second) == .insufficientlyInUse)
    desk.desk.wait(11)
    #expect(!desk.isLit)
  }

  @Test func theSessionOutlivesTheEndOfUpdatesAndThePause() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.close(app)
    desk.desk.wait(600)
    #expect(desk.isLit)
  }

  @Test func aDenialEndsTheSessionAndTheLight() {
    var (desk, app) = Self.desk()
    let session = desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.wait(11)
    desk.request(.deny(app: Self.name))
    #expect(!desk.isLit)
    #expect(desk.diagnostic(session) == .authorizationDenied)
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.diagnostic(session) == .insufficientlyInUse)
    #expect(!desk.isLit)
  }

  @Test func theLightIsDarkWhileServicesAreOffAndTheSessionContinuesAfterwards() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.send(.client(ClientID(number: 900), .requested(50, .setServices(isOn: false))))
    #expect(!desk.isLit)
    desk.desk.send(.client(ClientID(number: 900), .requested(51, .setServices(isOn: true))))
    #expect(desk.isLit)
    desk.fix()
    #expect(desk.seen(app) == "gf")
  }

  // MARK: Service sessions

  @Test func anUpgradeToAlwaysIsAskedForOnce() {
    var (desk, app) = Self.desk()
    let session = desk.hold(.service(.always), by: app)
    #expect(desk.diagnostic(session) == .authorizationRequestInProgress)
    #expect(
      desk.rows(.prompts).map { $0[.rowText] } == [
        "org.example.tracker would like to use your location even when it is not in use. "
          + "\"Records the route also when nobody watches.\""
      ])
    desk.fix()
    #expect(desk.seen(app) == "f")
    desk.request(.allow(app: Self.name, .whenInUse))
    #expect(desk.diagnostic(session) == .alwaysAuthorizationDenied)
    desk.invalidate(session, of: app)
    let other = desk.hold(.service(.always), by: app)
    #expect(desk.rows(.prompts) == [])
    #expect(desk.diagnostic(other) == .alwaysAuthorizationDenied)
    desk.request(.deny(app: Self.name))
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.rows(.prompts) == [])
    #expect(desk.diagnostic(other) == .alwaysAuthorizationDenied)
    // Only a reset permits a second request.
    desk.request(.reset(app: Self.name))
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.rows(.prompts).count == 1)
  }

  @Test func theButtonRefusesAnUpgradeAndTheAppKeepsItsRight() {
    var (desk, app) = Self.desk(nil) {
      $0.panel.buttons = [PanelSettings.Button(name: "ALLOW")]
    }
    desk.hold(.service(.always), by: app)
    desk.desk.send(.line(.button(0), .opened(isActive: false, isDebounced: true)))
    desk.desk.isButtonPressed = true
    desk.desk.send(.line(.button(0), .edge(isActive: true, at: desk.desk.now)))
    desk.desk.wait(3)
    #expect(desk.rows(.prompts) == [])
    #expect(desk.authorization(Self.tracker) == "when_in_use")
    desk.fix()
    #expect(desk.seen(app).hasSuffix("f"))
  }

  @Test func fullAccuracyForAWhileEndsWithTheUseOfTheApp() {
    var (desk, app) = Self.desk { $0.apps[0].isAccuracyReduced = true }
    desk.hold(.service(.whenInUse, fullAccuracyPurpose: "delivery"), by: app)
    desk.request(.allow(app: Self.name, nil))
    desk.fix()
    desk.request(.home)
    desk.desk.wait(11)
    desk.request(.home)
    desk.fix()
    let places = desk.places(app).map(\.horizontalAccuracy)
    #expect(places.first == 3)
    #expect(places.last == 5_000)
  }

  @Test func fullAccuracyThatAManagerHasRequestedAlsoEndsWithTheUseOfTheApp() {
    var (desk, app) = Self.desk { $0.apps[0].isAccuracyReduced = true }
    let request = desk.hold(.fullAccuracyRequest(purpose: "delivery"), by: app)
    desk.request(.allow(app: Self.name, nil))
    desk.invalidate(request, of: app)
    desk.fix()
    desk.request(.home)
    desk.desk.wait(11)
    desk.request(.home)
    desk.fix()
    let places = desk.places(app).map(\.horizontalAccuracy)
    #expect(places.first == 3)
    #expect(places.last == 5_000)
  }

  @Test func anUnknownPurposeIsNotAskedFor() {
    var (desk, app) = Self.desk { $0.apps[0].isAccuracyReduced = true }
    let session = desk.hold(.service(.whenInUse, fullAccuracyPurpose: "fun"), by: app)
    #expect(desk.diagnostic(session) == .fullAccuracyDenied)
    #expect(desk.rows(.prompts) == [])
  }

  @Test func aClientMayHaveThirtyTwoObjects() {
    var (desk, app) = Self.desk()
    for _ in 0..<32 { desk.hold(.service(.whenInUse), by: app) }
    let last = desk.hold(.service(.whenInUse), by: app)
    #expect(desk.diagnostic(last) == .insufficientlyInUse)
    #expect(desk.desk.lines.contains { $0.contains("a client may have 32 objects") })
  }

  // MARK: The authorization of a client

  @Test func aClientThatWatchesGetsItsAuthorizationAndEachChange() {
    var desk = ConsentDesk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    desk.desk.send(.client(app, .authorizationWatched))
    desk.request(.allow(app: Self.name, nil))
    desk.request(.allow(app: Self.name, nil, isReduced: true))
    desk.desk.send(.client(ClientID(number: 900), .requested(50, .setServices(isOn: false))))
    desk.fix()
    let states = desk.desk.effects.compactMap {
      if case .client(app, .authorization(let state)) = $0 { state } else { nil }
    }
    #expect(
      states == [
        AuthorizationState(.notDetermined, hasBackgroundMode: true),
        AuthorizationState(.whenInUse, hasBackgroundMode: true),
        AuthorizationState(.whenInUse, isReduced: true, hasBackgroundMode: true),
        AuthorizationState(
          .denied, isReduced: true, areServicesOn: false, hasBackgroundMode: true),
      ])
  }

  @Test func anAppGetsItsAuthorizationBeforeTheFlagsOfIt() throws {
    var desk = ConsentDesk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    desk.desk.send(.client(app, .authorizationWatched))
    desk.request(.allow(app: Self.name, nil))
    desk.desk.open(app)
    let count = desk.desk.effects.count
    desk.request(.deny(app: Self.name))
    let news = desk.desk.effects[count...].compactMap { effect -> String? in
      switch effect {
      case .client(app, .authorization(let state)): "\(state.authorization)"
      case .client(app, .deliver(_, let update)) where update.flags.contains(.authorizationDenied):
        "flag"
      case _: nil
      }
    }
    #expect(news == ["denied", "flag"])
  }

  @Test func theBackgroundModeIsUnknownForAProgramThatCannotBeSeenAndForATool() {
    var desk = ConsentDesk()
    func mode(_ client: ClientID) -> Bool?? {
      desk.desk.engine.apps.authorizationState(of: client).map(\.hasBackgroundMode)
    }
    #expect(mode(desk.start(Self.tracker)) == .some(true))
    #expect(mode(desk.start(ConsentDesk.map)) == .some(false))
    #expect(mode(desk.start(ConsentDesk.script)) == .some(false))
    #expect(mode(desk.start(.unresolved(userID: 1_001))) == .some(nil))
    let tool = desk.desk.connect(
      .unlisted(userID: 1_000, executable: "/usr/bin/tool"), user: 1_000)
    #expect(mode(tool) == .some(nil))
  }

  @Test func recordsOfSessionsAreReadBackAndOtherBytesAreNot() {
    var record = SessionsRecord()
    #expect(record.bytes == nil)
    record.insert(.background)
    record.insert(.serviceAlways)
    #expect(record.bytes.flatMap(SessionsRecord.init(bytes:)) == record)
    #expect(record.bytes == [1, 9])
    record.insert(.background, isOfScript: true)
    #expect(record.bytes == [2, 9, 1])
    #expect(record.bytes.flatMap(SessionsRecord.init(bytes:)) == record)
    #expect(
      record.text == "background activity session of a script, service session (always)")
    let others: [[UInt8]] = [
      [], [1], [1, 0], [2, 1], [1, 16], [1, 1, 1], [2, 1, 0], [2, 1, 2], [2, 1, 1, 0], [3, 1],
    ]
    for bytes in others {
      #expect(SessionsRecord(bytes: bytes) == nil)
    }
  }
}

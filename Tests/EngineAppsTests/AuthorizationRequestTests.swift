import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The requests of `CLLocationManager`, and sessions that ask, of apps without updates.
@Suite struct AuthorizationRequestTests {
  private static let tracker = ConsentDesk.tracker
  private static let name = "org.example.tracker"

  /// The open requests, each the right that is requested.
  private static func requests(_ desk: inout ConsentDesk) -> [String] {
    desk.rows(.prompts).compactMap { $0[.rowRequest] }
  }

  // MARK: Requests of a manager

  @Test(arguments: [false, true])
  func aRequestOfAManagerRaisesAPromptByItself(_ isAlways: Bool) {
    var desk = ConsentDesk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    #expect(Self.requests(&desk) == [])
    let request = desk.hold(.authorizationRequest(isAlways: isAlways), by: app)
    #expect(Self.requests(&desk) == ["when_in_use"])
    #expect(desk.diagnostic(request) == .authorizationRequestInProgress)
    desk.invalidate(request, of: app)
    #expect(Self.requests(&desk) == [])
  }

  @Test func aRequestForUseEndsWithItsAnswer() {
    var desk = ConsentDesk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    let request = desk.hold(.authorizationRequest(isAlways: false), by: app)
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.authorization(Self.tracker) == "when_in_use")
    #expect(Self.requests(&desk) == [])
    #expect(desk.diagnostic(request) == [])
  }

  @Test func aRequestForAlwaysAsksForTheUpgradeAfterTheFirstAnswer() {
    var desk = ConsentDesk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    let request = desk.hold(.authorizationRequest(isAlways: true), by: app)
    desk.request(.allow(app: Self.name, nil))
    #expect(Self.requests(&desk) == ["always"])
    #expect(desk.diagnostic(request) == .authorizationRequestInProgress)
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.authorization(Self.tracker) == "always")
    #expect(Self.requests(&desk) == [])
    #expect(desk.diagnostic(request) == [])
  }

  @Test func aRequestForAlwaysAfterAnAnswerForUseIsMadeOnce() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, .whenInUse))
    let app = desk.start(Self.tracker, hasTerminal: true)
    let first = desk.hold(.authorizationRequest(isAlways: true), by: app)
    #expect(Self.requests(&desk) == ["always"])
    desk.request(.allow(app: Self.name, .whenInUse))
    #expect(desk.diagnostic(first) == .alwaysAuthorizationDenied)
    desk.invalidate(first, of: app)
    let second = desk.hold(.authorizationRequest(isAlways: true), by: app)
    #expect(Self.requests(&desk) == [])
    #expect(desk.diagnostic(second) == .alwaysAuthorizationDenied)
  }

  @Test(arguments: [false, true])
  func aRequestInTheBackgroundDoesNothing(_ isAlways: Bool) {
    var desk = ConsentDesk()
    let app = desk.start(Self.tracker)
    let request = desk.hold(.authorizationRequest(isAlways: isAlways), by: app)
    #expect(Self.requests(&desk) == [])
    // Without a request in progress the library ends the object.
    #expect(desk.diagnostic(request) == [])
  }

  // MARK: Usage texts

  @Test func aRequestForAlwaysDoesNothingWithoutTheUsageTextForAlways() {
    var desk = ConsentDesk()
    let app = desk.start(ConsentDesk.map, hasTerminal: true)
    let always = desk.hold(.authorizationRequest(isAlways: true), by: app)
    #expect(Self.requests(&desk) == [])
    #expect(desk.diagnostic(always) == [])
    // The control: the app may ask for use.
    desk.hold(.authorizationRequest(isAlways: false), by: app)
    #expect(Self.requests(&desk) == ["when_in_use"])
  }

  @Test func aRequestForAlwaysDoesNothingWithoutTheUsageTextForUse() {
    var desk = ConsentDesk { $0.apps[0].whenInUseText = nil }
    let app = desk.start(Self.tracker, hasTerminal: true)
    desk.hold(.authorizationRequest(isAlways: true), by: app)
    #expect(Self.requests(&desk) == [])
    desk.request(.allow(app: Self.name, .whenInUse))
    #expect(Self.requests(&desk) == [])
    let session = desk.hold(.service(.always), by: app)
    #expect(Self.requests(&desk) == [])
    #expect(desk.diagnostic(session) == .alwaysAuthorizationDenied)
  }

  @Test func anAppWithoutAManifestAsksForUseByARequestForAlways() {
    var desk = ConsentDesk()
    let app = desk.start(ConsentDesk.script, hasTerminal: true)
    desk.hold(.authorizationRequest(isAlways: true), by: app)
    #expect(Self.requests(&desk) == ["when_in_use"])
  }

  // MARK: Implicit service sessions

  @Test func aBackgroundSessionAloneAsksForUse() {
    var desk = ConsentDesk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    let session = desk.hold(.backgroundActivity, by: app)
    #expect(Self.requests(&desk) == ["when_in_use"])
    #expect(desk.diagnostic(session) == .authorizationRequestInProgress)
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.diagnostic(session) == [])
    desk.request(.home)
    #expect(desk.isLit)
  }

  @Test func aBackgroundSessionDoesNotAskForAnAppThatNeedsAServiceSession() {
    var desk = ConsentDesk { $0.apps[0].needsServiceSession = true }
    let app = desk.start(Self.tracker, hasTerminal: true)
    desk.hold(.backgroundActivity, by: app)
    #expect(Self.requests(&desk) == [])
    desk.hold(.service(.whenInUse), by: app)
    #expect(Self.requests(&desk) == ["when_in_use"])
  }

  // MARK: Sixteen open requests

  /// A desk with sixteen open requests of apps in the foreground.
  @Test func aRequestBeyondSixteenIsInProgressAndGetsThePlaceOfAWithdrawnOne() {
    var (desk, first) = ConsentDesk.withFullQueue()
    let app = desk.start(Self.tracker, hasTerminal: true)
    let request = desk.hold(.authorizationRequest(isAlways: false), by: app)
    #expect(desk.rows(.prompts).count == 16)
    // Otherwise the library would end the object, and the request with it.
    #expect(desk.diagnostic(request) == .authorizationRequestInProgress)
    desk.desk.end(first)
    let waiting: [String] = desk.rows(.prompts).compactMap { $0[.rowID] }
    #expect(waiting.count == 16)
    #expect(waiting.last == Self.name)
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.diagnostic(request) == [])
  }

  @Test func beyondSixteenRequestsAnAppInTheBackgroundHasNoneInProgress() {
    var (desk, _) = ConsentDesk.withFullQueue()
    let app = desk.start(Self.tracker)
    let request = desk.hold(.authorizationRequest(isAlways: false), by: app)
    #expect(desk.diagnostic(request) == [])
  }

  @Test func aChangeOfAccuracyDoesNotRepeatARefusal() {
    var desk = ConsentDesk { $0.apps[0].isAccuracyReduced = true }
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentDesk.tracker)
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: false))
    desk.request(.foreground(app: "org.example.tracker"))
    desk.fix()
    #expect(desk.seen(app) == "if")
  }
}

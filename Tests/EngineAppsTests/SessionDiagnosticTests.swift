import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The diagnostics of session objects that name a reason outside of the app: services, the profile, and the manifest.
@Suite struct SessionDiagnosticTests {
  private static let sessions: [AppSession] = [
    .backgroundActivity, .service(.none), .service(.whenInUse), .standardUpdates,
    .liveActivity(text: "on the way"),
  ]

  /// Turns location services on or off, as an operator.
  private static func switchServices(on isOn: Bool, _ desk: inout ConsentDesk) {
    let request: UInt32 = isOn ? 51 : 50
    desk.desk.send(
      .client(ClientID(number: 900), .requested(request, .setServices(isOn: isOn))))
  }

  @Test(arguments: sessions)
  func whileServicesAreOffEachSessionIsDeniedGlobally(_ session: AppSession) {
    var (desk, app) = SessionTests.desk()
    let id = desk.hold(session, by: app)
    #expect(desk.diagnostic(id) == [])
    Self.switchServices(on: false, &desk)
    #expect(desk.diagnostic(id) == [.authorizationDenied, .authorizationDeniedGlobally])
    Self.switchServices(on: true, &desk)
    #expect(desk.diagnostic(id) == [])
  }

  @Test(arguments: sessions)
  func aSessionOfARestrictedAppIsRestrictedAndNotDenied(_ session: AppSession) {
    var desk = ConsentDesk { $0.consent.restricted = .apps(["org.example.tracker"]) }
    desk.request(.allow(app: "org.example.tracker", .always))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    let id = desk.hold(session, by: app)
    #expect(desk.diagnostic(id) == .authorizationRestricted)
  }

  @Test(arguments: [
    AppSession.backgroundActivity, .standardUpdates, .liveActivity(text: "on the way"),
  ])
  func inTheForegroundOnlyTheMissingServiceSessionIsNamed(_ session: AppSession) {
    var (desk, app) = SessionTests.desk { $0.apps[0].needsServiceSession = true }
    let id = desk.hold(session, by: app)
    #expect(desk.diagnostic(id) == .serviceSessionRequired)
    let service = desk.hold(.service(.none), by: app)
    #expect(desk.diagnostic(service) == [])
    #expect(desk.diagnostic(id) == [])
  }

  @Test func inTheBackgroundBothReasonsAreNamed() {
    var desk = ConsentDesk { $0.apps[0].needsServiceSession = true }
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentDesk.tracker)
    let id = desk.hold(.backgroundActivity, by: app)
    #expect(desk.diagnostic(id) == [.serviceSessionRequired, .insufficientlyInUse])
  }

  @Test func aServiceSessionRequiresNoOtherOne() {
    var desk = ConsentDesk { $0.apps[0].needsServiceSession = true }
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentDesk.tracker)
    let id = desk.hold(.service(.whenInUse), by: app)
    #expect(desk.diagnostic(id) == .insufficientlyInUse)
  }

  @Test func beforeAnAnswerAMissingServiceSessionIsNamedToo() {
    var desk = ConsentDesk { $0.apps[0].needsServiceSession = true }
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    let id = desk.hold(.backgroundActivity, by: app)
    #expect(desk.diagnostic(id) == .serviceSessionRequired)
    #expect(desk.rows(.prompts) == [])
  }

  /// An app reads its authorization as soon as its request has ended.
  @Test func theNewAuthorizationIsSentBeforeTheEndOfTheRequest() throws {
    var (desk, app) = SessionTests.desk { $0.apps[0].isAccuracyReduced = true }
    desk.desk.send(.client(app, .authorizationWatched))
    let request = desk.hold(.fullAccuracyRequest(purpose: "delivery"), by: app)
    #expect(desk.diagnostic(request) == .authorizationRequestInProgress)
    desk.desk.effects = []
    desk.request(.allow(app: "org.example.tracker", nil))
    let news = desk.desk.effects.compactMap { effect -> Bool? in
      switch effect {
      case .client(app, .authorization(let state)): state.isReduced
      case .client(app, .sessionDiagnostic(request, let flags)): flags.isEmpty
      case _: nil
      }
    }
    // First that the accuracy is full, then that the request has ended.
    #expect(news == [false, true])
  }
}

import BinnacleModel
import BinnacleWire
import Foundation
import Testing

@testable import CoreLocation

/// The requests of managers, beside a daemon that follows a script.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
  private let first = SessionID(number: 1)
  private let second = SessionID(number: 2)
  private let desk: DelegateDesk
  private var daemon: ScriptedDaemon { desk.daemon }
  private var manager: CLLocationManager { desk.manager }

  init() async throws {
    desk = try await DelegateDesk()
  }

  /// Updates open a sequence, so that a test sees each message before it.
  private func startUpdates() async {
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
  }

  // MARK: Repeated requests

  @Test func repeatedRequestsAreOneObject() async throws {
    let other = desk.anotherManager()
    for _ in 0..<20 {
      manager.requestAlwaysAuthorization()
      other.requestAlwaysAuthorization()
    }
    #expect(await daemon.next() == .sessionOpened(first, .authorizationRequest(isAlways: true)))
    await startUpdates()
    try daemon.send(.sessionDiagnostic(first, .authorizationRequestInProgress))
    try daemon.send(.sessionDiagnostic(first, .alwaysAuthorizationDenied))
    #expect(await daemon.next() == .sessionClosed(first))
    // A request after the answer is another one.
    manager.requestAlwaysAuthorization()
    #expect(await daemon.next() == .sessionOpened(second, .authorizationRequest(isAlways: true)))
    withExtendedLifetime(other) {}
  }

  @Test func requestsForDifferentAuthorizationsAreDifferentObjects() async throws {
    manager.requestWhenInUseAuthorization()
    manager.requestAlwaysAuthorization()
    #expect(await daemon.next() == .sessionOpened(first, .authorizationRequest(isAlways: false)))
    #expect(await daemon.next() == .sessionOpened(second, .authorizationRequest(isAlways: true)))
  }

  /// Requests full accuracy; the answers are in the stream.
  private func requestFullAccuracy(_ key: String, _ answered: AsyncStream<String>.Continuation) {
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: key) { @Sendable error in
      answered.yield(error.map { "\(key): error \(DelegateEar.code($0))" } ?? "\(key): no error")
    }
  }

  @Test func repeatedRequestsForFullAccuracyGetTheOneAnswer() async throws {
    let (answers, answered) = AsyncStream<String>.makeStream()
    var words = answers.makeAsyncIterator()
    requestFullAccuracy("delivery", answered)
    requestFullAccuracy("delivery", answered)
    requestFullAccuracy("rescue", answered)
    #expect(
      await daemon.next() == .sessionOpened(first, .fullAccuracyRequest(purpose: "delivery")))
    #expect(await daemon.next() == .sessionOpened(second, .fullAccuracyRequest(purpose: "rescue")))
    try daemon.send(.sessionDiagnostic(first, .authorizationRequestInProgress))
    try daemon.send(.sessionDiagnostic(first, []))
    #expect(await daemon.next() == .sessionClosed(first))
    #expect(await words.next() == "delivery: no error")
    #expect(await words.next() == "delivery: no error")
    try daemon.send(.sessionDiagnostic(second, .fullAccuracyDenied))
    #expect(await words.next() == "rescue: error 18")
  }

  // MARK: A daemon that restarts

  /// The daemon asks the user, restarts while the app is in the background, and does not ask.
  private func askAndRestart(
    _ session: AppSession, _ authorization: AuthorizationState = AuthorizationState(.whenInUse)
  ) async throws {
    #expect(await daemon.next() == .sessionOpened(first, session))
    await startUpdates()
    try daemon.send(.sessionDiagnostic(first, .authorizationRequestInProgress))
    try daemon.send(desk.fix(1), to: 1)
    #expect(await desk.ear.next() == "at 1.0")
    daemon.hangUp()
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .sessionOpened(first, session))
    #expect(await daemon.next() == .authorizationWatched)
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.send(.sessionDiagnostic(first, []))
    try daemon.send(.authorization(authorization))
    try daemon.send(desk.fix(2), to: 1)
    #expect(await desk.ear.next() == "at 2.0")
    manager.stopUpdatingLocation()
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
  }

  @Test func aRequestForFullAccuracyOutlastsARestartOfTheDaemon() async throws {
    let (answers, answered) = AsyncStream<String>.makeStream()
    let reduced = AuthorizationState(.whenInUse, isReduced: true)
    try daemon.send(.authorization(reduced))
    #expect(await desk.ear.next() == "authorization 4")
    requestFullAccuracy("delivery", answered)
    try await askAndRestart(.fullAccuracyRequest(purpose: "delivery"), reduced)
    // The request has not been answered: another one joins it.
    requestFullAccuracy("delivery", answered)
    try daemon.send(.sessionDiagnostic(first, .authorizationRequestInProgress))
    try daemon.send(.sessionDiagnostic(first, []))
    #expect(await daemon.next() == .sessionClosed(first))
    var words = answers.makeAsyncIterator()
    #expect(await words.next() == "delivery: no error")
    #expect(await words.next() == "delivery: no error")
  }

  @Test func anAnswerDuringARestartOfTheDaemonEndsTheRequest() async throws {
    manager.requestAlwaysAuthorization()
    try await askAndRestart(.authorizationRequest(isAlways: true))
    try daemon.send(.authorization(AuthorizationState(.always)))
    #expect(await daemon.next() == .sessionClosed(first))
  }

  @Test func aDenialDuringARestartOfTheDaemonEndsTheRequest() async throws {
    manager.requestAlwaysAuthorization()
    try await askAndRestart(.authorizationRequest(isAlways: true))
    try daemon.send(.sessionDiagnostic(first, .alwaysAuthorizationDenied))
    #expect(await daemon.next() == .sessionClosed(first))
  }
}

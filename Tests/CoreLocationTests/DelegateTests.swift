import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// The classic manager and its delegate, beside a daemon that follows a script.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DelegateTests {
  /// A delegate with the former method for the authorization only.
  private final class FormerEar: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    let heard = AsyncStream<CLAuthorizationStatus>.makeStream()

    func locationManager(
      _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
      heard.continuation.yield(status)
    }
  }

  /// A delegate that stops the updates in each call, when all locations of a test have come.
  ///
  /// It records the first location of each call.
  private final class StoppingEar: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    let heard = AsyncStream<Double>.makeStream()

    func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
      _ = try? eventually { (manager.location?.coordinate.latitude ?? 0) >= 5 }
      manager.stopUpdatingLocation()
      if let first = locations.first { heard.continuation.yield(first.coordinate.latitude) }
    }
  }

  private let desk: DelegateDesk
  private var daemon: ScriptedDaemon { desk.daemon }
  private var manager: CLLocationManager { desk.manager }
  private var ear: DelegateEar { desk.ear }

  init() async throws {
    desk = try await DelegateDesk()
  }

  private func fix(_ latitude: Double, accuracy: Double = 3) -> Fix {
    desk.fix(latitude, accuracy: accuracy)
  }

  @Test func aDelegateWithTheFormerMethodGetsAChangeOfTheAuthorization() async throws {
    let ear = FormerEar()
    var heard = ear.heard.stream.makeAsyncIterator()
    manager.delegate = ear
    try daemon.send(.authorization(AuthorizationState(.denied)))
    #expect(await heard.next() == .denied)
    withExtendedLifetime(ear) {}
  }

  @Test func theAuthorizationIsReportedAtTheStartAndAtEachChange() async throws {
    #expect(manager.authorizationStatus == .authorizedWhenInUse)
    #expect(manager.accuracyAuthorization == .fullAccuracy)
    try daemon.send(.authorization(AuthorizationState(.always, isReduced: true)))
    #expect(await ear.next() == "authorization 3")
    #expect(manager.accuracyAuthorization == .reducedAccuracy)
  }

  @Test func standardUpdatesArriveUntilTheyAreStoppedAndTheLastLocationStays() async throws {
    manager.activityType = .fitness
    manager.startUpdatingLocation()
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .fitness))
    try daemon.send(fix(1), to: 1)
    #expect(await ear.next() == "at 1.0")
    manager.stopUpdatingLocation()
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
    #expect(manager.location?.coordinate.latitude == 1)
  }

  @Test func theDistanceFilterLetsFartherAndMoreAccurateLocationsPass() async throws {
    manager.distanceFilter = 100
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.send(fix(10, accuracy: 9), to: 1)
    try daemon.send(fix(10.000_01, accuracy: 9), to: 1)
    // An accuracy of a receiver at rest improves by millimeters.
    try daemon.send(fix(10.000_01, accuracy: 8.99), to: 1)
    try daemon.send(fix(10.000_02, accuracy: 5), to: 1)
    try daemon.send(fix(10.000_03, accuracy: 5), to: 1)
    try daemon.send(fix(10.01, accuracy: 9), to: 1)
    #expect(await ear.next() == "at 10.0")
    #expect(await ear.next() == "at 10.00002")
    #expect(await ear.next() == "at 10.01")
  }

  /// Updates start, and pause because the board rests.
  private func startAndPause() async throws {
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.send(fix(1), to: 1, flags: .stationary)
    #expect(await ear.next() == "at 1.0")
    #expect(await ear.next() == "paused")
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
  }

  @Test func aPauseEndsUpdatesUntilTheAppStartsThemAgain() async throws {
    try await startAndPause()
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 2), .default))
    try daemon.send(fix(2), to: 2)
    #expect(await ear.next() == "resumed")
    #expect(await ear.next() == "at 2.0")
  }

  @Test func theAnswerToARequestDoesNotResumePausedUpdates() async throws {
    try await startAndPause()
    manager.requestLocation()
    #expect(await daemon.next() == .searched(SequenceID(number: 2)))
    try daemon.send(fix(2), to: 2)
    #expect(await ear.next() == "at 2.0")
    #expect(await daemon.next() == .closed(SequenceID(number: 2)))
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 3), .default))
    try daemon.send(fix(3), to: 3)
    #expect(await ear.next() == "resumed")
    #expect(await ear.next() == "at 3.0")
  }

  @Test func noLocationArrivesAfterAStop() async throws {
    let ear = StoppingEar()
    var heard = ear.heard.stream.makeAsyncIterator()
    manager.delegate = ear
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    for latitude in 1...5 { try daemon.send(fix(Double(latitude)), to: 1) }
    #expect(await heard.next() == 1)
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 2), .default))
    try daemon.send(fix(9), to: 2)
    #expect(await heard.next() == 9)
    withExtendedLifetime(ear) {}
  }

  @Test func aDeniedAppGetsNoCallWhenServicesAreSwitched() async throws {
    try daemon.send(.authorization(AuthorizationState(.denied)))
    #expect(await ear.next() == "authorization 2")
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.explain(.authorizationDenied, to: 1)
    #expect(await ear.next() == "failed 1")
    try daemon.send(.authorization(AuthorizationState(.denied, areServicesOn: false)))
    try daemon.explain([.authorizationDenied, .authorizationDeniedGlobally], to: 1)
    try daemon.send(.authorization(AuthorizationState(.denied)))
    try daemon.explain(.authorizationDenied, to: 1)
    try daemon.send(.authorization(AuthorizationState(.whenInUse)))
    #expect(await ear.next() == "authorization 4")
  }

  @Test func withoutPausesUpdatesContinueAtARest() async throws {
    manager.pausesLocationUpdatesAutomatically = false
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.send(fix(1), to: 1, flags: .stationary)
    #expect(await ear.next() == "at 1.0")
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
    #expect(await daemon.next() == .opened(SequenceID(number: 2), .default))
    try daemon.send(fix(2), to: 2)
    #expect(await ear.next() == "at 2.0")
  }

  @Test func aSequenceThatReplacesAnotherOneRepeatsNoLocation() async throws {
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.send(fix(1), to: 1)
    #expect(await ear.next() == "at 1.0")
    manager.activityType = .fitness
    let heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.closed(SequenceID(number: 1))))
    #expect(heard.contains(.opened(SequenceID(number: 2), .fitness)))
    // The daemon sends its last location to the new sequence.
    try daemon.send(fix(1), to: 2)
    try daemon.send(fix(2), to: 2)
    #expect(await ear.next() == "at 2.0")
    // After a start by the app it is delivered again.
    manager.stopUpdatingLocation()
    #expect(await daemon.next() == .closed(SequenceID(number: 2)))
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 3), .fitness))
    try daemon.send(fix(2), to: 3)
    #expect(await ear.next() == "at 2.0")
  }

  @Test func updatesThatContinueInTheBackgroundHoldASession() async throws {
    manager.allowsBackgroundLocationUpdates = true
    manager.startUpdatingLocation()
    var heard = [await daemon.next(), await daemon.next()]
    let session = ScriptedDaemon.Event.sessionOpened(SessionID(number: 1), .standardUpdates)
    #expect(heard.contains(session))
    manager.stopUpdatingLocation()
    heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.sessionClosed(SessionID(number: 1))))
  }

  @Test func updatesHoldAServiceSessionThatTheDaemonRequires() async throws {
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    let session = SessionID(number: 1)
    for _ in 0..<2 { try daemon.explain(.serviceSessionRequired, to: 1) }
    #expect(await daemon.next() == .sessionOpened(session, .service(.none)))
    try daemon.send(fix(1), to: 1)
    #expect(await ear.next() == "at 1.0")
    manager.stopUpdatingLocation()
    let heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.closed(SequenceID(number: 1))))
    #expect(heard.contains(.sessionClosed(session)))
  }

  /// Updates start in the background, too, and the daemon has too many sequences.
  private func startAndFail() async throws {
    manager.allowsBackgroundLocationUpdates = true
    manager.startUpdatingLocation()
    let heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.opened(SequenceID(number: 1), .default)))
    #expect(heard.contains(.sessionOpened(SessionID(number: 1), .standardUpdates)))
    try daemon.send(.updatesEnded(SequenceID(number: 1), .init(.sequencesTooMany, "32 are open")))
    #expect(await ear.next() == "failed 2")
  }

  @Test func afterARefusalTheSessionEndsAndTheAppMayStartUpdatesAgain() async throws {
    try await startAndFail()
    #expect(await daemon.next() == .sessionClosed(SessionID(number: 1)))
    manager.startUpdatingLocation()
    let heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.opened(SequenceID(number: 2), .default)))
    #expect(heard.contains(.sessionOpened(SessionID(number: 2), .standardUpdates)))
    try daemon.send(fix(2), to: 2)
    #expect(await ear.next() == "at 2.0")
  }

  @Test func afterARefusalTheAppMayRequestALocation() async throws {
    try await startAndFail()
    #expect(await daemon.next() == .sessionClosed(SessionID(number: 1)))
    manager.requestLocation()
    #expect(await daemon.next() == .searched(SequenceID(number: 2)))
    try daemon.send(fix(2), to: 2)
    #expect(await ear.next() == "at 2.0")
  }

  @Test func reducedAccuracyIsAWishOfTheSequence() async throws {
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .openedReduced(SequenceID(number: 1), .default))
    try daemon.send(fix(47, accuracy: 5_000), to: 1, flags: .accuracyLimited)
    #expect(await ear.next() == "at 47.0")
    // Another accuracy begins another sequence, unless both are exact.
    manager.desiredAccuracy = kCLLocationAccuracyBest
    var heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.closed(SequenceID(number: 1))))
    #expect(heard.contains(.opened(SequenceID(number: 2), .default)))
    manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
    manager.activityType = .airborne
    heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.opened(SequenceID(number: 3), .airborne)))
  }

  @Test func aRequestForOneRoughLocationIsReducedToo() async throws {
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    manager.requestLocation()
    #expect(await daemon.next() == .searched(SequenceID(number: 1), isReduced: true))
    try daemon.send(fix(47, accuracy: 5_000), to: 1, flags: .accuracyLimited)
    #expect(await ear.next() == "at 47.0")
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
  }

  @Test func aManifestWithoutABackgroundModeIsKnownOnceTheDaemonHasAnswered() async throws {
    let directory = try TemporaryDirectory()
    let connection = DaemonConnection(program: "test") { [directory] in directory.path }
    let storage = AuthorizationStorage { connection }
    let known = AsyncStream<Bool?>.makeStream()
    // No daemon answers within the time of the first call, so the answer comes later.
    storage.onceKnown { known.continuation.yield($0) }
    storage.arrived(AuthorizationState(.whenInUse, hasBackgroundMode: false))
    var answers = known.stream.makeAsyncIterator()
    #expect(await answers.next() == .some(false))
    storage.arrived(AuthorizationState(.whenInUse, hasBackgroundMode: true))
    storage.arrived(AuthorizationState(.whenInUse, hasBackgroundMode: false))
    // An upgrade of the program's file may hide the manifest; the app has shown its mode before.
    storage.onceKnown { known.continuation.yield($0) }
    #expect(await answers.next() == .some(true))
  }

  @Test func reasonsForNoLocationAreErrors() async throws {
    manager.startUpdatingLocation()
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.explain(.locationUnavailable, to: 1)
    #expect(await ear.next() == "failed 0")
    try daemon.explain([.authorizationDenied, .authorizationDeniedGlobally], to: 1)
    #expect(await ear.next() == "failed 1")
  }

  @Test func oneLocationIsRequestedAndTheSequenceEnds() async throws {
    manager.requestLocation()
    #expect(await daemon.next() == .searched(SequenceID(number: 1)))
    try daemon.send(fix(1, accuracy: 50), to: 1)
    try daemon.send(fix(2, accuracy: 4), to: 1)
    #expect(await ear.next() == "at 2.0")
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
  }

  @Test func aRequestForAuthorizationLastsUntilTheAnswer() async throws {
    manager.requestAlwaysAuthorization()
    let id = SessionID(number: 1)
    #expect(await daemon.next() == .sessionOpened(id, .authorizationRequest(isAlways: true)))
    try daemon.send(.sessionDiagnostic(id, .authorizationRequestInProgress))
    try daemon.send(.authorization(AuthorizationState(.always)))
    #expect(await ear.next() == "authorization 3")
    try daemon.send(.sessionDiagnostic(id, []))
    #expect(await daemon.next() == .sessionClosed(id))
  }

  @Test func fullAccuracyThatIsNotAskedForIsDeclined() async throws {
    let manager = manager
    let request = Task { @MainActor in
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "delivery")
    }
    let id = SessionID(number: 1)
    #expect(await daemon.next() == .sessionOpened(id, .fullAccuracyRequest(purpose: "delivery")))
    try daemon.send(.sessionDiagnostic(id, .fullAccuracyDenied))
    await #expect(throws: CLError(.promptDeclined)) { try await request.value }
  }

  @Test func missingServicesAnswerAndDoNotStayMute() async throws {
    #expect(!CLLocationManager.headingAvailable() && !CLLocationManager.isRangingAvailable())
    #expect(!CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
    manager.startUpdatingHeading()
    #expect(await ear.next() == "failed 3")
    manager.startMonitoringVisits()
    #expect(await ear.next() == "failed 0")
  }

  @Test func aCircleContainsTheCoordinatesWithinItsRadius() {
    let center = CLLocationCoordinate2D(latitude: 47, longitude: 8)
    let circle = CLCircularRegion(center: center, radius: 200, identifier: "home")
    #expect(circle.contains(CLLocationCoordinate2D(latitude: 47.001, longitude: 8)))
    #expect(!circle.contains(CLLocationCoordinate2D(latitude: 47.01, longitude: 8)))
  }
}

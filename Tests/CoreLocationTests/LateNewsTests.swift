import BinnacleBasics
import BinnacleModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreLocation

/// News that a task of a service received before the app stopped the service.
///
/// No daemon listens. After some seconds on a busy machine the service reports by itself that the location is unknown, which the tests
/// leave out.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LateNewsTests {
  /// A delegate that records the latitudes of each call; a failure other than an unknown location is an empty list.
  private final class CallEar: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    let heard = AsyncStream<[Double]>.makeStream()

    func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
      heard.continuation.yield(locations.map(\.coordinate.latitude))
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      guard (error as? CLError)?.code != .locationUnknown else { return }
      heard.continuation.yield([])
    }
  }

  private let directory: TemporaryDirectory
  private let connection: DaemonConnection
  private let manager: CLLocationManager
  private let ear = DelegateEar()
  private let service: ClassicService

  /// No daemon listens, so all news is from the test.
  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let path = directory.path
    let connection = DaemonConnection(program: "test") { path }
    self.connection = connection
    let authorization = AuthorizationStorage { connection }
    let parts = CLLocationManager.Parts(authorization: authorization) { connection }
    manager = CLLocationManager.with(parts) { CLLocationManager() }
    manager.delegate = ear
    service = ClassicService(
      authorization, service: { connection }, searchEnd: ClassicService.endOfSearch)
    service.begin(for: manager)
  }

  private func location(_ latitude: Double) -> CLLocation {
    CLLocation(latitude: latitude, longitude: 8)
  }

  private let rest = CLLocationUpdate(
    Update(
      fix: Fix(
        latitude: 47, longitude: 8, horizontalAccuracy: 3,
        time: UTCTime(secondsSince1970: 1_763_700_000)), flags: .stationary))

  /// The next event of the delegate other than an unknown location.
  private func next() async -> String? {
    var heard = await ear.next()
    while heard == "failed \(CLError.Code.locationUnknown.rawValue)" { heard = await ear.next() }
    return heard
  }

  // MARK: The delegate

  @Test(arguments: [
    StandardUpdates.News.location(CLLocation(latitude: 47, longitude: 8)), .failed(.denied),
    .paused,
  ])
  func newsAfterAStopIsNotDelivered(_ news: StandardUpdates.News) async {
    service.start()
    service.take(.location(location(1)), generation: 1)
    #expect(await next() == "at 1.0")
    // The main queue comes to these news after the stop.
    service.take(news, generation: 1)
    service.stop()
    // The task comes to these news after the stop, and after the next start.
    service.take(news, generation: 1)
    service.start()
    service.take(news, generation: 1)
    service.take(.location(location(2)), generation: 2)
    #expect(await next() == "at 2.0")
    service.end()
  }

  @Test func theResultOfACanceledSearchIsNotDelivered() async {
    service.requestLocation(within: kCLLocationAccuracyBest)
    service.take(.success(location(1)), search: 1)
    #expect(await ear.next() == "at 1.0")
    service.requestLocation(within: kCLLocationAccuracyBest)
    service.take(.success(location(2)), search: 1)
    // The main queue comes to this result after the stop.
    service.take(.success(location(3)), search: 2)
    service.stop()
    service.take(.failure(CLError(.denied)), search: 2)
    service.requestLocation(within: kCLLocationAccuracyBest)
    service.take(.success(location(4)), search: 3)
    #expect(await ear.next() == "at 4.0")
    service.end()
  }

  // MARK: News that waits for the main queue

  @Test func locationsThatWaitForTheMainQueueAreOneCallUntilOtherNews() async {
    let ear = CallEar()
    var calls = ear.heard.stream.makeAsyncIterator()
    manager.delegate = ear
    service.start()
    // The test occupies the main queue until it awaits.
    service.take(.location(location(1)), generation: 1)
    service.take(.location(location(2)), generation: 1)
    service.take(.failed(.network), generation: 1)
    service.take(.location(location(3)), generation: 1)
    #expect(await calls.next() == [1, 2])
    #expect(await calls.next() == [])
    #expect(await calls.next() == [3])
    service.take(.location(location(4)), generation: 1)
    #expect(await calls.next() == [4])
    service.end()
    withExtendedLifetime(ear) {}
  }

  @Test func ofTooManyWaitingLocationsTheOldestAreDropped() async {
    let ear = CallEar()
    var calls = ear.heard.stream.makeAsyncIterator()
    manager.delegate = ear
    service.start()
    let count = LocationBatch.countMax + 2
    for number in 1...count {
      service.take(.location(location(Double(number))), generation: 1)
    }
    let latitudes = await calls.next()
    #expect(latitudes?.count == LocationBatch.countMax)
    #expect(latitudes?.first == 3)
    #expect(latitudes?.last == Double(count))
    service.end()
    withExtendedLifetime(ear) {}
  }

  // MARK: Tasks that are no longer the present one

  private func updates(_ news: CountedNews) -> StandardUpdates {
    let connection = connection
    return StandardUpdates(service: { connection }) { _, _ in news.count() }
  }

  /// The number of news for a delegate.
  private final class CountedNews: Sendable {
    private let total = Mutex(0)

    var number: Int { total.withLock { $0 } }

    func count() { total.withLock { $0 += 1 } }
  }

  @Test func arrivalAtARestDoesNotPauseUpdatesThatWereStartedAnew() {
    let news = CountedNews()
    let updates = updates(news)
    updates.start()
    updates.stop()
    updates.start()
    #expect(updates.take(rest, generation: 1) == .ended)
    #expect(updates.isRunning)
    #expect(news.number == 0)
    #expect(updates.take(rest, generation: 2) == .ended)
    #expect(!updates.isRunning)
    // The location, and the pause.
    #expect(news.number == 2)
  }

  @Test func arrivalAtARestDoesNotPauseUpdatesOfAnotherActivity() {
    let news = CountedNews()
    let updates = updates(news)
    updates.start()
    updates.change { $0.activityType = .fitness }
    #expect(updates.take(rest, generation: 1) == .ended)
    #expect(updates.isRunning)
    #expect(news.number == 0)
  }
}

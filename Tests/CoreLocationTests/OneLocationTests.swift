import BinnacleModel
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// `requestLocation()`: the first location of the accuracy, the best one until the end of the search, or a failure.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OneLocationTests {
  private let first = SequenceID(number: 1)
  private let second = SequenceID(number: 2)

  @Test func aSearchOfAnAppLastsTenSeconds() {
    #expect(ClassicService.requestTimeMax == .seconds(10))
  }

  @Test func aSearchWithoutALocationFailsAtItsEnd() async throws {
    let desk = try await DelegateDesk { _ in }
    desk.manager.requestLocation()
    #expect(await desk.ear.next() == "failed 0")
    #expect(desk.manager.location == nil)
    withExtendedLifetime(desk) {}
  }

  @Test func atTheEndOfASearchTheBestLocationIsDelivered() async throws {
    let desk = try await DelegateDesk { best in
      while !Task.isCancelled, best()?.coordinate.latitude != 2 { await Task.yield() }
    }
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1, accuracy: 90), to: 1)
    try desk.daemon.send(desk.fix(2, accuracy: 50), to: 1)
    #expect(await desk.ear.next() == "at 2.0")
    #expect(await desk.daemon.next() == .closed(first))
    #expect(desk.manager.location?.coordinate.latitude == 2)
    withExtendedLifetime(desk) {}
  }

  @Test func aLessAccurateLocationDoesNotReplaceTheBestOne() async throws {
    let desk = try await DelegateDesk()
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1, accuracy: 50), to: 1)
    try desk.daemon.send(desk.fix(2, accuracy: 90), to: 1)
    // A denial ends the search, too.
    try desk.daemon.explain(.authorizationDenied, to: 1)
    #expect(await desk.ear.next() == "at 1.0")
    #expect(await desk.daemon.next() == .closed(first))
    withExtendedLifetime(desk) {}
  }

  @Test func aDenialBeforeTheFirstLocationFails() async throws {
    let desk = try await DelegateDesk()
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.explain(.authorizationDenied, to: 1)
    #expect(await desk.ear.next() == "failed 1")
    withExtendedLifetime(desk) {}
  }

  @Test func theDesiredAccuracyEndsTheSearch() async throws {
    let desk = try await DelegateDesk()
    desk.manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1, accuracy: 110), to: 1)
    try desk.daemon.send(desk.fix(2, accuracy: 100), to: 1)
    #expect(await desk.ear.next() == "at 2.0")
    #expect(await desk.daemon.next() == .closed(first))
    withExtendedLifetime(desk) {}
  }

  @Test func theApproximateLocationEndsTheSearch() async throws {
    let desk = try await DelegateDesk { _ in
      while !Task.isCancelled { await Task.yield() }
    }
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1, accuracy: 5_000), to: 1, flags: .accuracyLimited)
    #expect(await desk.ear.next() == "at 1.0")
    #expect(await desk.daemon.next() == .closed(first))
    withExtendedLifetime(desk) {}
  }

  @Test func aSearchHoldsAServiceSessionThatTheDaemonRequires() async throws {
    let desk = try await DelegateDesk()
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.explain(.serviceSessionRequired, to: 1)
    let session = SessionID(number: 1)
    #expect(await desk.daemon.next() == .sessionOpened(session, .service(.none)))
    try desk.daemon.send(desk.fix(1), to: 1)
    #expect(await desk.ear.next() == "at 1.0")
    let heard = [await desk.daemon.next(), await desk.daemon.next()]
    #expect(heard.contains(.closed(first)))
    #expect(heard.contains(.sessionClosed(session)))
    withExtendedLifetime(desk) {}
  }

  // MARK: Repeated requests

  @Test func repeatedRequestsAreOneSearch() async throws {
    let desk = try await DelegateDesk()
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1, accuracy: 50), to: 1)
    desk.manager.requestLocation()
    desk.manager.requestLocation()
    try desk.daemon.send(desk.fix(2), to: 1)
    #expect(await desk.ear.next() == "at 2.0")
    #expect(await desk.daemon.next() == .closed(first))
    // A request after the result is another one.
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(second))
    try desk.daemon.send(desk.fix(3), to: 2)
    #expect(await desk.ear.next() == "at 3.0")
    withExtendedLifetime(desk) {}
  }

  @Test func aRequestDoesNotDropTheResultThatWaitsForTheMainQueue() async throws {
    let desk = try await DelegateDesk()
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1), to: 1)
    // The test occupies the main queue, so the result waits.
    let hasResult = try eventually { desk.manager.location != nil }
    #expect(hasResult)
    desk.manager.requestLocation()
    #expect(await desk.ear.next() == "at 1.0")
    withExtendedLifetime(desk) {}
  }

  // MARK: Searches beside updates

  @Test func theStartOfUpdatesCancelsASearch() async throws {
    let desk = try await DelegateDesk()
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1, accuracy: 50), to: 1)
    desk.manager.startUpdatingLocation()
    let heard = [await desk.daemon.next(), await desk.daemon.next()]
    #expect(heard.contains(.closed(first)))
    #expect(heard.contains(.opened(second, .default)))
    try desk.daemon.send(desk.fix(2), to: 2)
    #expect(await desk.ear.next() == "at 2.0")
    withExtendedLifetime(desk) {}
  }

  @Test func theStopOfUpdatesCancelsASearch() async throws {
    let desk = try await DelegateDesk()
    desk.manager.requestLocation()
    #expect(await desk.daemon.next() == .searched(first))
    try desk.daemon.send(desk.fix(1, accuracy: 50), to: 1)
    desk.manager.stopUpdatingLocation()
    #expect(await desk.daemon.next() == .closed(first))
    desk.manager.startUpdatingLocation()
    #expect(await desk.daemon.next() == .opened(second, .default))
    try desk.daemon.send(desk.fix(2), to: 2)
    #expect(await desk.ear.next() == "at 2.0")
    withExtendedLifetime(desk) {}
  }

  @Test func whileUpdatesRunThereIsNoSearch() async throws {
    let desk = try await DelegateDesk()
    desk.manager.startUpdatingLocation()
    #expect(await desk.daemon.next() == .opened(first, .default))
    desk.manager.requestLocation()
    try desk.daemon.send(desk.fix(1), to: 1)
    #expect(await desk.ear.next() == "at 1.0")
    desk.manager.stopUpdatingLocation()
    #expect(await desk.daemon.next() == .closed(first))
    withExtendedLifetime(desk) {}
  }

  @Test func whileUpdatesOfADeniedAppRunEachRequestAndEachStartIsAnsweredByADenial() async throws {
    let desk = try await DelegateDesk()
    desk.manager.startUpdatingLocation()
    #expect(await desk.daemon.next() == .opened(first, .default))
    try desk.daemon.explain(.authorizationDenied, to: 1)
    #expect(await desk.ear.next() == "failed 1")
    desk.manager.requestLocation()
    desk.manager.startUpdatingLocation()
    desk.manager.startUpdatingHeading()
    #expect(await desk.ear.next() == "failed 1")
    #expect(await desk.ear.next() == "failed 1")
    #expect(await desk.ear.next() == "failed 3")
    // The same updates deliver after a grant, and the calls are answered by locations again.
    try desk.daemon.send(desk.fix(1), to: 1)
    #expect(await desk.ear.next() == "at 1.0")
    desk.manager.requestLocation()
    desk.manager.startUpdatingLocation()
    desk.manager.startUpdatingHeading()
    #expect(await desk.ear.next() == "failed 3")
    withExtendedLifetime(desk) {}
  }
}

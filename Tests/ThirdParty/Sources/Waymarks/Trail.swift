import CoreLocation
import Model

/// Waymarks in the order of the walk.
public struct Trail: Sendable {
  public let waymarks: [Waymark]

  public init(_ waymarks: [Waymark]) {
    self.waymarks = waymarks
  }

  /// How long the walk is from waymark to waymark.
  public var length: CLLocationDistance {
    zip(waymarks, waymarks.dropFirst()).reduce(0) { sum, leg in
      sum + leg.1.location.distance(from: leg.0.location)
    }
  }

  /// The waymark that is nearest to a place.
  public func nearest(to location: CLLocation) -> Waymark? {
    waymarks.min {
      $0.location.distance(from: location) < $1.location.distance(from: location)
    }
  }

  /// Calls back with the nearest waymark at every location, until the task is canceled.
  public func follow(_ passed: (Waymark, CLLocation) -> Void) async throws {
    for try await update in CLLocationUpdate.liveUpdates(.fitness) {
      if update.authorizationDenied { throw CLError(.denied) }
      guard let location = update.location, let waymark = nearest(to: location) else { continue }
      passed(waymark, location)
    }
  }
}

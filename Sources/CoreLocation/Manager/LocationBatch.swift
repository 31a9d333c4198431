internal import Synchronization

/// Locations of standard updates that wait for one call of the delegate, oldest first.
///
/// A manager's queue that is not served for a long time gets one call with at most an hour of locations at 1 Hz.
final class LocationBatch: Sendable {
  /// The most locations of one call; the oldest are dropped.
  static let countMax = UpdatesBuffer.plainCountMax

  /// The number of the task that the locations are from.
  let generation: Int
  private let locations: Mutex<[CLLocation]>

  init(_ first: CLLocation, generation: Int) {
    self.generation = generation
    locations = Mutex([first])
  }

  /// Adds a newer location.
  func add(_ location: CLLocation) {
    locations.withLock { locations in
      if locations.count == LocationBatch.countMax { locations.removeFirst() }
      locations.append(location)
    }
  }

  /// The locations for the delegate.
  func take() -> [CLLocation] {
    locations.withLock { locations in
      defer { locations = [] }
      return locations
    }
  }
}

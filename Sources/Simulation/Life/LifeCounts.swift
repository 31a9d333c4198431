/// Counts of the events of a run, so that a test can require the events.
struct LifeCounts: Equatable, Sendable {
  var launched = 0
  var suspended = 0
  var resumed = 0
  var closed = 0
  var endedForMemory = 0
  /// Locations that waited for their app and reached it.
  var waited = 0
  /// The locations that each app has got.
  var locations: [Int]

  init(apps: Int) {
    locations = [Int](repeating: 0, count: apps)
  }
}

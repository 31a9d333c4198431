import BinnacleBasics
import BinnacleModel

/// The use of locations by an app or a tool, from when to when: the app may receive locations by one right.
struct LocationUse: Equatable, Codable, Sendable {
  let app: AppID
  let right: UseRight
  let isInBackground: Bool
  let since: Instant
  /// The time of the beginning; nil if the time was unknown.
  let time: UTCTime?
  /// Locations that were delivered.
  var updateCount = 0

  /// Whether two uses are the same use at different instants.
  func isSame(as other: LocationUse) -> Bool {
    app == other.app && right == other.right && isInBackground == other.isInBackground
  }

  /// Whether the use is an epoch of ``BackgroundEpochs``: the use of an app in the background, and of an operator's tool.
  var isEpoch: Bool { isInBackground || right == .operator }
}

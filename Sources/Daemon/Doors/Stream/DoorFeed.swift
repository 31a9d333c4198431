import BinnacleBasics
import BinnacleModel

/// The bytes that one reader of a door gets: an epoch per update, and further epochs between updates.
///
/// An epoch is one or several whole lines of text. A reader gets it as a whole or not at all. The engine decides which positions
/// are in the updates.
protocol DoorFeed {
  /// When the next epoch without an update is due; nil: none is due before the next update.
  var nextDeadline: Instant? { get }

  /// Takes the satellites in view. An update without a position, or with reduced accuracy, takes away the right to them.
  mutating func seen(_ sky: Sky, at now: Instant)

  /// Takes an update; answers its epoch.
  mutating func epoch(of update: Update, at now: Instant) -> [UInt8]

  /// The due epoch; nil if no epoch is due.
  mutating func dueEpoch(at now: Instant) -> [UInt8]?
}

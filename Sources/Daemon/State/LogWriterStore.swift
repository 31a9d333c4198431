import BinnacleBasics
import LocationEngine

/// The storage that a log writer writes to; everything in it may take as long as a disk likes.
protocol LogWriterStore: Sendable {
  associatedtype Order: Sendable

  /// The name of the log writer's thread.
  static var thread: String { get }

  /// Carries out an order; answers its result.
  mutating func carryOut(_ order: Order) -> Event

  /// When `deadlineReached` is due; nil when nothing was deferred.
  var nextDeadline: Instant? { get }

  mutating func deadlineReached(at now: Instant)

  /// No further order comes.
  mutating func close()
}

extension LogWriterStore {
  var nextDeadline: Instant? { nil }

  mutating func deadlineReached(at now: Instant) {}

  mutating func close() {}
}

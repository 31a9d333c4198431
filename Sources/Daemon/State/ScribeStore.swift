import BinnacleBasics
import LocationEngine

/// What a scribe writes; everything in it may take as long as a disk likes.
protocol ScribeStore: Sendable {
  associatedtype Order: Sendable

  /// What the scribe's thread is called.
  static var thread: String { get }

  /// Does what was ordered, and says what came of it.
  mutating func carryOut(_ order: Order) -> Event

  /// When `deadlineReached` is due; nil when nothing was deferred.
  var nextDeadline: Instant? { get }

  mutating func deadlineReached(at now: Instant)

  /// No order comes any more.
  mutating func close()
}

extension ScribeStore {
  var nextDeadline: Instant? { nil }

  mutating func deadlineReached(at now: Instant) {}

  mutating func close() {}
}

import BinnacleBasics
import LocationEngine

/// The storage of a log writer; each operation may wait for the disk.
protocol LogWriterStore: Sendable {
  associatedtype Order: Sendable

  /// The name of the log writer's thread.
  static var thread: String { get }

  /// Carries out an order and returns its result.
  mutating func carryOut(_ order: Order) -> Event

  /// The next call time of `deadlineReached`; nil if no write is deferred.
  var nextDeadline: Instant? { get }

  mutating func deadlineReached(at now: Instant)

  /// Ends the use of the store: no further order follows.
  mutating func close()

  /// Takes the events that are no results of orders.
  mutating func takeNews() -> [Event]
}

extension LogWriterStore {
  var nextDeadline: Instant? { nil }

  mutating func deadlineReached(at now: Instant) {}

  mutating func close() {}

  mutating func takeNews() -> [Event] { [] }
}

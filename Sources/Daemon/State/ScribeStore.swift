import LocationEngine

/// What a scribe writes; everything in it may take as long as a disk likes.
protocol ScribeStore: Sendable {
  associatedtype Order: Sendable

  /// What the scribe's thread is called.
  static var thread: String { get }

  /// Does what was ordered, and says what came of it.
  mutating func carryOut(_ order: Order) -> Event
}

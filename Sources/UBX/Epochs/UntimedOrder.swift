/// Learns whether GSA or VTG arrive before or after the sentences with a time of the same epoch.
///
/// GSA and VTG have no time, and most receivers send them last. A stream that repeats GSA GGA RMC GSA GGA RMC does not
/// show the order. Two signs show the order: the pause between two epochs, and HDOP, which GGA and GSA both have.
struct UntimedOrder: Equatable, Codable, Sendable {
  /// Positive: after; negative: before.
  private var votes = 0

  /// The most votes for one order.
  ///
  /// A pause or a value may mislead, so this many contradictions cancel all earlier votes.
  private static let votesMax = 3

  var isKnown: Bool { votes != 0 }
  var isBefore: Bool { votes < 0 }

  mutating func sawBehind() { votes = min(votes + 1, UntimedOrder.votesMax) }

  mutating func sawBefore() { votes = max(votes - 1, -UntimedOrder.votesMax) }
}

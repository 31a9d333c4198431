/// Learns whether sentences without a time, GSA or VTG, come behind the sentences with the time of their epoch or before
/// them.
///
/// Most receivers send them behind. A stream that repeats GSA GGA RMC GSA GGA RMC looks the same either way: the pause between
/// two epochs tells it, and HDOP, which GGA and GSA both have.
struct UntimedOrder: Equatable, Codable, Sendable {
  /// Positive: behind; negative: before.
  private var votes = 0

  /// A pause or a value may mislead; so many contradictions outweigh all that was seen before.
  private static let votesMax = 3

  var isKnown: Bool { votes != 0 }
  var isBefore: Bool { votes < 0 }

  mutating func sawBehind() { votes = min(votes + 1, UntimedOrder.votesMax) }

  mutating func sawBefore() { votes = max(votes - 1, -UntimedOrder.votesMax) }
}

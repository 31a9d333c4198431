import BinnacleBasics
import BinnacleModel

/// The newest sky from the receiver, until it is taken.
struct SkyInbox: Equatable, Codable, Sendable {
  private var newest: Sky?
  /// When the last sky in UBX arrived.
  private var answeredAt: Instant?

  /// After this time without a sky in UBX, the receiver counts as a source of sentences only.
  private static let silenceMax = Interval.seconds(15)

  /// Takes a sky; a sky from sentences counts only if no sky in UBX arrives.
  mutating func arrived(_ sky: Sky, isInSentences: Bool, at now: Instant) {
    if !isInSentences {
      answeredAt = now
    } else if let answeredAt, now - answeredAt < SkyInbox.silenceMax {
      return
    }
    newest = sky
  }

  /// The newest sky since the last call; nil if no sky has arrived.
  mutating func take() -> Sky? {
    defer { newest = nil }
    return newest
  }
}

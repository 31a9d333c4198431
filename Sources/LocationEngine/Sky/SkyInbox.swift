import BinnacleBasics
import BinnacleModel

/// The newest sky that the receiver has told, until it is taken.
struct SkyInbox: Equatable, Codable, Sendable {
  private var newest: Sky?
  /// When the last sky in UBX came.
  private var answeredAt: Instant?

  /// A receiver that answers so seldom counts as one that only sends sentences.
  private static let silenceMax = Interval.seconds(15)

  /// Takes a sky; one of sentences only where UBX does not tell the sky.
  mutating func arrived(_ sky: Sky, isInSentences: Bool, at now: Instant) {
    if !isInSentences {
      answeredAt = now
    } else if let answeredAt, now - answeredAt < SkyInbox.silenceMax {
      return
    }
    newest = sky
  }

  /// The newest sky since the last call; nil when none has come.
  mutating func take() -> Sky? {
    defer { newest = nil }
    return newest
  }
}

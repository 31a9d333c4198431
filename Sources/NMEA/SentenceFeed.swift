public import BinnacleBasics
public import BinnacleModel

/// The epochs for a reader of sentences: one per update, and one per second without updates.
///
///     moving --update with a fix--> moving: the fix
///     any --update with the flag stationary--> resting: the fix, once a second with the present time
///     any --update without a fix--> unavailable: an epoch without a position, once a second
///
/// NMEA 0183 has no sentence for "the board rests" or "services are off", and readers treat silence as a broken line.
public struct SentenceFeed: Sendable {
  /// The time between two epochs without updates.
  public static let period = Interval.seconds(1)

  /// The time of the next epoch without an update; nil while updates arrive.
  public private(set) var nextDeadline: Instant?
  private var fix: Fix?
  /// The time of the newest fix, and the time of its arrival.
  private var clock: (time: UTCTime, instant: Instant)?

  public init() {}

  /// Takes an update; returns its epoch.
  public mutating func updated(_ update: Update, at now: Instant) -> SentenceEpoch {
    if let fix = update.fix { clock = (fix.time, now) }
    fix = update.fix
    let isLast = update.fix == nil || update.flags.contains(.stationary)
    nextDeadline = isLast ? now + SentenceFeed.period : nil
    return epoch(at: now)
  }

  /// The due epoch; nil if no epoch is due.
  public mutating func deadlineReached(at now: Instant) -> SentenceEpoch? {
    guard let due = nextDeadline, due <= now else { return nil }
    // A late daemon does not send the missed epochs.
    nextDeadline = max(due + SentenceFeed.period, now)
    return epoch(at: now)
  }

  private func epoch(at now: Instant) -> SentenceEpoch {
    SentenceEpoch(time: clock.map { $0.time + (now - $0.instant) }, fix: fix)
  }
}

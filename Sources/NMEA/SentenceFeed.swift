public import BinnacleBasics
public import BinnacleModel

/// The epochs of one reader of sentences: an epoch with each update, and one a second while no update comes.
///
///     moving --update with a fix--> moving: the fix
///     any --update that says stationary--> resting: the fix, once a second with the present time
///     any --update without a fix--> unavailable: an epoch without a position, once a second
///
/// NMEA 0183 has no sentence for "the board rests" or "services are off", and readers take silence for a broken line.
public struct SentenceFeed: Sendable {
  /// The time between two epochs while no update comes.
  public static let period = Interval.seconds(1)

  /// When the next epoch without an update is due; nil while updates come.
  public private(set) var nextDeadline: Instant?
  private var fix: Fix?
  /// The newest fix's time and the instant at which it came.
  private var clock: (time: UTCTime, instant: Instant)?

  public init() {}

  /// Takes an update; answers its epoch.
  public mutating func updated(_ update: Update, at now: Instant) -> SentenceEpoch {
    if let fix = update.fix { clock = (fix.time, now) }
    fix = update.fix
    let isLast = update.fix == nil || update.flags.contains(.stationary)
    nextDeadline = isLast ? now + SentenceFeed.period : nil
    return epoch(at: now)
  }

  /// The epoch that is due; nil when none is.
  public mutating func deadlineReached(at now: Instant) -> SentenceEpoch? {
    guard let due = nextDeadline, due <= now else { return nil }
    // A daemon that was late does not send what it has missed.
    nextDeadline = max(due + SentenceFeed.period, now)
    return epoch(at: now)
  }

  private func epoch(at now: Instant) -> SentenceEpoch {
    SentenceEpoch(time: clock.map { $0.time + (now - $0.instant) }, fix: fix)
  }
}

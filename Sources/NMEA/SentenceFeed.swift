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

  /// An older sky is not used for an epoch; on a slow line a sky comes every 5 s.
  static let skyAgeMax = Interval.seconds(10)

  /// When the next epoch without an update is due; nil while updates come.
  public private(set) var nextDeadline: Instant?
  private var fix: Fix?
  private var isReduced = false
  /// The time of the newest fix, and the time of its arrival.
  private var clock: (time: UTCTime, instant: Instant)?

  private var sky: (value: Sky, instant: Instant, isListed: Bool)?

  public init() {}

  /// Takes the satellites in view; the next epoch lists them.
  public mutating func seen(_ sky: Sky, at now: Instant) {
    self.sky = (sky, now, isListed: false)
  }

  /// Takes an update; answers its epoch.
  public mutating func updated(_ update: Update, at now: Instant) -> SentenceEpoch {
    if let fix = update.fix { clock = (fix.time, now) }
    isReduced = update.flags.contains(.accuracyLimited)
    // The reader may have lost its right to exact locations, and satellites are such a location, too.
    if update.fix == nil || isReduced { sky = nil }
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

  private mutating func epoch(at now: Instant) -> SentenceEpoch {
    let time = clock.map { $0.time + (now - $0.instant) }
    guard let (value, instant, isListed) = sky, now - instant <= SentenceFeed.skyAgeMax else {
      return SentenceEpoch(time: time, fix: fix, isReduced: isReduced)
    }
    sky?.isListed = true
    return SentenceEpoch(time: time, fix: fix, sky: value, listsSatellites: !isListed)
  }
}

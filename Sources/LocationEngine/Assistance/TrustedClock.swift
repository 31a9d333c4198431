import BinnacleBasics

/// The board's wall clock with its uncertainty.
///
/// A board without a battery starts in 1970 or at the time of its last shutdown. A clock is therefore trusted only if
/// the kernel disciplines it (adjtimex), or if the board's profile gives its uncertainty.
struct TrustedClock: Equatable, Codable, Sendable {
  let read: UTCTime
  let instant: Instant
  let within: Interval

  /// The assumed drift of a clock without correction.
  ///
  /// The kernel assumes the same for its own estimate (500 parts per million, MAXFREQ).
  private static let driftPartsPerMillion: Int64 = 500
  /// A clock with a larger uncertainty is of no use to a receiver.
  static let withinMax = Interval.seconds(60)

  func time(at now: Instant) -> UTCTime { read + (now - instant) }

  func uncertainty(at now: Instant) -> Interval {
    within + (now - instant) / 1_000_000 * TrustedClock.driftPartsPerMillion
  }
}

import BinnacleBasics

/// The board's wall clock as it was read, with how far it may be wrong.
///
/// A board without a battery starts in 1970 or at the time of its last shutdown, so that a clock is trusted only when
/// somebody answers for it: the kernel, once something disciplines it (adjtimex), or the board's profile.
struct TrustedClock: Equatable, Codable, Sendable {
  let read: UTCTime
  let instant: Instant
  let within: Interval

  /// How much a clock drifts that nobody corrects meanwhile: what the kernel assumes for its own estimate (500 parts
  /// per million, MAXFREQ).
  private static let driftPartsPerMillion: Int64 = 500
  /// A clock that may be more than this wrong tells a receiver nothing.
  static let withinMax = Interval.seconds(60)

  func time(at now: Instant) -> UTCTime { read + (now - instant) }

  func uncertainty(at now: Instant) -> Interval {
    within + (now - instant) / 1_000_000 * TrustedClock.driftPartsPerMillion
  }
}

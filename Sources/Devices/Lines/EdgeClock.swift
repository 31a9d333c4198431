import BinnacleBasics
import BinnaclePosix

/// The kernel's time stamps of edges on our own clock.
enum EdgeClock {
  /// Stamps further away than this are of another clock: kernels before 5.7 stamp with the wall clock.
  private static let stampAgeMax = Interval.seconds(3_600)

  /// Our instant of a stamp of `CLOCK_MONOTONIC`, never after `now`.
  static func instant(ofStamp nanoseconds: Int64, now: Instant) -> Instant {
    instant(ofStamp: nanoseconds, now: now, monotonic: Clock.monotonicNanoseconds)
  }

  static func instant(
    ofStamp nanoseconds: Int64, now: Instant, monotonic: Int64
  ) -> Instant {
    let (age, hasOverflowed) = monotonic.subtractingReportingOverflow(nanoseconds)
    let isOurs = !hasOverflowed && age > -1_000_000_000 && age < stampAgeMax.nanoseconds
    return isOurs ? min(now, now - Interval(nanoseconds: age)) : now
  }
}

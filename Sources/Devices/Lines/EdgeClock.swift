import BinnacleBasics
import BinnaclePosix

/// Converts the kernel's time stamps of edges to the program's clock.
enum EdgeClock {
  /// An older time stamp is from another clock: kernels before 5.7 use the wall clock.
  private static let stampAgeMax = Interval.seconds(3_600)

  /// The time of a `CLOCK_MONOTONIC` stamp, never after `now`.
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

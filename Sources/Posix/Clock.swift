public import BinnacleBasics
import CBinnaclePosix
import Glibc

/// The clocks of the board.
public enum Clock {
  /// The monotonic clock that counts suspend.
  ///
  /// The corresponding C function is `clock_gettime` with `CLOCK_BOOTTIME`.
  public static var now: Instant {
    let time = read(CLOCK_BOOTTIME)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The monotonic clock that stands still while the board is suspended, in nanoseconds: the clock that the kernel stamps
  /// edges with.
  ///
  /// The corresponding C function is `clock_gettime` with `CLOCK_MONOTONIC`.
  public static var monotonicNanoseconds: Int64 {
    let time = read(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The wall clock, right or wrong.
  ///
  /// The corresponding C function is `clock_gettime` with `CLOCK_REALTIME`.
  public static var utc: UTCTime {
    let time = read(CLOCK_REALTIME)
    return UTCTime(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Whether the kernel holds the wall clock for synchronized with a source of time.
  ///
  /// The corresponding C function is `adjtimex`, whose `STA_UNSYNC` says the opposite.
  public static var isSynchronized: Bool { cposix_clock_is_synchronized() == 1 }

  /// How far the wall clock may be wrong; nil when the kernel does not hold it for synchronized.
  ///
  /// The corresponding C function is `adjtimex`, whose `maxerror` it is.
  public static var synchronizedWithin: Interval? {
    let microseconds = cposix_clock_error_max()
    return microseconds < 0 ? nil : .microseconds(microseconds)
  }

  /// How much processor time this process has used, in user and kernel together.
  ///
  /// The corresponding C function is `clock_gettime` with `CLOCK_PROCESS_CPUTIME_ID`.
  public static var processorTime: Interval {
    let time = read(CLOCK_PROCESS_CPUTIME_ID)
    return Interval(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    let answer = clock_gettime(clock, &time)
    precondition(answer == 0, "every Linux that runs this has the clock \(clock)")
    return time
  }
}

import BinnacleBasics

/// Assigns times to samples that arrive in bursts.
///
/// A chip's own clock is off by a few percent. From a burst only one bound is known: the newest sample is at most one
/// sample interval old when the level is read. From burst to burst the clock advances by the measured rate, and is
/// corrected as far as that bound demands. The rate is measured over at least 5 s, and is accepted within 10 percent of
/// the chip's nominal rate.
struct SampleClock: Equatable, Sendable {
  private let nominal: Interval
  private(set) var interval: Interval
  /// The time of the sample after the last one.
  private var next: Instant?
  private var anchor: Anchor?

  private struct Anchor: Equatable, Sendable {
    let instant: Instant
    var count: Int64 = 0
  }

  private static let measuringMin = Interval.seconds(5)
  private static let measuringMax = Interval.seconds(60)

  init(rateHz: Double) {
    nominal = Interval(nanoseconds: Int64(1e9 / rateHz))
    interval = nominal
  }

  /// Resets the clock, because samples are missing.
  mutating func restart() {
    next = nil
    anchor = nil
  }

  /// The estimated number of samples since the last burst.
  func expectedCount(at instant: Instant) -> Int {
    guard let next, instant > next else { return 0 }
    return Int((instant - next).nanoseconds / interval.nanoseconds) + 1
  }

  /// The time of the first of several samples.
  ///
  /// - Parameters:
  ///   - count: the number of samples in the burst.
  ///   - leftCount: the number of samples that are still in the FIFO.
  ///   - instant: the time of reading the level.
  /// - Returns: the time of its measurement.
  mutating func stamp(count: Int, leftCount: Int = 0, readAt instant: Instant) -> Instant {
    measure(count: count + leftCount, at: instant)
    let span = interval * Int64(count + leftCount - 1)
    var first: Instant
    if let next {
      first = next
      let newest = next + span
      if newest > instant { first = instant - span }
      if newest < instant - interval { first = instant - interval - span }
      // Time is monotonic: the first sample is later than the last sample of the previous burst.
      first = max(first, next - interval + .microseconds(1))
    } else {
      first = instant - interval / 2 - span
    }
    next = first + interval * Int64(count)
    anchor?.count += Int64(count)
    return first
  }

  /// The time of the first of several samples that were read without a level.
  ///
  /// The number of samples that are still in the FIFO is unknown.
  mutating func stamp(unseenCount count: Int, readAt instant: Instant) -> Instant {
    guard let next else { return stamp(count: count, readAt: instant) }
    let latest = instant - interval * Int64(count - 1)
    let first = max(min(next, latest), next - interval + .microseconds(1))
    self.next = first + interval * Int64(count)
    anchor?.count += Int64(count)
    return first
  }

  private mutating func measure(count: Int, at instant: Instant) {
    guard let anchor else {
      self.anchor = Anchor(instant: instant, count: -Int64(count))
      return
    }
    let span = instant - anchor.instant
    let made = anchor.count + Int64(count)
    guard span >= SampleClock.measuringMin, made > 0 else { return }
    let measured = span / made
    interval = min(max(measured, nominal * 9 / 10), nominal * 11 / 10)
    if span >= SampleClock.measuringMax {
      self.anchor = Anchor(instant: instant, count: -Int64(count))
    }
  }
}

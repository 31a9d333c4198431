import BinnacleBasics

/// Gives instants to samples that come in bursts.
///
/// A chip makes samples by its own clock, which is off by a few percent; a burst tells only that its newest sample is
/// no older than one sample's distance when the level was read. From burst to burst the clock goes on by the measured
/// rate, and is moved as far as that bound demands. Over 5 s and more the rate is measured; it is believed within
/// 10 percent of the chip's own word.
struct SampleClock: Equatable, Sendable {
  private let nominal: Interval
  private(set) var interval: Interval
  /// When the sample after the last one is due.
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

  /// Forgets where it was: samples are missing.
  mutating func restart() {
    next = nil
    anchor = nil
  }

  /// How many samples have come about since the last burst, by this clock.
  func expectedCount(at instant: Instant) -> Int {
    guard let next, instant > next else { return 0 }
    return Int((instant - next).nanoseconds / interval.nanoseconds) + 1
  }

  /// The instant of the first of so many samples.
  ///
  /// - Parameters:
  ///   - count: samples of the burst.
  ///   - leftCount: samples that are still in the FIFO.
  ///   - instant: when the level was read.
  /// - Returns: when it was measured.
  mutating func stamp(count: Int, leftCount: Int = 0, readAt instant: Instant) -> Instant {
    measure(count: count + leftCount, at: instant)
    let span = interval * Int64(count + leftCount - 1)
    var first: Instant
    if let next {
      first = next
      let newest = next + span
      if newest > instant { first = instant - span }
      if newest < instant - interval { first = instant - interval - span }
      // Time does not run backwards: the last sample of the burst before stays in front of this one.
      first = max(first, next - interval + .microseconds(1))
    } else {
      first = instant - interval / 2 - span
    }
    next = first + interval * Int64(count)
    anchor?.count += Int64(count)
    return first
  }

  /// The instant of the first of so many certain samples; how many were left is unknown.
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

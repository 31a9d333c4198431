public import BinnacleBasics

/// Calculates how much data a chip's FIFO certainly holds by now, from earlier levels and its steady rate.
///
/// That data can be read together with the level in one transfer. Where an adapter takes one read in a transfer, the data can
/// be read without the level. Both save the transfer that only reads the level; on a board each transfer puts the
/// waiting thread to sleep.
public struct SteadyFill: Equatable, Sendable {
  /// The number of reads in a row without a read of the level.
  public static let unseenMax = 7
  /// The longest time over which a rate is measured: the clock of a chip drifts with its temperature.
  static let spanMax = Interval.seconds(60)
  /// A read without the level is allowed only if fewer bytes than this can remain: the FIFO needs room for new samples.
  static let doubtMax = 2

  /// The capacity of the FIFO, in samples.
  private let capacity: Int
  private var measured = Measured.nothing
  private var unseenCount = 0

  private enum Measured: Equatable, Sendable {
    case nothing
    /// The chip made `madeCount` samples between the reads of the level at `since` and at `until`.
    ///
    /// `leftCount` is the number of samples that the later reads have left; negative if a read also took newer samples.
    case rate(since: Instant, until: Instant, madeCount: Int64, leftCount: Int)
  }

  /// - Parameter capacity: the number of samples that the FIFO holds.
  public init(capacity: Int) {
    precondition(capacity > 0, "a FIFO of no size")
    self.capacity = capacity
  }

  /// The number that is certainly there; 0 when unknown.
  public func sureCount(at now: Instant) -> Int {
    guard let bounds = bounds(at: now), bounds.most <= capacity + SteadyFill.doubtMax else {
      // The last read is too long ago: only the level shows what is left.
      return 0
    }
    return min(max(0, bounds.least), capacity)
  }

  /// Whether the data may be read without the level, which would show an overrun.
  public func mayReadUnseen(at now: Instant) -> Bool {
    guard let bounds = bounds(at: now) else { return false }
    return bounds.least > 0 && bounds.most <= capacity && unseenCount < SteadyFill.unseenMax
      && bounds.most - bounds.least <= SteadyFill.doubtMax
  }

  /// Each level is off by less than one.
  private func bounds(at now: Instant) -> (least: Int, most: Int)? {
    guard case .rate(let since, let until, let madeCount, let leftCount) = measured, madeCount > 1,
      until > since, now >= until, now - until <= SteadyFill.spanMax
    else { return nil }
    let pace = (now - until).nanoseconds
    let span = (until - since).nanoseconds
    let least = (madeCount - 1) * pace / span
    let most = ((madeCount + 1) * pace + span - 1) / span
    return (leftCount + Int(least), leftCount + Int(most))
  }

  /// Records a read without the level.
  public mutating func tookUnseen(_ count: Int) {
    guard case .rate(let since, let until, let madeCount, let leftCount) = measured else { return }
    unseenCount += 1
    measured = .rate(
      since: since, until: until, madeCount: madeCount, leftCount: leftCount - count)
  }

  /// Records a read of the level, and of so many samples.
  public mutating func saw(level: Int, took: Int, at now: Instant) {
    unseenCount = 0
    // The FIFO was full, so samples may be lost, or more was read than it held: the measured rate is no longer valid.
    guard level < capacity, took <= level else {
      measured = .nothing
      return
    }
    switch measured {
    case .nothing: measured = .rate(since: now, until: now, madeCount: 0, leftCount: level - took)
    case .rate(let since, _, let madeCount, let leftCount):
      let count = madeCount + Int64(level - leftCount)
      // The older half of the span is dropped, because the rest gives the rate with sufficient accuracy.
      let isOld = now - since > SteadyFill.spanMax
      measured = .rate(
        since: isOld ? since + (now - since) / 2 : since, until: now,
        madeCount: isOld ? count / 2 : count, leftCount: level - took)
    }
  }

  /// Discards the measured rate.
  public mutating func forget() {
    measured = .nothing
    unseenCount = 0
  }
}

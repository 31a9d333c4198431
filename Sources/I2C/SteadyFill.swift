public import BinnacleBasics

/// How much a chip that fills its FIFO at a steady rate surely has by now, from the levels that it told before.
///
/// What is surely there can be read together with the level, in one transfer, or without asking for the level at all
/// where an adapter takes one read in a transfer. Either saves the transfer that only asks; on a board every
/// transfer is a sleep of the thread that waits for it.
public struct SteadyFill: Equatable, Sendable {
  /// Reads in a row without a look at the level.
  public static let unseenMax = 7
  /// A rate is measured over no longer than this: chips' clocks drift with their temperature.
  static let spanMax = Interval.seconds(60)
  /// Nothing is read unseen when more than this could stay behind: the FIFO has to have room for what comes next.
  static let doubtMax = 2

  /// How many it holds, in wholes.
  private let capacity: Int
  private var measured = Measured.nothing
  private var unseenCount = 0

  private enum Measured: Equatable, Sendable {
    case nothing
    /// Levels were looked at from `since` to `until`; so many were made in between, and so many were left by who read
    /// since then: less than none when he took what was made later.
    case rate(since: Instant, until: Instant, madeCount: Int64, leftCount: Int)
  }

  /// - Parameter capacity: how many wholes the FIFO holds.
  public init(capacity: Int) {
    precondition(capacity > 0, "a FIFO of no size")
    self.capacity = capacity
  }

  /// How many are surely there; 0 when nobody knows.
  public func sureCount(at now: Instant) -> Int {
    guard let bounds = bounds(at: now), bounds.most <= capacity + SteadyFill.doubtMax else {
      // Nobody has read for too long, and only its level tells what is left.
      return 0
    }
    return min(max(0, bounds.least), capacity)
  }

  /// Whether what is surely there may be read without a look at the level, which would tell of an overrun.
  public func mayReadUnseen(at now: Instant) -> Bool {
    guard let bounds = bounds(at: now) else { return false }
    return bounds.least > 0 && bounds.most <= capacity && unseenCount < SteadyFill.unseenMax
      && bounds.most - bounds.least <= SteadyFill.doubtMax
  }

  /// Each look at a level is off by less than one.
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

  /// So many were read without a look at the level.
  public mutating func tookUnseen(_ count: Int) {
    guard case .rate(let since, let until, let madeCount, let leftCount) = measured else { return }
    unseenCount += 1
    measured = .rate(
      since: since, until: until, madeCount: madeCount, leftCount: leftCount - count)
  }

  /// The level was looked at, and so many were read then.
  public mutating func saw(level: Int, took: Int, at now: Instant) {
    unseenCount = 0
    // It was full, so some may be lost, or more was read than there was: what was measured holds no longer.
    guard level < capacity, took <= level else {
      measured = .nothing
      return
    }
    switch measured {
    case .nothing: measured = .rate(since: now, until: now, madeCount: 0, leftCount: level - took)
    case .rate(let since, _, let madeCount, let leftCount):
      let count = madeCount + Int64(level - leftCount)
      // The older half goes: the rate stays known as well as it has to be.
      let isOld = now - since > SteadyFill.spanMax
      measured = .rate(
        since: isOld ? since + (now - since) / 2 : since, until: now,
        madeCount: isOld ? count / 2 : count, leftCount: level - took)
    }
  }

  /// What was measured holds no longer.
  public mutating func forget() {
    measured = .nothing
    unseenCount = 0
  }
}

import BinnacleBasics

/// Follows the instant at which solutions are complete, so that one wake-up an epoch finds each solution whole.
///
/// Only a wake-up that is too early shows when a solution is complete. A wake-up that finds the solution whole may be
/// late by any time. Every sixteenth wake-up is therefore a probe, which is early on purpose. Its result holds for the
/// next fifteen wake-ups, in which two quartz clocks drift apart by less than 0.1 ms. A missed solution in between
/// moves the target a little, since it may be the only late solution.
struct WakeupTarget: Equatable, Codable, Sendable {
  /// When the next solution is expected to be whole.
  private(set) var target: Instant
  let period: Interval
  /// Wake-ups until the next probe.
  private var untilProbe = probePeriod
  /// Signs in a row that solutions come irregularly.
  private var doubts = 0

  /// A solution farther than this from the target is a sign of irregular solutions.
  private static let regularMax = Interval.milliseconds(1)
  /// The state changes after this many signs in a row: a single sign may come from a busy board.
  private static let doubtsMax = 3
  /// The target is this much later than the instant that a probe has measured.
  private static let allowance = Interval.microseconds(100)
  /// How far one missed solution moves the target.
  private static let stepMax = Interval.microseconds(150)
  private static let probePeriod = 16
  /// A probe is this much earlier than the target; the few bytes that remain are read as they arrive.
  private static let probeLead = Interval.microseconds(1_200)

  /// - Parameters:
  ///   - instant: when a solution was whole.
  ///   - period: the time between solutions.
  init(after instant: Instant, period: Interval) {
    target = instant + period + WakeupTarget.allowance
    self.period = period
  }

  /// When to wake for the next solution.
  var wakeUp: Instant { isProbe ? target - WakeupTarget.probeLead : target }

  private var isProbe: Bool { untilProbe <= 1 }

  /// A solution was found whole at the planned wake-up.
  ///
  /// A probe that finds a solution whole is a sign that solutions arrive earlier than before. The next wake-up is then
  /// another probe.
  ///
  /// - Returns: whether the solutions still come regularly.
  mutating func hit() -> Bool {
    if isProbe {
      doubts += 1
    } else {
      doubts = 0
      untilProbe -= 1
    }
    target += period
    return doubts < WakeupTarget.doubtsMax
  }

  /// A solution became whole, and the board was awake for another reason than the planned wake-up.
  ///
  /// - Returns: whether the solutions still come regularly.
  mutating func missed(by instant: Instant) -> Bool {
    let error = instant - target
    let isNear = abs(error.nanoseconds) <= WakeupTarget.regularMax.nanoseconds
    if isProbe, isNear {
      untilProbe = WakeupTarget.probePeriod
      target = instant + period + WakeupTarget.allowance
    } else {
      untilProbe = max(1, untilProbe - 1)
      target += period + min(max(error, .zero - WakeupTarget.stepMax), WakeupTarget.stepMax)
    }
    doubts = isNear ? 0 : doubts + 1
    return doubts < WakeupTarget.doubtsMax
  }
}

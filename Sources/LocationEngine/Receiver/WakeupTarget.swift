import BinnacleBasics

/// Follows the instant at which solutions are complete, so that one wake-up an epoch finds each solution whole.
///
/// A wake-up that finds the solution whole may be late by any time, so each of them moves the target a little earlier.
/// A wake-up that is too early costs one more: the rest of the solution is read as it arrives, without delay. It moves
/// the target later by ten of the little steps. About one wake-up in eleven is then too early, and the others are
/// late by less than 0.1 ms.
///
/// After 24 wake-ups in a row that were not too early, and at first, the target is probably too late, and the steps to
/// an earlier one are larger. The first target is that of a read, which is later than the solution by the time that the
/// board takes to wake up and to read.
///
/// The little steps are more than two quartz clocks drift apart at 10 Hz. If the drift is faster, no wake-up is too
/// early. After 15 wake-ups that found the solution whole, the next one is therefore a probe, which is early on purpose
/// and shows when the solution can be read at the latest. The first wake-up is a probe too.
struct WakeupTarget: Equatable, Codable, Sendable {
  /// When the next solution is expected to be whole.
  private(set) var target: Instant
  let period: Interval
  /// Wake-ups until the next probe.
  private var untilProbe = 1
  /// Wake-ups since the last one that was too early.
  private var hitCount = hitsBeforeLargeSteps
  /// Signs in a row that solutions come irregularly.
  private var doubts = 0

  /// A solution farther than this from the target is a sign of irregular solutions.
  private static let regularMax = Interval.milliseconds(1)
  /// The state changes after this many signs in a row: a single sign may come from a busy board.
  private static let doubtsMax = 3
  /// How far a solution that was found whole moves the target to an earlier instant.
  private static let stepEarlier = Interval.microseconds(4)
  /// The same after this many wake-ups that were not too early.
  private static let largeStepEarlier = Interval.microseconds(20)
  private static let hitsBeforeLargeSteps = 24
  /// How far a missed solution moves the target to a later instant; a single late solution moves it no farther.
  private static let stepLater = Interval.microseconds(40)
  private static let probePeriod = 16
  /// A probe is this much earlier than the target; the few bytes that remain are read as they arrive.
  private static let probeLead = Interval.microseconds(1_200)

  /// - Parameters:
  ///   - instant: when a solution was whole.
  ///   - period: the time between solutions.
  init(after instant: Instant, period: Interval) {
    target = instant + period
    self.period = period
  }

  /// When to wake for the next solution.
  var wakeUp: Instant { isProbe ? target - WakeupTarget.probeLead : target }

  private var isProbe: Bool { untilProbe <= 1 }

  /// Whether a solution is in step; the target is then the instant at which it was expected.
  ///
  /// Solutions may be missing before it. A solution that is late is in step too: the receiver or the board was busy.
  ///
  /// - Parameters:
  ///   - gap: the time from the last solution's epoch to that of this one.
  ///   - now: when this one was read.
  /// - Returns: false if the solution has another rhythm, or comes earlier by half a period.
  mutating func isNext(after gap: Interval, at now: Instant) -> Bool {
    guard gap.nanoseconds % period.nanoseconds == 0 else { return false }
    target += gap - period
    return (target - now).nanoseconds * 2 < period.nanoseconds
  }

  /// A solution was found whole at the planned wake-up.
  ///
  /// A probe that finds a solution whole shows that the target is too late by the probe's lead or more. The next wake-up is
  /// then another probe, of an earlier target.
  ///
  /// - Returns: whether the solutions still come regularly.
  mutating func hit() -> Bool {
    if isProbe {
      doubts += 1
      target += period - WakeupTarget.probeLead
    } else {
      doubts = 0
      untilProbe -= 1
      let isLargeStep = hitCount >= WakeupTarget.hitsBeforeLargeSteps
      target += period - (isLargeStep ? WakeupTarget.largeStepEarlier : WakeupTarget.stepEarlier)
      hitCount = isLargeStep ? hitCount : hitCount + 1
    }
    return doubts < WakeupTarget.doubtsMax
  }

  /// A solution became whole at another time than that of the planned wake-up.
  ///
  /// If the instant is earlier than the target, the target was too late by the difference. If the instant is later, the
  /// solution may be the only late one, or it was only read late.
  ///
  /// - Parameters:
  ///   - instant: when the solution was read.
  ///   - isExact: whether it was read as it arrived; otherwise it was whole at the instant or before.
  /// - Returns: whether the solutions still come regularly.
  mutating func missed(by instant: Instant, isExact: Bool) -> Bool {
    let error = instant - target
    let isNear = abs(error.nanoseconds) <= WakeupTarget.regularMax.nanoseconds
    if error <= .zero {
      target += period + (isNear ? error : max(error, .zero - WakeupTarget.stepLater))
    } else {
      // A probe does not show that the target is too early: its instant is later than the arrival by the time that the
      // board takes to wake up and to read.
      target += period + (isExact && !isProbe ? WakeupTarget.stepLater : .zero)
      if isExact, !isProbe { hitCount = 0 }
    }
    if isNear, isExact { untilProbe = WakeupTarget.probePeriod }
    doubts = isNear ? 0 : doubts + 1
    return doubts < WakeupTarget.doubtsMax
  }
}

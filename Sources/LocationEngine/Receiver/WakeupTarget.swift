import BinnacleBasics

/// Follows the moment at which solutions are complete, so that one wake-up an epoch finds each of them whole.
///
/// Only a wake-up that came too early shows when a solution was complete; one that found it whole may have been
/// late by any time. So every sixteenth wake-up is a probe that comes early on purpose: what it learns holds for the
/// fifteen after it, in which two quartz clocks drift apart by less than 0.1 ms. A solution that is missed in between
/// moves the aim a little, since it may be the only late one.
struct WakeupTarget: Equatable, Codable, Sendable {
  /// When the next solution is expected to be whole.
  private(set) var target: Instant
  let period: Interval
  /// Wake-ups until the next probe.
  private var untilProbe = probePeriod
  /// Signs in a row that solutions come irregularly.
  private var doubts = 0

  /// A solution farther than this from the aim is a sign that they come irregularly.
  private static let regularMax = Interval.milliseconds(1)
  /// So many signs in a row are believed: one may be a board that was busy.
  private static let doubtsMax = 3
  /// How far behind the moment that a probe has seen the aim is put.
  private static let allowance = Interval.microseconds(100)
  /// How far one missed solution moves the aim.
  private static let stepMax = Interval.microseconds(150)
  private static let probePeriod = 16
  /// So much earlier comes a probe: the few bytes that are left then are read as they come.
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

  /// A solution was found whole at the wake-up that was meant for it.
  ///
  /// A probe that hits is a sign that they come earlier than they did, and is made again.
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

  /// A solution became whole when something else than the aim had woken us.
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

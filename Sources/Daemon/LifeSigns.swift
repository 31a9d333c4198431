import Basics

/// When the service manager gets a sign of life, and how long it is to wait for the next one.
///
/// A sign of its own is a wake-up, so one goes out with whatever wakes the loop once a quarter of the limit has passed; alone
/// it goes out after a half, the distance that sd_watchdog_enabled(3) advises. While nobody gets positions nothing else may
/// wake the loop for minutes, and the service manager is told to wait ten times as long (`WATCHDOG_USEC` of
/// sd_notify(3)): a daemon that hangs then keeps nobody from a position, and is missed later.
struct LifeSigns {
  /// What to tell.
  enum Sign: Equatable {
    case alive
    /// The same, and from now on it is to be patient for so long.
    case aliveWithPatience(Interval)
  }

  private static let calmFactor: Int64 = 10

  /// As the unit has it; nil: nobody waits.
  private let limit: Interval?
  private var isCalm = false
  private var saidAt: Instant

  init(limit: Interval?, at now: Instant) {
    self.limit = limit
    saidAt = now
  }

  private var patience: Interval? { limit.map { isCalm ? $0 * LifeSigns.calmFactor : $0 } }

  /// When the loop has to wake for nothing else.
  var nextDeadline: Instant? { patience.map { saidAt + $0 / 2 } }

  /// The loop is awake; a sign when it is time for one.
  mutating func turned(isCalm: Bool, at now: Instant) -> Sign? {
    if isCalm != self.isCalm {
      self.isCalm = isCalm
      saidAt = now
      return patience.map { .aliveWithPatience($0) }
    }
    guard let patience, now - saidAt >= patience / 4 else { return nil }
    saidAt = now
    return .alive
  }
}

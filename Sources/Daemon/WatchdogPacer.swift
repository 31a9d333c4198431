import BinnacleBasics

/// When the service manager gets a sign of life, and how long it is to wait for the next one.
///
/// A sign of its own is a wake-up, so one goes out with whatever wakes the loop once a quarter of the limit has passed; alone
/// it goes out after a half, the distance that sd_watchdog_enabled(3) advises. While nobody gets positions nothing else may
/// wake the loop for minutes. When that shows, the service manager is told to wait ten times as long (`WATCHDOG_USEC` of
/// sd_notify(3)): a daemon that hangs then keeps nobody from a position, and is missed later.
///
///     normal --a sign went out alone, and nobody gets positions--> patient
///     patient --somebody does, or the loop has been awake often for a whole limit--> normal
struct WatchdogPacer {
  /// What to tell.
  enum Sign: Equatable {
    case alive
    /// The same, and from now on it is to be patient for so long.
    case aliveWithPatience(Interval)
  }

  private static let patienceFactor: Int64 = 10

  /// As the unit has it; nil: nobody waits.
  private let limit: Interval?
  private var isPatient = false
  private var saidAt: Instant
  private var turnedAt: Instant
  /// Since when the loop has been awake so often that no sign would go out alone.
  private var busySince: Instant

  init(limit: Interval?, at now: Instant) {
    self.limit = limit
    saidAt = now
    turnedAt = now
    busySince = now
  }

  private var patience: Interval? {
    limit.map { isPatient ? $0 * WatchdogPacer.patienceFactor : $0 }
  }

  /// When the loop has to wake for nothing else.
  var nextDeadline: Instant? { patience.map { saidAt + $0 / 2 } }

  /// The loop is awake; a sign when it is time for one.
  mutating func turned(isCalm: Bool, at now: Instant) -> Sign? {
    guard let limit, let patience else { return nil }
    if now - turnedAt >= limit / 2 { busySince = now }
    turnedAt = now
    let mayBePatient =
      isPatient ? now - busySince < limit : now - saidAt >= patience / 2
    if isPatient != (isCalm && mayBePatient) {
      isPatient.toggle()
      saidAt = now
      return self.patience.map { .aliveWithPatience($0) }
    }
    guard now - saidAt >= patience / 4 else { return nil }
    saidAt = now
    return .alive
  }
}

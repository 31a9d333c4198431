import BinnacleBasics

/// When the service manager gets a sign of life, and how long it waits for the next one.
///
/// A sign of its own is a wake-up. So a sign goes out with any wake-up of the loop once a quarter of the limit has passed;
/// alone it goes out after a half, the distance that sd_watchdog_enabled(3) advises. While no app gets positions, nothing
/// else may wake the loop for minutes. Then the service manager is told to wait ten times as long (`WATCHDOG_USEC` of
/// sd_notify(3)): a daemon that hangs then keeps no app from a position, and is restarted later.
///
///     normal --a sign went out alone, and no app gets positions--> patient
///     patient --an app does, or the loop has been awake often for a whole limit--> normal
struct WatchdogPacer {
  /// The message for the service manager.
  enum Sign: Equatable {
    case alive
    /// Alive, and from now on this limit applies.
    case aliveWithPatience(Interval)
  }

  private static let patienceFactor: Int64 = 10

  /// The limit of the unit; nil: there is no watchdog.
  private let limit: Interval?
  private var isPatient = false
  private var saidAt: Instant
  private var turnedAt: Instant
  /// When the loop began to wake so often that no sign would go out alone.
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

  /// When the loop must wake for the watchdog alone.
  var nextDeadline: Instant? { patience.map { saidAt + $0 / 2 } }

  /// The loop is awake; answers a sign when one is due.
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

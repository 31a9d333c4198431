import BinnacleBasics

/// Decides when the service manager gets a watchdog signal, and which time-out applies until the next one.
///
/// A separate watchdog signal costs a wake-up. Therefore a signal is sent with any wake-up of the loop after a quarter
/// of the time-out. Without another wake-up it is sent after half the time-out, as sd_watchdog_enabled(3) recommends.
/// While no app gets positions, the loop may have no other wake-up for minutes. The service manager then gets a ten
/// times longer time-out (`WATCHDOG_USEC` of sd_notify(3)): a daemon that hangs then delays no app's position, and is
/// restarted later.
///
///     normal --a signal was sent without another wake-up, and no app gets positions--> patient
///     patient --an app gets positions, or the loop was awake often for a whole time-out--> normal
struct WatchdogPacer {
  /// The message to the service manager.
  enum Sign: Equatable {
    case alive
    /// The daemon is alive, and this time-out applies from now on.
    case aliveWithPatience(Interval)
  }

  private static let patienceFactor: Int64 = 10

  /// The time-out of the unit; nil: there is no watchdog.
  private let limit: Interval?
  private var isPatient = false
  private var saidAt: Instant
  private var turnedAt: Instant
  /// When the loop began to wake so often that no separate signal is needed.
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

  /// Handles a wake-up of the loop; returns a signal if one is due.
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

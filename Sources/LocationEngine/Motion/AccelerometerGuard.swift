import Accelerometers
import BinnacleBasics

/// Decides when the chip's own interrupt is trusted while updates pause, and when the chip's samples are read instead.
///
///     armed --the interrupt reports movement--> alert --updates stay paused--> calming --time is up--> armed
///
/// Vibration that does not move the board, such as a washing machine, would wake the daemon repeatedly. After each
/// false alarm the interrupt is therefore disarmed for a longer time. During that time rare bursts of samples detect
/// movement.
struct AccelerometerGuard: Equatable, Codable, Sendable {
  /// The time in which the detector recognizes a false alarm: its window is two seconds.
  static let alertTime = Interval.seconds(5)
  private static let calmingMin = Interval.seconds(10)
  private static let calmingMax = Interval.seconds(600)
  /// After this time without an alarm the interrupt is trusted as at the start.
  private static let forgetting = Interval.seconds(600)

  private(set) var state: State
  /// False alarms in a row.
  private(set) var vainCount = 0

  enum State: Equatable, Codable, Sendable {
    case armed(since: Instant)
    case alert(until: Instant)
    case calming(until: Instant)
  }

  init(at now: Instant) {
    state = .armed(since: now)
  }

  var mode: AccelerometerMachine.Mode {
    switch state {
    case .armed: .armed
    case .alert: .alert
    case .calming: .guarding
    }
  }

  /// The interrupt reported movement, or a burst of samples showed movement.
  mutating func moved(at now: Instant) {
    guard case .armed(let since) = state else { return }
    if now - since >= AccelerometerGuard.forgetting { vainCount = 0 }
    state = .alert(until: now + AccelerometerGuard.alertTime)
  }

  mutating func deadlineReached(at now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    switch state {
    case .armed: return
    case .alert:
      vainCount += 1
      let pause = AccelerometerGuard.calmingMin * Int64(1 << min(vainCount - 1, 6))
      state = .calming(until: now + min(pause, AccelerometerGuard.calmingMax))
    case .calming: state = .armed(since: now)
    }
  }

  var nextDeadline: Instant? {
    switch state {
    case .armed: nil
    case .alert(let until), .calming(let until): until
    }
  }
}

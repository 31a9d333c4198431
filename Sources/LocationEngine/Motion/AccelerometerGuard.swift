import Accelerometers
import BinnacleBasics

/// When the chip's own interrupt is trusted while updates pause, and when its samples are looked at.
///
///     armed --it told of movement--> alert --updates do not go on--> calming --time is up--> armed
///
/// What shakes a board without moving it (a washing machine, a road at its door) would wake it again and again. So after each
/// alarm for nothing the interrupt is left alone for longer, while bursts that come seldom do its work.
struct AccelerometerGuard: Equatable, Codable, Sendable {
  /// As long as the detector needs to see that it was nothing: its window is two seconds.
  static let alertTime = Interval.seconds(5)
  private static let calmingMin = Interval.seconds(10)
  private static let calmingMax = Interval.seconds(600)
  /// An interrupt that kept still for so long is trusted as at first.
  private static let forgetting = Interval.seconds(600)

  private(set) var state: State
  /// Alarms for nothing in a row.
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

  /// Its interrupt told of movement, or something stirred in a burst.
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

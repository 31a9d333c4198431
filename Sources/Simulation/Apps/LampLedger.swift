import BinnacleBasics
import LocationEngine

/// The indicator as its line shows it, and for how long it differs from what is due.
struct LampLedger: Sendable {
  /// The lamp may be lit for so long although it is not due: a prompt flashes, and timers are late.
  private static let strayMax = Interval.milliseconds(150)
  /// The lamp may be dark for so long although it is due: an earlier order is still read back.
  private static let darkMax = Interval.milliseconds(20)

  private var isOpen = false
  private var isOrderedLit = false
  private var isAwaited = false
  private var readBack: Bool?
  /// Since when the lamp is ordered to be lit without being due, whether or not another circuit holds it dark.
  private var straySince: Instant?
  /// Since when the lamp follows its orders and is dark although it is due.
  private var darkSince: Instant?

  /// Whether the lamp is ordered to be lit, and was last read back lit, after such an order.
  private(set) var isSeenLit = false

  /// Whether the line is claimed, and the lamp follows its orders as far as the engine can know.
  private var isHealthy: Bool { isOpen && (isAwaited || readBack == isOrderedLit) }

  mutating func delivered(_ event: Event.Line) {
    switch event {
    case .opened(let isActive, _):
      (isOpen, isOrderedLit, isAwaited, readBack) = (true, false, false, isActive)
      isSeenLit = false
    case .read(let isActive):
      (isAwaited, readBack) = (false, isActive)
      isSeenLit = isOrderedLit && isActive
    case .lost:
      (isOpen, isOrderedLit, isAwaited, readBack) = (false, false, false, nil)
      isSeenLit = false
    case .edge: return
    }
  }

  mutating func ordered(_ order: Effect.Line) {
    guard case .set(let isActive) = order else { return }
    (isOrderedLit, isAwaited) = (isActive, true)
    if !isActive { isSeenLit = false }
  }

  /// The daemon has ended.
  mutating func released() { self = LampLedger() }

  /// Compares the lamp with what is due from now on; nil: it depends on an answer that may count or not.
  mutating func compare(isDue: Bool?, at now: Instant) {
    straySince = isOpen && isOrderedLit && isDue == false ? straySince ?? now : nil
    darkSince = isHealthy && !isOrderedLit && isDue == true ? darkSince ?? now : nil
  }

  func overdue(at now: Instant) -> String? {
    if let straySince, now - straySince > LampLedger.strayMax {
      return "the lamp is lit although no app in the background may receive locations"
    }
    if let darkSince, now - darkSince > LampLedger.darkMax {
      return "the lamp is dark although an app in the background may receive locations"
    }
    return nil
  }
}

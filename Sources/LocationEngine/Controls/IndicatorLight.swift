import BinnacleBasics

/// The indicator as the condition of locations in the background: lit and read back, or not.
///
///     dark --due--> asserting --read back lit--> lit
///     asserting, lit --fault of the line, the lamp or its sense--> failed --read back lit--> lit
///     any --not due--> dark
///
/// While the lamp is lit, its line is ordered and read back again in each ``verifyPeriod``: no event reports that a chip
/// has vanished or that another circuit holds the line.
struct IndicatorLight: Equatable, Codable, Sendable {
  private(set) var state = IndicatorState.dark
  /// When the lamp is verified again.
  private(set) var nextVerification: Instant?

  static let verifyPeriod = Interval.seconds(10)

  /// An observation of the lamp.
  enum Sight: Equatable {
    /// An order or a reading is under way.
    case pending
    case lit
    case faulty(String)
  }

  /// The lamp becomes due, or is no longer due; returns whether the lamp must be ordered and read back now.
  mutating func due(_ isDue: Bool, at now: Instant) -> Bool {
    guard isDue else {
      (state, nextVerification) = (.dark, nil)
      return false
    }
    guard state == .dark else { return false }
    (state, nextVerification) = (.asserting, now + IndicatorLight.verifyPeriod)
    return true
  }

  mutating func seen(_ sight: Sight) {
    guard state != .dark else { return }
    switch sight {
    case .pending: break
    case .lit: state = .lit
    case .faulty(let reason): state = .failed(reason)
    }
  }

  /// Returns whether the lamp must be verified now.
  mutating func deadlineReached(at now: Instant) -> Bool {
    guard let due = nextVerification, due <= now else { return false }
    nextVerification = now + IndicatorLight.verifyPeriod
    return true
  }
}

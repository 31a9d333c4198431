import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The indicator's lamp with its faults, its sense, and the buttons of a simulated board.
struct SimulatedPanel: Sendable {
  /// A fault of the lamp.
  enum LampFault: CaseIterable, Equatable, Sendable {
    /// Another program takes the line, and the daemon is informed.
    case stolen
    /// The chip vanishes; the daemon finds out with its next order.
    case vanished
    /// Another circuit holds the lamp dark or lit.
    case stuckDark
    case stuckLit
  }

  static let buttons = ["HOME", "ALLOW", "SERVICES"]
  static let home = LineID.button(0)
  static let allow = LineID.button(1)
  static let services = LineID.button(2)

  private(set) var fault: LampFault?
  /// Whether the lamp is lit.
  private(set) var isLit = false
  private var isClaimed = false
  private var isOrderedLit = false
  private var pressed: Set<LineID> = []
  private var claimed: Set<LineID> = []

  /// The answer to an order for a line; nil without an answer.
  mutating func take(_ order: Effect.Line, of line: LineID) -> Event? {
    switch (line, order) {
    case (.indicator, .open):
      if let lost { return lost }
      isClaimed = true
      isOrderedLit = false
      settle()
      return .line(.indicator, .opened(isActive: isLit, isDebounced: false))
    case (.indicator, .set(let isActive)):
      guard isClaimed else { return nil }
      if let lost {
        isClaimed = false
        return lost
      }
      isOrderedLit = isActive
      settle()
      return .line(.indicator, .read(isActive: isLit))
    case (.indicatorSense, .open):
      return .line(.indicatorSense, .opened(isActive: isLit, isDebounced: false))
    case (.indicatorSense, .read): return .line(.indicatorSense, .read(isActive: isLit))
    case (.button, .open):
      claimed.insert(line)
      return .line(line, .opened(isActive: pressed.contains(line), isDebounced: false))
    case (.button, .read): return .line(line, .read(isActive: pressed.contains(line)))
    case (_, _): return nil
    }
  }

  /// The daemon has ended: the kernel has released the lines.
  mutating func released() {
    (isClaimed, isOrderedLit) = (false, false)
    claimed = []
    settle()
  }

  /// A fault begins or ends; returns the event that the kernel reports.
  mutating func breaks(_ fault: LampFault?) -> Event? {
    self.fault = fault
    settle()
    guard fault == .stolen, isClaimed else { return nil }
    (isClaimed, isOrderedLit) = (false, false)
    settle()
    return lost
  }

  /// A contact closes or opens; returns the edge that the kernel reports.
  mutating func contact(_ line: LineID, isPressed: Bool, at now: Instant) -> Event? {
    guard isPressed != pressed.contains(line) else { return nil }
    if isPressed { pressed.insert(line) } else { pressed.remove(line) }
    return claimed.contains(line) ? .line(line, .edge(isActive: isPressed, at: now)) : nil
  }

  private var lost: Event? {
    switch fault {
    case .stolen: .line(.indicator, .lost(LineFault(.busy, "simulated: in use")))
    case .vanished: .line(.indicator, .lost(LineFault(.gone, "simulated: no chip")))
    case .stuckDark, .stuckLit, nil: nil
    }
  }

  private mutating func settle() {
    isLit =
      switch fault {
      case .stuckLit: true
      case .stuckDark, .vanished: false
      case .stolen, nil: isClaimed && isOrderedLit
      }
  }
}

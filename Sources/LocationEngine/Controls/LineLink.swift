import BinnacleBasics
import BinnacleModel

/// Whether a line is claimed, and when to claim it again.
///
///     idle --> opening --opened--> open
///                 |                  |
///                 +------lost--------+--> waiting --time over--> opening
struct LineLink: Equatable, Codable, Sendable {
  enum State: Equatable, Codable, Sendable {
    case idle
    case opening
    case open
    case waiting(until: Instant)
  }

  private(set) var state = State.idle
  /// The reason why the line is not claimed; nil if it is claimed, and before the first attempt.
  private(set) var fault: LineFault?
  /// How many times a claimed line was lost.
  private(set) var lossCount = 0
  private var wait: Interval
  private let waitMin: Interval
  private let waitMax: Interval

  init(_ settings: PanelSettings) {
    waitMin = settings.lineRetryMin
    waitMax = settings.lineRetryMax
    wait = waitMin
  }

  var isOpen: Bool { state == .open }

  /// When `retry` is due.
  var nextDeadline: Instant? {
    if case .waiting(let until) = state { until } else { nil }
  }

  /// Claims the line.
  mutating func open(_ line: LineID, into effects: inout [Effect]) {
    state = .opening
    effects.append(.line(line, .open))
  }

  /// The line is claimed; returns the fault that has ended, if there was one.
  mutating func opened() -> LineFault? {
    defer { fault = nil }
    state = .open
    wait = waitMin
    return fault
  }

  /// The line cannot be used; returns whether the fault is new.
  mutating func lost(_ fault: LineFault, at now: Instant) -> Bool {
    if state == .open { lossCount += 1 }
    state = .waiting(until: now + wait)
    wait = min(wait * 2, waitMax)
    defer { self.fault = fault }
    return self.fault != fault
  }

  /// Claims the line again when it is due.
  mutating func retry(_ line: LineID, at now: Instant, into effects: inout [Effect]) {
    if let due = nextDeadline, due <= now { open(line, into: &effects) }
  }
}

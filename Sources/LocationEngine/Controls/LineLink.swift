import BinnacleBasics
import BinnacleModel

/// Whether a line is ours, and when to try again when it is not.
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
  /// Why the line is not ours; nil while it is, and before the first try.
  private(set) var fault: LineFault?
  /// How often the line was lost after it had been ours.
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

  /// Orders the line.
  mutating func open(_ line: LineID, into effects: inout [Effect]) {
    state = .opening
    effects.append(.line(line, .open))
  }

  /// The line is ours; answers whether it was not for a while, and why.
  mutating func opened() -> LineFault? {
    defer { fault = nil }
    state = .open
    wait = waitMin
    return fault
  }

  /// The line is not ours; answers whether that is news.
  mutating func lost(_ fault: LineFault, at now: Instant) -> Bool {
    if state == .open { lossCount += 1 }
    state = .waiting(until: now + wait)
    wait = min(wait * 2, waitMax)
    defer { self.fault = fault }
    return self.fault != fault
  }

  /// Orders the line again when the time for it has come.
  mutating func retry(_ line: LineID, at now: Instant, into effects: inout [Effect]) {
    if let due = nextDeadline, due <= now { open(line, into: &effects) }
  }
}

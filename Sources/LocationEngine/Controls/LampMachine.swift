import BinnacleBasics
import BinnacleModel

/// A lamp at an output: claimed during the daemon's run, driven, and read back after every order.
///
/// One order is under way at a time, so an answer is compared with its order. A lamp that does not follow its order
/// gets the order again, at growing intervals. A lamp that is driven is turned off at once in any case: a line that another
/// circuit holds dark would be lit when this circuit lets go.
struct LampMachine: Equatable, Codable, Sendable {
  let line: LineID
  let name: String
  private(set) var link: LineLink
  /// The wanted state.
  private(set) var isWanted = false
  /// The level that was last read back; nil while the line is not claimed.
  private(set) var readBack: Bool?
  private(set) var mismatchCount = 0
  /// When the lamp began to differ from its order; nil while the lamp follows.
  private(set) var wrongSince: Instant?
  /// The order without an answer.
  private var ordered: Bool?
  /// The level that the line is driven to; nil if it is unknown.
  private var driven: Bool?
  private var againAt: Instant?
  private var wait: Interval
  private let waitMin: Interval
  private let waitMax: Interval
  /// Whether the lamp keeps its state while no daemon runs.
  private let isLasting: Bool

  init(line: LineID, name: String, isLasting: Bool = false, _ settings: PanelSettings) {
    self.line = line
    self.name = name
    self.isLasting = isLasting
    link = LineLink(settings)
    waitMin = settings.lineRetryMin
    waitMax = settings.lineRetryMax
    wait = waitMin
  }

  /// Whether the lamp is faulty.
  var isFaulty: Bool { link.fault != nil || wrongSince != nil }

  // MARK: Inputs

  mutating func started(into effects: inout [Effect]) {
    link.open(line, into: &effects)
  }

  /// The line is claimed and driven to off; a lamp that keeps its state was not driven, so it gets its order now.
  mutating func opened(isActive: Bool, at now: Instant, into effects: inout [Effect]) {
    if link.opened() != nil { say("the line can be used now", .notice, into: &effects) }
    ordered = nil
    if isLasting {
      (readBack, driven) = (nil, nil)
    } else {
      driven = false
      compare(isActive, with: false, at: now, into: &effects)
    }
    drive(at: now, into: &effects)
  }

  mutating func lost(_ fault: LineFault, at now: Instant, into effects: inout [Effect]) {
    ordered = nil
    driven = nil
    readBack = nil
    wrongSince = nil
    againAt = nil
    wait = waitMin
    if link.lost(fault, at: now) {
      say("not driven (\(fault.text)); the daemon tries again", .warning, into: &effects)
    }
  }

  /// The level of the line after an order.
  mutating func levelRead(isActive: Bool, at now: Instant, into effects: inout [Effect]) {
    guard link.isOpen, let ordered else { return }
    self.ordered = nil
    compare(isActive, with: ordered, at: now, into: &effects)
    drive(at: now, into: &effects)
  }

  /// Turns the lamp on or off.
  mutating func want(_ isOn: Bool, at now: Instant, into effects: inout [Effect]) {
    isWanted = isOn
    drive(at: now, into: &effects)
  }

  /// The lamp becomes due: a fault that was seen before does not delay its order.
  mutating func becameDue() { (againAt, wait) = (nil, waitMin) }

  /// Orders the wanted state again, so that the line is read back now.
  mutating func verify(into effects: inout [Effect]) {
    guard againAt == nil else { return }
    order(into: &effects)
  }

  /// Whether the line read back another level than the last order, and no newer order is under way.
  var isSeenWrong: Bool { wrongSince != nil && ordered == nil }

  /// Whether the lamp was read back lit, and no order is under way.
  var isSeenLit: Bool { link.isOpen && isWanted && ordered == nil && readBack == true }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    link.retry(line, at: now, into: &effects)
    guard let due = againAt, due <= now else { return }
    againAt = nil
    order(into: &effects)
  }

  var nextDeadline: Instant? { link.isOpen ? againAt : link.nextDeadline }

  // MARK: Orders

  private mutating func drive(at now: Instant, into effects: inout [Effect]) {
    let mustGoDark = driven == true && !isWanted
    guard mustGoDark || (againAt == nil && readBack != isWanted) else { return }
    order(into: &effects)
  }

  private mutating func order(into effects: inout [Effect]) {
    guard link.isOpen, ordered == nil else { return }
    (ordered, driven) = (isWanted, isWanted)
    effects.append(.line(line, .set(isActive: isWanted)))
  }

  private mutating func compare(
    _ isActive: Bool, with told: Bool, at now: Instant, into effects: inout [Effect]
  ) {
    readBack = isActive
    if isActive == told {
      // The next try shows whether the fault remains.
      if againAt != nil { return }
      if wrongSince != nil { say("the line reads back correctly again", .notice, into: &effects) }
      wrongSince = nil
      wait = waitMin
      return
    }
    mismatchCount += 1
    if wrongSince == nil {
      wrongSince = now
      say(
        "set to \(told ? "on" : "off"), but reads back \(isActive ? "on" : "off"): "
          + "the wiring or another circuit holds the line", .error, into: &effects)
    }
    againAt = now + wait
    wait = min(wait * 2, waitMax)
  }

  private func say(_ text: String, _ level: LogLevel, into effects: inout [Effect]) {
    effects.append(.log(level, "\(name): \(text)"))
  }
}

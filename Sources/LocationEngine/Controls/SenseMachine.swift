import BinnacleBasics
import BinnacleModel

/// The input that is wired to the indicator's lamp; it shows whether the lamp itself follows its line.
///
/// Every edge and every order to the lamp starts the settling time. At its end the level is read and compared. Without
/// changes the level is not read.
struct SenseMachine: Equatable, Codable, Sendable {
  private(set) var link: LineLink
  /// The last level of the lamp; nil while the input cannot be read.
  private(set) var isLit: Bool?
  private(set) var mismatchCount = 0
  private(set) var isWrong = false
  private var lookDueAt: Instant?
  private let settling: Interval
  private static let line = LineID.indicatorSense

  init(_ settings: PanelSettings) {
    link = LineLink(settings)
    settling = settings.senseSettling
  }

  /// Whether the lamp was seen lit after the last order.
  var isSeenLit: Bool { link.isOpen && lookDueAt == nil && isLit == true && !isWrong }

  mutating func started(into effects: inout [Effect]) {
    link.open(SenseMachine.line, into: &effects)
  }

  mutating func opened(at now: Instant, into effects: inout [Effect]) {
    if link.opened() != nil { say("the line can be used now", .notice, into: &effects) }
    lookDueAt = now + settling
  }

  mutating func lost(_ fault: LineFault, at now: Instant, into effects: inout [Effect]) {
    isLit = nil
    isWrong = false
    lookDueAt = nil
    if link.lost(fault, at: now) {
      say("not watched (\(fault.text)); the daemon tries again", .warning, into: &effects)
    }
  }

  /// The lamp or its input has changed, or got an order.
  mutating func changed(at now: Instant) {
    if link.isOpen { lookDueAt = now + settling }
  }

  mutating func levelRead(
    isActive: Bool, lamp: LampMachine, at now: Instant, into effects: inout [Effect]
  ) {
    guard link.isOpen else { return }
    isLit = isActive
    // A lamp whose line is not claimed is not judged here.
    let isRight = !lamp.link.isOpen || isActive == lamp.isWanted
    if !isRight { mismatchCount += 1 }
    if isRight == isWrong {
      isWrong = !isRight
      say(
        isRight
          ? "agrees with the lamp again"
          : "the lamp is \(isActive ? "lit" : "dark"), but must be "
            + "\(isActive ? "dark" : "lit"): look at the lamp and its wires",
        isRight ? .notice : .error, into: &effects)
    }
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    link.retry(SenseMachine.line, at: now, into: &effects)
    guard link.isOpen, let due = lookDueAt, due <= now else { return }
    lookDueAt = nil
    effects.append(.line(SenseMachine.line, .read))
  }

  var nextDeadline: Instant? { link.isOpen ? lookDueAt : link.nextDeadline }

  private func say(_ text: String, _ level: LogLevel, into effects: inout [Effect]) {
    effects.append(.log(level, "indicator's sense: \(text)"))
  }
}

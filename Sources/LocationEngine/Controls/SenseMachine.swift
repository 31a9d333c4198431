import BinnacleBasics
import BinnacleModel

/// The input that is wired to the indicator's lamp; it shows whether the lamp itself follows its line.
///
/// Every edge and every order to the lamp starts the settling time. At its end the level is read and compared. Without
/// changes the level is not read.
///
///     settled --not read for `unsettledMax` after a change--> unsettled
///     unsettled --no change for `unsettledMax`, and then read--> settled
///
/// Each edge of a broken wire or a loose contact puts the reading off. So an input that cannot be read within
/// `unsettledMax` is faulty, and the lamp with it: no location in the background is delivered without a reading for a
/// longer time. The same time without a change and without an order ends the fault; a short pause by chance does not. An order that changes
/// the lamp starts `unsettledMax` again, so the lamp's own flashes are no fault. While the lamp is due, it gets no such
/// order.
struct SenseMachine: Equatable, Codable, Sendable {
  private(set) var link: LineLink
  /// The last level of the lamp; nil while the input cannot be read, and while it does not settle.
  private(set) var isLit: Bool?
  private(set) var mismatchCount = 0
  private(set) var isWrong = false
  /// Whether the input changes on and on, so that its level says nothing about the lamp.
  private(set) var isUnsettled = false
  private var lookDueAt: Instant?
  /// When the input becomes unsettled if it was not read before.
  private var unsettledAt: Instant?
  /// Whether the level was asked for, and neither an edge nor an order came since.
  private var isAsked = false
  private let settling: Interval
  private static let line = LineID.indicatorSense

  init(_ settings: PanelSettings) {
    link = LineLink(settings)
    settling = settings.senseSettling
  }

  /// Whether the lamp was seen lit after the last order.
  var isSeenLit: Bool {
    link.isOpen && !isLookPending && isLit == true && !isWrong && !isUnsettled
  }

  /// Whether the last reading may be older than the last order or edge.
  var isLookPending: Bool { lookDueAt != nil || isAsked }

  /// The longest time without a reading in which the input may change.
  private var unsettledMax: Interval { max(settling * 4, .seconds(1)) }

  /// The time without a change before the input is read.
  private var pause: Interval { isUnsettled ? unsettledMax : settling }

  mutating func started(into effects: inout [Effect]) {
    link.open(SenseMachine.line, into: &effects)
  }

  mutating func opened(at now: Instant, into effects: inout [Effect]) {
    if link.opened() != nil { say("the line can be used now", .notice, into: &effects) }
    ordered(at: now)
  }

  mutating func lost(_ fault: LineFault, at now: Instant, into effects: inout [Effect]) {
    isLit = nil
    isWrong = false
    isUnsettled = false
    lookDueAt = nil
    unsettledAt = nil
    isAsked = false
    if link.lost(fault, at: now) {
      say("not watched (\(fault.text)); the daemon tries again", .warning, into: &effects)
    }
  }

  /// The lamp got an order that changes it, or its line was claimed.
  mutating func ordered(at now: Instant) {
    guard link.isOpen else { return }
    isAsked = false
    lookDueAt = now + pause
    unsettledAt = isUnsettled ? nil : now + unsettledMax
  }

  /// The input has changed, or the lamp was read back.
  ///
  /// A reading that is overdue in a late loop is not put off.
  mutating func changed(at now: Instant) {
    guard link.isOpen else { return }
    isAsked = false
    if !isUnsettled, unsettledAt == nil { unsettledAt = now + unsettledMax }
    if let due = lookDueAt, due <= now { return }
    lookDueAt = now + pause
  }

  mutating func levelRead(
    isActive: Bool, lamp: LampMachine, at now: Instant, into effects: inout [Effect]
  ) {
    guard link.isOpen, isAsked else { return }
    isAsked = false
    isLit = isActive
    if isUnsettled {
      isUnsettled = false
      say("the line has settled", .notice, into: &effects)
    }
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
    guard link.isOpen else { return }
    if let due = lookDueAt, due <= now {
      lookDueAt = nil
      unsettledAt = nil
      isAsked = true
      effects.append(.line(SenseMachine.line, .read))
    } else if let limit = unsettledAt, limit <= now {
      unsettledAt = nil
      isUnsettled = true
      isLit = nil
      lookDueAt = now + pause
      say("the line does not settle: look at its wires", .error, into: &effects)
    }
  }

  var nextDeadline: Instant? {
    link.isOpen ? earlier(lookDueAt, unsettledAt) : link.nextDeadline
  }

  private func say(_ text: String, _ level: LogLevel, into effects: inout [Effect]) {
    effects.append(.log(level, "indicator's sense: \(text)"))
  }
}

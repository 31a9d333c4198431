import BinnacleBasics
import BinnacleModel

/// The line to the receiver's pin EXTINT, which wakes the receiver; the profile names the line (`ExtInt`).
///
/// "The receiver wakes up if there is either a falling or a rising edge on one of the configured pins" (UBX-18010854,
/// UBX-RXM-PMREQ; for generations 6 and 7 the receiver descriptions, "Wake-up", name EXTINT too). The idle level is
/// high: a low pin leaks 240 uA (Docs/SOURCES.md, U5), and a receiver with the setting EXTINTBACKUP would be off
/// while the pin is low (NEO-M9N integration manual, 3.11.2.2). A pulse therefore begins low and ends high. "Wakeup
/// signals have no effect if the receiver is already" on (SAM-M10Q integration manual UBX-22020019, 2.6.2.5).
///
///     idle --wake--> low, for 100 ms --> idle
///
/// A line that does not follow its orders is tried again at growing intervals, as lamps are (``LampMachine``). Until
/// the line follows, a receiver on I2C stays on, because nothing would wake it. These attempts do not disturb a
/// sleeping receiver.
struct WakeLine: Equatable, Codable, Sendable {
  private(set) var link: LineLink
  private var pulse = Pulse.none
  /// The last order: whether the line is to be low.
  private var isLowOrdered = false
  /// The level that the line keeps against its orders; nil while the line follows.
  private var heldLow: Bool?
  /// When a line that does not follow is tried again.
  private var againAt: Instant?
  private var wait: Interval
  private let waitMin: Interval
  private let waitMax: Interval
  private(set) var proof = Proof.none
  private(set) var pulseCount = 0

  private enum Pulse: Equatable, Codable, Sendable {
    case none
    case low(until: Instant)
  }

  /// Whether an edge on the line alone has woken the receiver.
  enum Proof: Equatable, Codable, Sendable {
    case none
    case works
    case fails
  }

  /// No document gives a minimum for the pulse; a receiver takes longer than this to start.
  static let pulseLength = Interval.milliseconds(100)
  private static let line = LineID.receiverWake

  init(_ settings: PanelSettings) {
    link = LineLink(settings)
    waitMin = settings.lineRetryMin
    waitMax = settings.lineRetryMax
    wait = waitMin
  }

  /// Whether the line is claimed and follows its orders.
  var isUsable: Bool { link.isOpen && heldLow == nil }

  /// The reason why the line is not used; nil if it is used.
  var fault: String? {
    if link.isOpen { return heldLow == nil ? nil : WakeLine.held }
    return link.fault?.text ?? "it is being opened"
  }

  private static let held = "it does not follow: the wiring or another circuit holds it"

  // MARK: Inputs

  mutating func started(into effects: inout [Effect]) { link.open(WakeLine.line, into: &effects) }

  /// The line is claimed and at its idle level.
  mutating func opened(isActive: Bool, at now: Instant, into effects: inout [Effect]) {
    if link.opened() != nil { say("is available now", .notice, into: &effects) }
    pulse = .none
    isLowOrdered = false
    compare(isActive, at: now, into: &effects)
  }

  mutating func lost(_ fault: LineFault, at now: Instant, into effects: inout [Effect]) {
    pulse = .none
    heldLow = nil
    againAt = nil
    if link.lost(fault, at: now) {
      say("cannot be used (\(fault.text)); the daemon tries again", .warning, into: &effects)
    }
  }

  /// Compares the level of the line after an order with the order.
  mutating func levelRead(isActive: Bool, at now: Instant, into effects: inout [Effect]) {
    if link.isOpen { compare(isActive, at: now, into: &effects) }
  }

  /// Makes the edges that wake the receiver, if the line is claimed.
  mutating func wake(at now: Instant, into effects: inout [Effect]) {
    guard link.isOpen, pulse == .none else { return }
    pulse = .low(until: now + WakeLine.pulseLength)
    pulseCount &+= 1
    drive(low: true, into: &effects)
  }

  /// Whether the line alone has woken the receiver.
  mutating func proved(_ works: Bool, into effects: inout [Effect]) {
    let found = works ? Proof.works : .fails
    if found == .fails, proof != .fails {
      say(
        "does not wake it, its own port does; is it wired to the pin EXTINT?", .warning,
        into: &effects)
    }
    proof = found
  }

  /// - Parameters:
  ///   - mayTry: whether an edge does no harm, because the receiver does not sleep.
  ///   - now: the time.
  ///   - effects: gets the orders.
  mutating func deadlineReached(mayTry: Bool, at now: Instant, into effects: inout [Effect]) {
    link.retry(WakeLine.line, at: now, into: &effects)
    if case .low(let until) = pulse {
      guard until <= now else { return }
      pulse = .none
      return drive(low: false, into: &effects)
    }
    guard mayTry, let due = againAt, due <= now else { return }
    againAt = nil
    wake(at: now, into: &effects)
  }

  func nextDeadline(mayTry: Bool) -> Instant? {
    guard link.isOpen else { return link.nextDeadline }
    if case .low(let until) = pulse { return until }
    return mayTry ? againAt : nil
  }

  // MARK: Orders

  private mutating func drive(low: Bool, into effects: inout [Effect]) {
    isLowOrdered = low
    effects.append(.line(WakeLine.line, .set(isActive: low)))
  }

  private mutating func compare(
    _ isActive: Bool, at now: Instant, into effects: inout [Effect]
  ) {
    if isActive != isLowOrdered {
      if heldLow == nil { say("cannot be used, \(WakeLine.held)", .warning, into: &effects) }
      heldLow = isActive
      againAt = now + wait
      wait = min(wait * 2, waitMax)
    } else if let level = heldLow, level != isActive {
      heldLow = nil
      againAt = nil
      wait = waitMin
      say("follows again", .notice, into: &effects)
    }
  }

  private func say(_ text: String, _ level: LogLevel, into effects: inout [Effect]) {
    effects.append(.log(level, "receiver: the line to its pin EXTINT \(text)"))
  }
}

extension ReceiverMachine {
  /// The signal that wakes the receiver, beside its own timer; nil if there is none.
  var wakeWay: String? {
    guard let kind = session?.value.link.kind, kind != .usb else { return nil }
    guard let line = memory.wakeLine, line.isUsable else {
      return kind.isBus ? nil : "edges on its serial line"
    }
    switch line.proof {
    case .none: return "the line to its pin EXTINT, not tried yet"
    case .works: return "the line to its pin EXTINT"
    case .fails: return "edges on its serial line; the line to its pin EXTINT does not wake it"
    }
  }
}

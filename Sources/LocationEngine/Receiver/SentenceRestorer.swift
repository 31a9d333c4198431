import BinnacleBasics

/// Switches on the sentences that a configuration has switched off, after that configuration has failed.
///
/// Without it a receiver that takes this one order and no other sends nothing for good. The order is repeated, since a
/// damaged line may swallow it, until positions come; the time between two tries doubles from 2 s to 60 s.
///
/// A receiver that was never mute sends sentences and UBX after that, which is more than a slow line carries: positions and
/// answers come seconds late. So the order is withdrawn with the first solution in UBX, and eight times, since a damaged line
/// may swallow that, too.
struct SentenceRestorer: Equatable, Codable, Sendable {
  /// The receiver's configuration, with sentences.
  private let plan: SetupPlan
  /// What carried the position before.
  private let carrier: PositionMessage
  /// The speeds, in baud, at which the receiver may be.
  private let speeds: [Int]
  private var dueAt: Instant
  private var pause = SentenceRestorer.pauseMin
  private var orderedAt: Instant?
  private var phase = Phase.restoring

  private enum Phase: Equatable, Codable, Sendable {
    /// No position has come yet.
    case restoring
    case restored
    case withdrawing(triesLeft: Int)
  }

  private static let pauseMin = Interval.seconds(2)
  private static let pauseMax = Interval.seconds(60)
  private static let withdrawalsMax = 8

  /// A configuration has failed.
  ///
  /// - Parameters:
  ///   - plan: what the receiver was told.
  ///   - speeds: the speeds, in baud, at which it may be.
  ///   - now: the time, when the first order is due.
  init(_ plan: SetupPlan, speeds: [Int], at now: Instant) {
    var plan = plan
    carrier = plan.carrier
    plan.carrier = .sentences
    self.plan = plan
    self.speeds = speeds
    dueAt = now
  }

  /// Whether no position has come yet.
  var isOwed: Bool { phase == .restoring }

  /// nil when nothing is left to be ordered, and at a speed at which the receiver is not.
  func nextDeadline(speed: Int) -> Instant? {
    phase != .restored && isPossible(speed: speed) ? dueAt : nil
  }

  /// A position was good: nothing is ordered again, but what was ordered may have to be withdrawn.
  mutating func fixJudged() {
    if isOwed { phase = .restored }
  }

  /// Solutions come in UBX: what was ordered is to be withdrawn, unless sentences carry the position all the same.
  mutating func solutionInUBXArrived(at now: Instant) {
    if case .withdrawing = phase { return }
    guard let orderedAt, carrier != .sentences else {
      phase = .restored
      return
    }
    phase = .withdrawing(triesLeft: SentenceRestorer.withdrawalsMax)
    // The answers to both have the same name.
    dueAt = max(now, orderedAt + SentenceRestorer.pauseMin)
    pause = SentenceRestorer.pauseMin
    self.orderedAt = nil
  }

  /// The order, as frames.
  ///
  /// - Parameters:
  ///   - speed: the line's speed in baud.
  ///   - now: the time.
  /// - Returns: empty when it is not due, and at a speed at which the receiver is not: CFG-PRT says the speed too, and
  ///   would move the receiver to a wrong one.
  mutating func deadlineReached(speed: Int, at now: Instant) -> [UInt8] {
    guard isOwed, dueAt <= now, isPossible(speed: speed) else { return [] }
    deferNext(after: now)
    orderedAt = now
    return plan.portSteps(speed: speed).flatMap(\.order)
  }

  /// The order that switches the sentences off again, as frames.
  ///
  /// - Parameters:
  ///   - speed: the line's speed in baud.
  ///   - now: the time.
  /// - Returns: empty when it is not due, and at a speed at which the receiver is not.
  mutating func withdrawal(speed: Int, at now: Instant) -> [UInt8] {
    guard case .withdrawing(let triesLeft) = phase, dueAt <= now, isPossible(speed: speed) else {
      return []
    }
    phase = triesLeft > 1 ? .withdrawing(triesLeft: triesLeft - 1) : .restored
    deferNext(after: now)
    var plan = plan
    plan.carrier = carrier
    return plan.portSteps(speed: speed).flatMap(\.order)
  }

  private mutating func deferNext(after now: Instant) {
    dueAt = now + pause
    pause = min(pause * 2, SentenceRestorer.pauseMax)
  }

  private func isPossible(speed: Int) -> Bool { plan.port != .uart || speeds.contains(speed) }
}

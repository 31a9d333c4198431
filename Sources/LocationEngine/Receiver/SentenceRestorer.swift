import BinnacleBasics

/// Switches on the sentences that a configuration has switched off, after that configuration has failed.
///
/// Otherwise a receiver that takes only the order to stop its sentences would never send again. The order is repeated
/// until positions come, since a damaged line may lose the order. The time between two attempts doubles from 2 s to
/// 60 s.
///
/// A receiver that never stopped sending UBX then sends sentences and UBX. Both are more than a slow line carries, so
/// positions and answers come seconds late. The first solution in UBX therefore withdraws the order. The withdrawal is
/// sent eight times, since a damaged line may lose it.
struct SentenceRestorer: Equatable, Codable, Sendable {
  /// The receiver's configuration, with sentences.
  private let plan: SetupPlan
  /// The position message of the failed configuration.
  private let carrier: PositionMessage
  /// The possible speeds of the receiver, in baud.
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
  ///   - plan: the configuration that was sent.
  ///   - speeds: the possible speeds, in baud.
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

  /// nil if no order is left, or if the receiver cannot be at `speed`.
  func nextDeadline(speed: Int) -> Instant? {
    phase != .restored && isPossible(speed: speed) ? dueAt : nil
  }

  /// A position was accepted: no order is repeated, but an order may have to be withdrawn.
  mutating func fixJudged() {
    if isOwed { phase = .restored }
  }

  /// Solutions come in UBX: the order is withdrawn, unless sentences carry the position in the configuration.
  mutating func solutionInUBXArrived(at now: Instant) {
    if case .withdrawing = phase { return }
    guard let orderedAt, carrier != .sentences else {
      phase = .restored
      return
    }
    phase = .withdrawing(triesLeft: SentenceRestorer.withdrawalsMax)
    // The acknowledgements of both orders have the same class and id, so time must pass between the orders.
    dueAt = max(now, orderedAt + SentenceRestorer.pauseMin)
    pause = SentenceRestorer.pauseMin
    self.orderedAt = nil
  }

  /// The order, as frames.
  ///
  /// - Parameters:
  ///   - speed: the line's speed in baud.
  ///   - now: the time.
  /// - Returns: empty if no order is due, or if the receiver cannot be at `speed`. CFG-PRT also sets the speed, and
  ///   would move the receiver to a wrong speed.
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
  /// - Returns: empty if no order is due, or if the receiver cannot be at `speed`.
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

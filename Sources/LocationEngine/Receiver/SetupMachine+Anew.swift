import BinnacleBasics

/// Further orders to a receiver, and the repetition of all orders.
extension SetupMachine {
  /// The receiver's name has come: messages that only its generation has are ordered too.
  mutating func named(
    _ identity: ReceiverIdentity, at now: Instant, into actions: inout [Action]
  ) {
    let before = plan.messageSteps(rateHz: ordered.rateHz)
    plan.identity = identity
    let steps = plan.messageSteps(rateHz: ordered.rateHz).filter { !before.contains($0) }
    guard !steps.isEmpty else { return }
    queue += (steps + plan.saveSteps).map(Task.step)
    if case .idle = work { proceed(at: now, into: &actions) }
  }

  /// The receiver has lost its configuration: everything is ordered again.
  ///
  /// An order in flight is first answered or overdue: its answer would count as the answer to a new order.
  mutating func receiverReset(at now: Instant, into actions: inout [Action]) {
    if case .commanding = work {
      isResetPending = true
    } else {
      beginAnew(at: now, into: &actions)
    }
  }

  /// Everything was ordered and no position came: everything is ordered again.
  ///
  /// From the second time in a row, another position message is ordered. A receiver that answers no polls is ordered to
  /// send sentences at once. After the last position message, refusals are forgotten and the first message is ordered
  /// again.
  mutating func positionsMissed(times: Int, at now: Instant, into actions: inout [Action]) {
    if answersNoQuestion, plan.carrier != .sentences {
      plan.carrier = .sentences
    } else if times > 1 {
      if let next = plan.nextCarrier {
        plan.carrier = next
      } else {
        plan.carrier = plan.firstCarrier
        limits.forgetRefusals()
      }
    }
    beginAnew(at: now, into: &actions)
  }

  /// Queues the orders for the present demand.
  ///
  /// - Parameter includingAll: whether unchanged orders are given, too.
  mutating func queueDemand(includingAll: Bool) {
    var target = limits.admitted(wanted)
    if plan.needsFasterLine(rateHz: target.rateHz, speed: speed), limits.canRaise,
      speed < SetupMachine.raisedSpeed
    {
      queue.append(.raise(to: SetupMachine.raisedSpeed))
    } else if speed >= SetupMachine.raisedSpeed || !limits.canRaise {
      target.rateHz = min(target.rateHz, max(1, plan.rateMaxHz(speed: speed)))
    }
    var steps: [SetupStep] = []
    if includingAll || target.rateHz != ordered.rateHz {
      steps += plan.messageSteps(rateHz: target.rateHz)
      steps += plan.rateSteps(rateHz: target.rateHz)
    }
    if includingAll || target.model != ordered.model { steps += plan.modelSteps(target.model) }
    if includingAll { steps += plan.optionalSteps }
    if !steps.isEmpty { queue += (steps + plan.saveSteps).map(Task.step) }
    ordered = target
  }
}

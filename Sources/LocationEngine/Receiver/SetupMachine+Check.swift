import BinnacleBasics

/// Makes sure that a receiver that was asleep still works as it was ordered.
///
/// Everything is read back and nothing is told, but for what reads back otherwise. What is wanted by now follows.
extension SetupMachine {
  mutating func woke(wanted: Demand, at now: Instant, into actions: inout [Action]) {
    self.wanted = wanted
    guard isIdle else { return }
    let steps =
      plan.portSteps(speed: speed) + plan.messageSteps(rateHz: ordered.rateHz)
      + plan.rateSteps(rateHz: ordered.rateHz) + plan.modelSteps(ordered.model)
      + plan.optionalSteps
    // A receiver that answers no question is told again.
    queue = steps.map(answersNoQuestion ? Task.step : Task.check)
    isChecking = true
    proceed(at: now, into: &actions)
  }
}

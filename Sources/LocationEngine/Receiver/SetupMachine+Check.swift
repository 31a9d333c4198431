import BinnacleBasics
import UBX

/// Makes sure that a receiver that was asleep still works as it was ordered.
///
/// Everything is read back and nothing is told, but for what reads back otherwise. What is wanted by now follows.
extension SetupMachine {
  mutating func woke(wanted: Demand, at now: Instant, into actions: inout [Action]) {
    self.wanted = wanted
    guard isIdle else { return }
    // A receiver that answers no question is told again.
    queue = orderedSteps.map(answersNoQuestion ? Task.step : Task.check)
    isChecking = true
    proceed(at: now, into: &actions)
  }

  /// Whether an order of before says what the receiver is to be told now: rate, model or carrier may have changed since.
  func isStillOrdered(_ step: SetupStep) -> Bool {
    guard case .values(let items) = step else { return orderedSteps.contains(step) }
    let ordered = orderedSteps.flatMap { step -> [ConfigurationItem] in
      if case .values(let items) = step { items } else { [] }
    }
    return items.allSatisfy(ordered.contains)
  }

  private var orderedSteps: [SetupStep] {
    plan.portSteps(speed: speed) + plan.messageSteps(rateHz: ordered.rateHz)
      + plan.rateSteps(rateHz: ordered.rateHz) + plan.modelSteps(ordered.model)
      + plan.optionalSteps
  }
}

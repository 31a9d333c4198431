import BinnacleBasics
import UBX

/// Verifies that a receiver still works as ordered after a sleep.
///
/// Everything is read back, and only settings that differ are ordered again. The present demand follows.
extension SetupMachine {
  mutating func woke(wanted: Demand, at now: Instant, into actions: inout [Action]) {
    self.wanted = wanted
    guard isIdle else { return }
    // A receiver that answers no question gets its orders again.
    queue = orderedSteps.map(answersNoQuestion ? Task.step : Task.check)
    isChecking = true
    proceed(at: now, into: &actions)
  }

  /// Whether an earlier order is still right: rate, model or position message may have changed since.
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

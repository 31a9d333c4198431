import BinnacleBasics
import UBX

/// The part of a session that helps the receiver to start quickly.
extension ReceiverSession {
  /// Passes an input to the assistance and carries out its orders.
  mutating func assist(
    _ memory: inout ReceiverMemory, at now: Instant, _ effects: inout [Effect],
    _ input: (
      inout AssistanceMachine, AssistanceMachine.Surroundings, inout AssistanceMemory,
      inout [AssistanceMachine.Action]
    ) -> Void
  ) {
    guard isConnected else { return }
    var actions: [AssistanceMachine.Action] = []
    connection?.value.assist(atSpeed: link.speed, at: now, into: &actions) {
      input(&$0, $1, &memory.assistance, &$2)
    }
    if actions.isEmpty { return }
    self.link.becameUrgent()
    for action in actions {
      switch action {
      case .write(let bytes): effects.append(.receiver(.write(bytes)))
      case .log(let level, let line): effects.append(.log(level, "receiver: " + line))
      }
    }
  }

  /// The daemon stops.
  mutating func stopRequested(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    // The database of a sleeping receiver was polled before the sleep, if it was due.
    guard connection?.value.sleep.isAwake == true else { return }
    oweSentences(memory: &memory, at: now, into: &effects)
    restoreSentences(memory: &memory, at: now, into: &effects)
    assist(&memory, at: now, &effects) {
      $0.stopRequested($2, at: now, into: &$3)
    }
  }
}

extension SetupMachine {
  /// Whether the receiver was ordered to acknowledge assistance, and did not refuse that order.
  var acknowledgesAssistance: Bool {
    plan.identity.usesKeys
      && limits.admitted(.values([ConfigurationItem(.acknowledgeAiding, true)])) != nil
  }
}

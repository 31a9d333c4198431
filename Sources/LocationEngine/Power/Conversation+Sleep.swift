import Basics
import UBX

/// How a receiver is sent to sleep and woken.
///
/// While it sleeps nothing is asked and nothing is missed. When it is awake again its settings are read back: standby clears
/// what is not in battery-backed memory.
extension Conversation {
  mutating func sleep(
    for duration: Interval, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard let action = connection?.sleep.sleep(for: duration, at: now) else { return }
    if action != .none { memory.sleep.sleeps &+= 1 }
    take(action, memory: &memory, at: now, into: &effects)
  }

  mutating func wake(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    guard let action = connection?.sleep.wake(at: now) else { return }
    take(action, memory: &memory, at: now, into: &effects)
  }

  /// A frame came from a receiver that was not awake.
  mutating func frameOfSleeperArrived(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    guard let action = connection?.sleep.frameArrived(at: now) else { return }
    take(action, memory: &memory, at: now, into: &effects)
  }

  mutating func sleepDeadlineReached(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    let lastFrame = link.lastFrame
    guard let action = connection?.sleep.deadlineReached(lastFrame: lastFrame, at: now) else {
      return
    }
    take(action, memory: &memory, at: now, into: &effects)
  }

  private mutating func take(
    _ action: SleepMachine.Action, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    switch action {
    case .none: return
    case .order(let duration):
      guard let identity = connection?.identity else { return }
      effects.append(.writeReceiver(identity.sleepOrder(for: duration).frame))
    case .wake: effects.append(.writeReceiver(Conversation.wakeBytes))
    case .ask: effects.append(.writeReceiver(Conversation.question))
    case .ended(let ending): ended(ending, memory: &memory, at: now, into: &effects)
    }
    link.becameUrgent()
  }

  private mutating func ended(
    _ ending: SleepMachine.Ending, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    memory.sleep.add(ending)
    link.restartedWaiting(at: now)
    switch ending {
    case .woken(let after):
      let milliseconds = after.nanoseconds / 1_000_000
      effects.append(.log(.debug, "receiver: awake, \(milliseconds) ms after it was woken"))
    case .byItself: effects.append(.log(.info, "receiver: it woke by itself"))
    case .refused:
      effects.append(
        .log(.warning, "receiver: it was told to sleep and goes on sending; it stays awake for now")
      )
    case .gone:
      effects.append(
        .log(
          .warning,
          "receiver: it was sent to sleep and does not wake; looking for it at every speed"))
      return search(memory: &memory, at: now, into: &effects)
    }
    var actions: [SetupMachine.Action] = []
    connection?.woke(isSettled: ending != .refused, wanted: memory.demand, at: now, into: &actions)
    perform(actions, memory: &memory, at: now, into: &effects)
  }
}

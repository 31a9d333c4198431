import BinnacleBasics
import UBX

/// The orders that send a receiver to sleep and wake it.
///
/// No request is sent to a sleeping receiver. After the wake-up the receiver's settings are read back: standby clears
/// settings that are not in battery-backed memory.
extension ReceiverSession {
  mutating func sleep(
    for duration: Interval, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard let action = connection?.value.sleep.fallAsleep(for: duration, at: now) else { return }
    if action != .none { memory.sleep.sleeps &+= 1 }
    take(action, memory: &memory, at: now, into: &effects)
  }

  mutating func wake(
    isHurried: Bool, memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    let hasLine = memory.wakeLine?.isUsable ?? false
    let isProof = !isHurried && hasLine && !link.kind.isBus
    let listens = link.kind.isBus
    guard let action = connection?.value.sleep.wake(listens: listens, isProof: isProof, at: now)
    else { return }
    provesLine = isProof
    take(action, memory: &memory, at: now, into: &effects)
  }

  /// Bytes came; returns whether to discard them.
  mutating func bytesOfSleeperArrived(at now: Instant) -> Bool {
    guard connection?.value.sleep.isAwake == false else { return false }
    return connection?.value.sleep.bytesArrived(at: now) ?? false
  }

  /// A frame came from a receiver that was not awake.
  mutating func frameOfSleeperArrived(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    guard let action = connection?.value.sleep.frameArrived(at: now) else { return }
    take(action, memory: &memory, at: now, into: &effects)
  }

  mutating func sleepDeadlineReached(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    let lastFrame = link.lastFrame
    let listens = link.kind.isBus
    guard
      let action = connection?.value.sleep.deadlineReached(
        lastFrame: lastFrame, listens: listens, at: now)
    else { return }
    take(action, memory: &memory, at: now, into: &effects)
  }

  private mutating func take(
    _ action: SleepMachine.Action, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    switch action {
    case .none: return
    case .order(let duration):
      guard let identity = connection?.value.identity else { return }
      let isOnBus = link.kind.isBus
      effects.append(.receiver(.write(identity.sleepOrder(for: duration, isOnBus: isOnBus).frame)))
      if isOnBus { effects.append(.receiver(.attend(false))) }
    case .listen: effects.append(.receiver(.attend(true)))
    case .wake:
      memory.wakeLine?.wake(at: now, into: &effects)
      if !link.kind.isBus, !provesLine {
        effects.append(.receiver(.write(ReceiverSession.wakeBytes)))
      }
    case .ask: ask(memory: &memory, at: now, into: &effects)
    case .ended(let ending): ended(ending, memory: &memory, at: now, into: &effects)
    }
    link.becameUrgent()
  }

  private mutating func ended(
    _ ending: SleepMachine.Ending, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    memory.sleep.add(ending)
    takeProof(ending, memory: &memory, into: &effects)
    link.restartedWaiting(at: now)
    switch ending {
    case .woken(let after, _, _):
      let milliseconds = after.nanoseconds / 1_000_000
      effects.append(.log(.debug, "receiver: awake, \(milliseconds) ms after it was woken"))
    case .byItself: effects.append(.log(.info, "receiver: it woke by itself"))
    case .refused:
      effects.append(
        .log(
          .warning,
          "receiver: it was ordered to sleep, but continues to send; it stays awake for now")
      )
    case .gone:
      effects.append(
        .log(
          .warning,
          "receiver: no answer after the wake-up order; searching at every speed"))
      return search(memory: &memory, at: now, into: &effects)
    }
    var actions: [SetupMachine.Action] = []
    connection?.value.woke(
      isSettled: ending != .refused, wanted: memory.demand, at: now, into: &actions)
    perform(actions, memory: &memory, at: now, into: &effects)
  }

  /// Records whether the line to EXTINT woke the receiver, if only the line was tried first.
  private mutating func takeProof(
    _ ending: SleepMachine.Ending, memory: inout ReceiverMemory, into effects: inout [Effect]
  ) {
    defer { provesLine = false }
    guard case .woken(_, let questions, hasSlept: true) = ending else { return }
    if link.kind.isBus { memory.wakeLine?.proved(true, into: &effects) }
    if provesLine { memory.wakeLine?.proved(questions == 0, into: &effects) }
  }
}

/// The line to the receiver's pin EXTINT.
extension ReceiverMachine {
  /// Takes events of the line to the receiver's pin EXTINT, and ignores other lines.
  mutating func take(
    _ event: Event.Line, of line: LineID, at now: Instant, into effects: inout [Effect]
  ) {
    guard line == .receiverWake else { return }
    switch event {
    case .opened(let isActive, isDebounced: _):
      memory.wakeLine?.opened(isActive: isActive, at: now, into: &effects)
      // The receiver may sleep since an earlier run, or since the line was lost.
      if session?.value.isConnected != true { memory.wakeLine?.wake(at: now, into: &effects) }
    case .edge: return
    case .read(let isActive):
      memory.wakeLine?.levelRead(isActive: isActive, at: now, into: &effects)
    case .lost(let fault): memory.wakeLine?.lost(fault, at: now, into: &effects)
    }
  }

  /// Whether a pulse on the line does no harm: a sleeping receiver would wake.
  var mayTryLine: Bool { session?.value.connection?.value.sleep.isAwake ?? true }
}

import BinnacleBasics

/// The change of the line to a faster speed, and the consequences of a failure.
extension SetupMachine {
  mutating func raise(
    at now: Instant, into actions: inout [Action],
    _ input: (inout BaudRateMachine) -> BaudRateMachine.Action
  ) {
    guard case .raising(var machine) = work else { return }
    let action = input(&machine)
    work = .raising(machine)
    take(action, of: machine, at: now, into: &actions)
  }

  private mutating func take(
    _ action: BaudRateMachine.Action, of machine: BaudRateMachine, at now: Instant,
    into actions: inout [Action]
  ) {
    switch action {
    case .none: return
    case .change(let speed): return actions.append(.changeSpeed(speed))
    case .ask: return actions.append(.ask)
    case .lost:
      work = .idle
      queue = []
      return actions.append(.lost)
    case .raised:
      speed = machine.to
      actions.append(.settledAt(machine.to))
      actions.append(.log(.raised(machine.to)))
    case .stayed(let why):
      limits.lineStays()
      speed = machine.from
      actions.append(.settledAt(machine.from))
      actions.append(.log(.notRaised(why)))
      limitRateToLine()
    }
    work = .idle
    proceed(at: now, into: &actions)
  }

  private mutating func limitRateToLine() {
    let limit = plan.rateMaxHz(speed: speed)
    guard ordered.rateHz > limit else { return }
    limits.lineCarries(rateMaxHz: limit)
    queue = []
    queueDemand(includingAll: true)
  }
}

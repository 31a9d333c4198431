import Basics
import UBX

/// Brings a known receiver to what is wanted of it, and keeps it there while that changes.
///
///     idle --something else is wanted--> commanding, one order after the other --> ... --> idle
///     commanding --the rate needs a faster line--> raising --> commanding the rest
///     raising --answers at neither speed--> lost
///     commanding --two orders unanswered in a row--> deaf
///
/// What a firmware refuses is recorded and not asked for again.
struct SetupMachine: Equatable, Codable, Sendable {
  let plan: SetupPlan
  /// What the sequences want, as far as the receiver lets it have.
  private(set) var wanted: Demand
  /// What was ordered last.
  private(set) var ordered: Demand
  /// What this firmware refuses, by name.
  private(set) var unsupported: [String] = []
  /// What read back otherwise than it was ordered.
  private(set) var differences: [String] = []
  private(set) var unansweredCount = 0
  /// When everything was done last.
  private(set) var completion: Completion = .never
  private var queue: [Task]
  private var work = Work.idle
  private var speed: Int
  private var canRaise = true
  private var unansweredInARow = 0
  private var rateLimitHz = Int.max

  enum Completion: Equatable, Codable, Sendable {
    case never
    case at(Instant)
  }

  private enum Task: Equatable, Codable, Sendable {
    case step(SetupStep)
    case raise(to: Int)
  }

  private enum Work: Equatable, Codable, Sendable {
    case idle
    case commanding(CommandMachine)
    case raising(RaiseMachine)
  }

  enum Action: Equatable, Sendable {
    case write([UInt8])
    /// Ask the receiver who it is.
    case ask
    case changeSpeed(Int)
    case log(LogWord)
    /// The line is at another speed for good.
    case settledAt(Int)
    /// The receiver is not heard any more.
    case lost
    /// The receiver is heard and does not hear.
    case deaf
  }

  /// What is worth a line in the log.
  enum LogWord: Equatable, Sendable {
    case unsupported(String)
    case different(String)
    case unanswered(String)
    case raised(Int)
    case notRaised(String)
    case complete(Demand)
  }

  /// The speed that every board's UART carries.
  static let raisedSpeed = 115_200
  /// Longer than a receiver at 9600 baud needs to get its sentences out before it answers.
  static let patience = Interval.milliseconds(2_500)
  private static let listMax = 64

  /// - Parameters:
  ///   - plan: how this receiver is told things.
  ///   - wanted: what the sequences want.
  ///   - unsupported: what is known to be refused by this firmware.
  ///   - speed: the speed of the line.
  ///   - now: the time.
  ///   - actions: what is to be done.
  init(
    plan: SetupPlan, wanted: Demand, unsupported: [String], speed: Int, at now: Instant,
    into actions: inout [Action]
  ) {
    self.plan = plan
    self.wanted = wanted
    self.ordered = wanted
    self.unsupported = unsupported
    self.speed = speed
    queue = (plan.portSteps + plan.oldPortSteps(speed: speed)).map(Task.step)
    queueDemand(includingAll: true)
    proceed(at: now, into: &actions)
  }

  // MARK: State

  var isIdle: Bool { work == .idle && queue.isEmpty }

  /// Whether the line's speed is being changed, so that silence means nothing.
  var isRaising: Bool {
    if case .raising = work { true } else { false }
  }

  var nextDeadline: Instant? {
    switch work {
    case .idle: nil
    case .commanding(let command): command.nextDeadline
    case .raising(let raise): raise.nextDeadline
    }
  }

  // MARK: Inputs

  mutating func demandChanged(_ demand: Demand, at now: Instant, into actions: inout [Action]) {
    wanted = demand
    if isIdle { settle(at: now, into: &actions) }
  }

  mutating func acknowledged(
    _ command: SetupStep.Command, at now: Instant, into actions: inout [Action]
  ) {
    guard case .commanding(var machine) = work else { return }
    let action = machine.acknowledged(command, at: now)
    work = .commanding(machine)
    take(action, of: machine.step, at: now, into: &actions)
  }

  mutating func refused(
    _ command: SetupStep.Command, at now: Instant, into actions: inout [Action]
  ) {
    switch work {
    case .idle: return
    case .commanding(var machine):
      let action = machine.refused(command, at: now)
      work = .commanding(machine)
      take(action, of: machine.step, at: now, into: &actions)
    case .raising(var raise):
      guard command == plan.speedStep(to: raise.to).command else { return }
      let action = raise.refused()
      work = .raising(raise)
      take(action, of: raise, at: now, into: &actions)
    }
  }

  mutating func answered(_ answer: SetupAnswer, at now: Instant, into actions: inout [Action]) {
    guard case .commanding(var machine) = work else { return }
    let action = machine.answered(answer, at: now)
    work = .commanding(machine)
    take(action, of: machine.step, at: now, into: &actions)
  }

  mutating func identified(at now: Instant, into actions: inout [Action]) {
    raise(at: now, into: &actions) { $0.answered() }
  }

  mutating func drained(at now: Instant, into actions: inout [Action]) {
    raise(at: now, into: &actions) { $0.drained(at: now) }
  }

  mutating func speedChanged(at now: Instant, into actions: inout [Action]) {
    raise(at: now, into: &actions) { $0.speedChanged(at: now) }
  }

  mutating func speedRefused(at now: Instant, into actions: inout [Action]) {
    raise(at: now, into: &actions) { $0.speedRefused(at: now) }
  }

  mutating func deadlineReached(at now: Instant, into actions: inout [Action]) {
    switch work {
    case .idle: return
    case .commanding(var machine):
      let action = machine.deadlineReached(at: now)
      work = .commanding(machine)
      take(action, of: machine.step, at: now, into: &actions)
    case .raising:
      raise(at: now, into: &actions) { $0.deadlineReached(at: now) }
    }
  }

  /// The receiver has lost what it was told: everything is ordered again.
  mutating func receiverReset(at now: Instant, into actions: inout [Action]) {
    differences = []
    work = .idle
    queue = (plan.portSteps + plan.oldPortSteps(speed: speed)).map(Task.step)
    queueDemand(includingAll: true)
    proceed(at: now, into: &actions)
  }

  // MARK: Commands

  private mutating func take(
    _ action: CommandMachine.Action, of step: SetupStep, at now: Instant,
    into actions: inout [Action]
  ) {
    switch action {
    case .none: return
    case .write(let bytes): return actions.append(.write(bytes))
    case .done(let found):
      unansweredInARow = 0
      for difference in found where differences.count < SetupMachine.listMax {
        differences.append(difference)
        actions.append(.log(.different(difference)))
      }
      if let model = step.orderedModel { ordered.model = model }
    case .split(let halves):
      unansweredInARow = 0
      queue.insert(contentsOf: halves.map(Task.step), at: 0)
    case .unsupported:
      unansweredInARow = 0
      refusedForGood(step, into: &actions)
    case .unanswered:
      unansweredCount &+= 1
      unansweredInARow += 1
      actions.append(.log(.unanswered(step.name)))
      if unansweredInARow >= 2 {
        work = .idle
        queue = []
        return actions.append(.deaf)
      }
    }
    work = .idle
    proceed(at: now, into: &actions)
  }

  private mutating func refusedForGood(_ step: SetupStep, into actions: inout [Action]) {
    var name = step.name
    if let model = step.orderedModel {
      name = "dynamic model " + model.name
      if let fallback = model.fallback {
        queue.insert(contentsOf: plan.modelSteps(fallback).map(Task.step), at: 0)
      }
    } else if isRate(step), ordered.rateHz > 1 {
      name = "rate \(ordered.rateHz) Hz"
      rateLimitHz = ordered.rateHz / 2
      ordered.rateHz = rateLimitHz
      let steps = plan.messageSteps(rateHz: rateLimitHz) + plan.rateSteps(rateHz: rateLimitHz)
      queue.insert(contentsOf: steps.map(Task.step), at: 0)
    }
    guard !unsupported.contains(name), unsupported.count < SetupMachine.listMax else { return }
    unsupported.append(name)
    actions.append(.log(.unsupported(name)))
  }

  private func isRate(_ step: SetupStep) -> Bool {
    switch step {
    case .navigationPeriod: true
    case .values(let items): items.contains { $0.key == .rateMeasurement }
    case .port, .messageRate, .model, .save: false
    }
  }

  // MARK: The line

  private mutating func raise(
    at now: Instant, into actions: inout [Action],
    _ input: (inout RaiseMachine) -> RaiseMachine.Action
  ) {
    guard case .raising(var machine) = work else { return }
    let action = input(&machine)
    work = .raising(machine)
    take(action, of: machine, at: now, into: &actions)
  }

  private mutating func take(
    _ action: RaiseMachine.Action, of machine: RaiseMachine, at now: Instant,
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
      canRaise = false
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
    rateLimitHz = min(rateLimitHz, limit)
    queue = []
    queueDemand(includingAll: true)
  }

  // MARK: The queue

  private mutating func queueDemand(includingAll: Bool) {
    var target = wanted
    target.rateHz = max(1, min(target.rateHz, rateLimitHz))
    while unsupported.contains("dynamic model " + target.model.name),
      let fallback = target.model.fallback
    {
      target.model = fallback
    }
    if plan.needsFasterLine(rateHz: target.rateHz, speed: speed), canRaise,
      speed < SetupMachine.raisedSpeed
    {
      queue.append(.raise(to: SetupMachine.raisedSpeed))
    } else {
      target.rateHz = min(target.rateHz, max(1, rateMaxOfLine))
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

  private var rateMaxOfLine: Int {
    speed >= SetupMachine.raisedSpeed || !canRaise ? plan.rateMaxHz(speed: speed) : .max
  }

  private mutating func proceed(at now: Instant, into actions: inout [Action]) {
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .raise(let target):
        actions.append(.write(plan.speedStep(to: target).order))
        work = .raising(RaiseMachine(from: speed, to: target, at: now))
        return
      case .step(let step):
        guard let step = withoutUnsupported(step) else { continue }
        actions.append(.write(step.order))
        work = .commanding(CommandMachine(step, patience: SetupMachine.patience, at: now))
        return
      }
    }
    completion = .at(now)
    actions.append(.log(.complete(ordered)))
    settle(at: now, into: &actions)
  }

  /// Orders what has come to be wanted since.
  private mutating func settle(at now: Instant, into actions: inout [Action]) {
    queueDemand(includingAll: false)
    if !queue.isEmpty { proceed(at: now, into: &actions) }
  }

  private func withoutUnsupported(_ step: SetupStep) -> SetupStep? {
    switch step {
    case .values(let items):
      let known = items.filter { !unsupported.contains($0.key.description) }
      return known.isEmpty ? nil : .values(known)
    case .port, .messageRate, .navigationPeriod, .model, .save:
      return unsupported.contains(step.name) ? nil : step
    }
  }
}

import Basics
import UBX

/// Brings a known receiver to what is wanted of it, and keeps it there while that changes.
///
///     idle --something else is wanted--> commanding, one order after the other --> ... --> idle
///     commanding --the rate needs a faster line--> raising --> commanding the rest
///     raising --answers at neither speed--> lost
///     commanding --the first order unanswered, or two in a row--> deaf
///     idle --a while after an order stayed unanswered--> commanding
///
/// What a firmware refuses is recorded and not asked for again. When it refuses what carries the position, another
/// carrier takes its place.
struct SetupMachine: Equatable, Codable, Sendable {
  private(set) var plan: SetupPlan
  /// What the sequences want, as far as the receiver lets it have.
  var wanted: Demand
  /// What was ordered last.
  var ordered: Demand
  /// What of it the receiver has shown to have taken.
  private(set) var proven = ProvenSetup()
  var limits = ReceiverLimits()
  /// What read back otherwise than it was ordered.
  private(set) var differences: [String] = []
  private(set) var unansweredCount = 0
  /// When everything was done last.
  private(set) var completion: Completion = .never
  /// Whether the receiver was told to send no sentences and has shown that it took that.
  private(set) var areSentencesOff = false
  var queue: [Task] = []
  var work = Work.idle
  var speed: Int
  private var unansweredInARow = 0
  private var hasObeyed = false
  private var again = UnansweredSteps()
  /// Whether what was ordered is being read back, and nothing else.
  var isChecking = false
  /// What a check found otherwise, and told again.
  private(set) var mendedCount = 0

  enum Completion: Equatable, Codable, Sendable {
    case never
    case at(Instant)
  }

  enum Task: Equatable, Codable, Sendable {
    case step(SetupStep)
    /// Read it back, and order it only where that is not as it should be.
    case check(SetupStep)
    case raise(to: Int)
  }

  enum Work: Equatable, Codable, Sendable {
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
    /// The receiver has answered the first order.
    case obeyed
    /// The receiver is not heard any more.
    case lost
    /// The receiver is heard and does not hear.
    case deaf
  }

  /// The speed that every board's UART carries.
  static let raisedSpeed = 115_200
  /// What a receiver may be sending before it answers: an epoch as delivered, twice.
  private static let bytesBeforeAnswer: Int64 = 1_500

  /// - Parameters:
  ///   - plan: how this receiver is told things.
  ///   - wanted: what the sequences want.
  ///   - speed: the speed of the line.
  ///   - now: the time.
  ///   - actions: what is to be done.
  init(
    plan: SetupPlan, wanted: Demand, speed: Int, at now: Instant, into actions: inout [Action]
  ) {
    self.plan = plan
    self.wanted = wanted
    self.ordered = wanted
    self.speed = speed
    beginAnew(at: now, into: &actions)
  }

  // MARK: State

  var isIdle: Bool {
    guard case .idle = work else { return false }
    return queue.isEmpty
  }

  /// Whether it works as it was ordered, as far as it can show.
  var isProven: Bool {
    proven.rateHz != nil && proven.model != nil && proven.carrier == plan.carrier
  }

  /// Whether the line's speed is being changed, so that silence means nothing.
  var isRaising: Bool { if case .raising = work { true } else { false } }

  var nextDeadline: Instant? {
    switch work {
    case .idle: again.nextDeadline
    case .commanding(let command): command.nextDeadline
    case .raising(let raise): raise.nextDeadline
    }
  }

  /// How long an answer may take.
  private var patience: Interval {
    .milliseconds(700)
      + Interval(
        nanoseconds: SetupMachine.bytesBeforeAnswer * 10_000_000_000 / Int64(max(300, speed)))
  }

  // MARK: Inputs

  mutating func demandChanged(_ demand: Demand, at now: Instant, into actions: inout [Action]) {
    wanted = demand
    if isIdle { settle(at: now, into: &actions) }
  }

  mutating func acknowledged(
    _ command: SetupStep.Command, at now: Instant, into actions: inout [Action]
  ) {
    self.command(at: now, into: &actions) { $0.acknowledged(command, at: now) }
  }

  mutating func refused(
    _ command: SetupStep.Command, at now: Instant, into actions: inout [Action]
  ) {
    self.command(at: now, into: &actions) { $0.refused(command, at: now) }
    let plan = plan
    raise(at: now, into: &actions) {
      command == plan.speedStep(to: $0.to).command ? $0.refused() : .none
    }
  }

  mutating func answered(_ answer: SetupAnswer, at now: Instant, into actions: inout [Action]) {
    command(at: now, into: &actions) { $0.answered(answer, at: now) }
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
    case .idle:
      guard let steps = again.deadlineReached(at: now) else { return }
      queue = (steps + plan.saveSteps).map(Task.step)
      proceed(at: now, into: &actions)
    case .commanding: command(at: now, into: &actions) { $0.deadlineReached(at: now) }
    case .raising: raise(at: now, into: &actions) { $0.deadlineReached(at: now) }
    }
  }

  /// The receiver has lost what it was told: everything is ordered again.
  mutating func receiverReset(at now: Instant, into actions: inout [Action]) {
    beginAnew(at: now, into: &actions)
  }

  /// Everything was done and no position came: everything is ordered again.
  ///
  /// From the second time on in a row it is ordered for another carrier of the position. After the last carrier
  /// refusals are forgotten.
  mutating func positionsMissed(times: Int, at now: Instant, into actions: inout [Action]) {
    if times > 1 {
      if let next = plan.nextCarrier {
        plan.carrier = next
      } else {
        plan.carrier = plan.firstCarrier
        limits.forgetRefusals()
      }
    }
    beginAnew(at: now, into: &actions)
  }

  // MARK: Commands

  private mutating func command(
    at now: Instant, into actions: inout [Action],
    _ input: (inout CommandMachine) -> CommandMachine.Action
  ) {
    guard case .commanding(var machine) = work else { return }
    let action = input(&machine)
    work = .commanding(machine)
    if machine.hasMended, case .done = action {
      mendedCount &+= 1
      let save = plan.saveSteps.map(Task.step)
      if !save.allSatisfy(queue.contains) { queue += save }
    }
    take(action, of: machine.step, at: now, into: &actions)
  }

  private mutating func take(
    _ action: CommandMachine.Action, of step: SetupStep, at now: Instant,
    into actions: inout [Action]
  ) {
    switch action {
    case .none: return
    case .write(let bytes): return actions.append(.write(bytes))
    case .done(let found):
      obeyed(into: &actions)
      done(step, differences: found, into: &actions)
    case .split(let halves):
      obeyed(into: &actions)
      queue.insert(contentsOf: halves.map(Task.step), at: 0)
    case .unsupported:
      obeyed(into: &actions)
      refusedForGood(step, into: &actions)
    case .unanswered:
      prove(step, isTaken: false)
      unansweredCount &+= 1
      unansweredInARow += 1
      if !again.isUnderWay { actions.append(.log(.unanswered(step.name))) }
      again.unanswered(step)
      if !again.isUnderWay, unansweredInARow >= (hasObeyed ? 2 : 1) {
        work = .idle
        queue = []
        return actions.append(.deaf)
      }
    }
    work = .idle
    proceed(at: now, into: &actions)
  }

  private mutating func obeyed(into actions: inout [Action]) {
    unansweredInARow = 0
    if hasObeyed { return }
    hasObeyed = true
    actions.append(.obeyed)
  }

  private mutating func done(
    _ step: SetupStep, differences found: [String], into actions: inout [Action]
  ) {
    for difference in found
    where differences.count < ReceiverLimits.listMax && !differences.contains(difference) {
      differences.append(difference)
      actions.append(.log(.different(difference)))
    }
    prove(step, isTaken: found.isEmpty)
    if let model = step.orderedModel { ordered.model = model }
    if let hasSentences = plan.sentences(after: step), found.isEmpty {
      areSentencesOff = !hasSentences
    }
  }

  /// What was refused stays as it was before, and is not of these.
  private mutating func prove(_ step: SetupStep, isTaken: Bool) {
    if let rateHz = step.orderedRateHz { proven.rateHz = isTaken ? rateHz : nil }
    if let model = step.orderedModel { proven.model = isTaken ? model : nil }
    if plan.carriesPosition(step) { proven.carrier = isTaken ? plan.carrier : nil }
  }

  private mutating func refusedForGood(_ step: SetupStep, into actions: inout [Action]) {
    var isNews = false
    var name = step.name
    if let model = step.orderedModel {
      name = "dynamic model " + model.name
      isNews = limits.refused(model)
      if let fallback = model.fallback { pushFront(plan.modelSteps(fallback)) }
    } else if step.isRate, ordered.rateHz > 1 {
      name = "rate \(ordered.rateHz) Hz"
      let half = ordered.rateHz / 2
      isNews = limits.refusedRate(ordered.rateHz, limit: half)
      ordered.rateHz = half
      pushFront(plan.messageSteps(rateHz: half) + plan.rateSteps(rateHz: half))
    } else {
      isNews = limits.refused(name)
    }
    if isNews { actions.append(.log(.unsupported(name))) }
    if limits.refusesCarrier(of: plan), let next = plan.nextCarrier {
      actions.append(.log(.carrierRefused(plan.carrier, next: next)))
      plan.carrier = next
      pushFront(plan.carrierSteps(rateHz: ordered.rateHz, speed: speed))
    }
  }

  // MARK: The queue

  private mutating func beginAnew(at now: Instant, into actions: inout [Action]) {
    differences = []
    proven = ProvenSetup()
    areSentencesOff = false
    again = UnansweredSteps()
    isChecking = false
    work = .idle
    queue = plan.portSteps(speed: speed).map(Task.step)
    queueDemand(includingAll: true)
    proceed(at: now, into: &actions)
  }

  private mutating func pushFront(_ steps: [SetupStep]) {
    queue.insert(contentsOf: steps.map(Task.step), at: 0)
  }

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

  mutating func proceed(at now: Instant, into actions: inout [Action]) {
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .raise(let target):
        actions.append(.write(plan.speedStep(to: target).order))
        work = .raising(RaiseMachine(from: speed, to: target, at: now))
        return
      case .step(let step):
        guard let step = limits.admitted(step) else { continue }
        actions.append(.write(step.order))
        work = .commanding(CommandMachine(step, patience: patience, at: now))
        return
      case .check(let step):
        guard let step = limits.admitted(step), let question = step.question else { continue }
        actions.append(.write(question))
        work = .commanding(CommandMachine(checking: step, patience: patience, at: now))
        return
      }
    }
    completion = .at(now)
    if again.isNews, !isChecking {
      actions.append(.log(isProven ? .complete(proven) : .incomplete(proven)))
    }
    isChecking = false
    again.everythingElseDone(at: now)
    settle(at: now, into: &actions)
  }

  /// Orders what has come to be wanted since.
  private mutating func settle(at now: Instant, into actions: inout [Action]) {
    queueDemand(includingAll: false)
    if !queue.isEmpty { proceed(at: now, into: &actions) }
  }
}

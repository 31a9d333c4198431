import BinnacleBasics
import UBX

/// Brings a known receiver to the wanted configuration, and keeps it there while the demand changes.
///
///     idle --the demand changes--> commanding, one order after the other --> ... --> idle
///     commanding --the rate needs a faster line--> raising --> commanding the rest
///     raising --answers at neither speed--> lost
///     commanding --the first order unanswered, or two in a row--> deaf
///     idle --a while after an order stayed unanswered, or read back otherwise--> commanding
///
/// A receiver that acknowledges orders and answers no poll is believed: an acknowledged setting counts as taken and not
/// as verified. Sentences that were switched off are marked as owed until a position comes. If the configuration fails,
/// the owner switches the owed sentences on again.
///
/// Settings that a firmware refuses are recorded and not ordered again. If the firmware refuses the position message,
/// another position message is ordered.
struct SetupMachine: Equatable, Codable, Sendable {
  var plan: SetupPlan
  /// The demand of the sequences, within the receiver's limits.
  var wanted: Demand
  /// The last orders.
  var ordered: Demand
  /// The verified part of the orders.
  private(set) var proven = VerifiedConfiguration()
  var limits = ReceiverLimits()
  private var mismatches: [Mismatch] = []
  private(set) var unansweredCount = 0
  /// When the last round of orders was complete.
  private(set) var completion: Completion = .never
  /// Whether sentences are off, as read back from the receiver.
  private(set) var areSentencesOff = false
  var queue: [Task] = []
  var work = Work.idle
  var speed: Int
  private var unansweredInARow = 0
  private var hasObeyed = false
  /// Orders in a row that were acknowledged and could not be read back.
  private var unprovenInARow = 0
  /// Whether the receiver acknowledges orders and answers no question.
  private(set) var answersNoQuestion = false
  /// Whether sentences were switched off, and no solution in UBX has come since.
  private(set) var owesSentences = false
  /// The multiples of tries and waits on a damaged line.
  var effort = LineQuality.Effort.plain
  private var again = UnansweredSteps()
  /// When the last order or question was written.
  private var writtenAt: Instant?
  /// Whether the receiver was reset while an order was in flight.
  var isResetPending = false
  /// Whether the orders are only being read back.
  var isChecking = false
  /// Settings that a check found to differ, and that were ordered again.
  private(set) var mendedCount = 0

  enum Completion: Equatable, Codable, Sendable {
    case never
    case at(Instant)
  }

  /// A setting that differs from its order when it is read back.
  private struct Mismatch: Equatable, Codable, Sendable {
    /// The poll that showed the difference.
    var question: [UInt8]?
    var text: String
  }

  /// The speed that every board's UART carries.
  static let raisedSpeed = 115_200
  /// The bytes that a receiver may send before it answers: two epochs in the default configuration.
  private static let bytesBeforeAnswer: Int64 = 1_500
  /// A NAV-SAT of 32 satellites beside a solution.
  private static let bytesWithoutSentences: Int64 = 600
  /// After this many orders in a row that could not be read back, no more polls are sent.
  private static let unprovenMax = 2

  /// - Parameters:
  ///   - plan: the configuration of this receiver.
  ///   - wanted: the demand of the sequences.
  ///   - speed: the speed of the line.
  ///   - now: the time.
  ///   - actions: gets the orders.
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

  /// The settings that differ from their orders when they are read back.
  var differences: [String] { mismatches.map(\.text) }

  /// Whether the receiver has confirmed the rate, the model and the position message.
  var isProven: Bool {
    proven.rateHz != nil && proven.model != nil && proven.carrier == plan.carrier
  }

  /// Whether the line's speed is being changed, so that silence is normal.
  var isRaising: Bool { if case .raising = work { true } else { false } }

  var nextDeadline: Instant? {
    switch work {
    case .idle: again.nextDeadline
    case .commanding(let command): command.nextDeadline
    case .raising(let raise): raise.nextDeadline
    }
  }

  /// The time limit of an answer.
  private var patience: Interval {
    let bytes =
      areSentencesOff ? SetupMachine.bytesWithoutSentences : SetupMachine.bytesBeforeAnswer
    return .milliseconds(700)
      + Interval(nanoseconds: bytes * 10_000_000_000 / Int64(max(300, speed)))
  }

  // MARK: Inputs

  mutating func demandChanged(_ demand: Demand, at now: Instant, into actions: inout [Action]) {
    wanted = demand
    if isIdle { settle(at: now, into: &actions) }
  }

  mutating func acknowledged(
    _ command: SetupStep.Command, at now: Instant, into actions: inout [Action]
  ) {
    guard mayBeAnswered(at: now) else { return }
    self.command(at: now, into: &actions) { $0.acknowledged(command, at: now) }
  }

  mutating func refused(
    _ command: SetupStep.Command, at now: Instant, into actions: inout [Action]
  ) {
    guard mayBeAnswered(at: now) else { return }
    self.command(at: now, into: &actions) { $0.refused(command, at: now) }
    let plan = plan
    raise(at: now, into: &actions) {
      command == plan.speedStep(to: $0.to).command ? $0.refused() : .none
    }
  }

  mutating func answered(_ answer: SetupAnswer, at now: Instant, into actions: inout [Action]) {
    guard mayBeAnswered(at: now) else { return }
    command(at: now, into: &actions) { $0.answered(answer, at: now) }
  }

  /// Whether an answer may belong to the last order; an answer read at the instant of the order is older.
  private func mayBeAnswered(at now: Instant) -> Bool { writtenAt != now }

  /// An answer arrived; after a change of speed the answer shows that receiver and line have the same speed.
  mutating func identified(at now: Instant, into actions: inout [Action]) {
    raise(at: now, into: &actions) { $0.answered() }
  }

  /// A solution came in UBX: the sentences are not needed.
  mutating func solutionArrived() { owesSentences = false }

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
      // The receiver may answer by now.
      answersNoQuestion = false
      unprovenInARow = 0
      queue = (steps.filter(isStillOrdered) + plan.saveSteps).map(Task.step)
      proceed(at: now, into: &actions)
    case .commanding:
      let effort = effort
      command(at: now, into: &actions) { $0.deadlineReached(effort, at: now) }
    case .raising:
      let tries = 2 * effort.tries
      raise(at: now, into: &actions) { $0.deadlineReached(tries: tries, at: now) }
    }
  }

  // MARK: Commands

  private mutating func command(
    at now: Instant, into actions: inout [Action],
    _ input: (inout CommandMachine) -> CommandMachine.Action
  ) {
    guard case .commanding(var machine) = work else { return }
    let action = input(&machine)
    work = .commanding(machine)
    if isResetPending {
      if action != .none { beginAnew(at: now, into: &actions) }
      return
    }
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
    case .write(let bytes):
      writtenAt = now
      actions.append(.write(bytes))
      return
    case .done(let found):
      obeyed(into: &actions)
      unprovenInARow = 0
      done(step, differences: found, into: &actions)
    case .unproven:
      obeyed(into: &actions)
      unproven(step, into: &actions)
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
    let before = differences
    mismatches.removeAll { $0.question == step.question }
    for text in found where mismatches.count < ReceiverLimits.listMax {
      mismatches.append(Mismatch(question: step.question, text: text))
      if !before.contains(text) { actions.append(.log(.different(text))) }
    }
    if !found.isEmpty { again.readBackOtherwise(step) }
    prove(step, isTaken: found.isEmpty)
    if let model = step.orderedModel { ordered.model = model }
    if let hasSentences = plan.sentences(after: step), found.isEmpty {
      areSentencesOff = !hasSentences
      if hasSentences { owesSentences = false }
    }
  }

  private mutating func unproven(_ step: SetupStep, into actions: inout [Action]) {
    prove(step, isTaken: false)
    if let model = step.orderedModel { ordered.model = model }
    if plan.sentences(after: step) == true { owesSentences = false }
    again.unanswered(step)
    unprovenInARow += 1
    guard unprovenInARow >= SetupMachine.unprovenMax, !answersNoQuestion else { return }
    answersNoQuestion = true
    if !again.isUnderWay { actions.append(.log(.answersNoQuestion)) }
  }

  /// Records whether the receiver has confirmed a step; a refused setting keeps its value and is not passed here.
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

  mutating func beginAnew(at now: Instant, into actions: inout [Action]) {
    mismatches = []
    proven = VerifiedConfiguration()
    areSentencesOff = false
    again = UnansweredSteps()
    isChecking = false
    isResetPending = false
    work = .idle
    queue = plan.portSteps(speed: speed).map(Task.step)
    queueDemand(includingAll: true)
    proceed(at: now, into: &actions)
  }

  private mutating func pushFront(_ steps: [SetupStep]) {
    queue.insert(contentsOf: steps.map(Task.step), at: 0)
  }

  mutating func proceed(at now: Instant, into actions: inout [Action]) {
    if !queue.isEmpty { writtenAt = now }
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .raise(let target):
        actions.append(.write(plan.speedStep(to: target).order))
        work = .raising(BaudRateMachine(from: speed, to: target, at: now))
        return
      case .step(let step):
        guard let step = limits.admitted(step) else { continue }
        actions.append(.write(step.order))
        if plan.sentences(after: step) == false { owesSentences = true }
        work = .commanding(
          CommandMachine(
            step, patience: patience, believesAcknowledgement: answersNoQuestion, at: now))
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
      if isProven {
        actions.append(.log(.complete(proven)))
      } else if !answersNoQuestion {
        actions.append(.log(.incomplete(proven)))
      }
    }
    isChecking = false
    again.everythingElseDone(at: now)
    settle(at: now, into: &actions)
  }

  /// Orders the changes of the demand since the last orders.
  private mutating func settle(at now: Instant, into actions: inout [Action]) {
    queueDemand(includingAll: false)
    if !queue.isEmpty { proceed(at: now, into: &actions) }
  }
}

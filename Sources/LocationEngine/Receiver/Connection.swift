import BinnacleBasics
import UBX

/// A receiver that answers: its identity, its configuration, and the checks that both still hold.
struct Connection: Equatable, Codable, Sendable {
  private(set) var identity: ReceiverIdentity
  /// When the receiver is polled for its name again, while the name is unknown.
  private var nameQuestionAt: Instant
  var setup: SetupMachine
  private(set) var assistance = AssistanceMachine()
  var sleep = SleepMachine()
  private(set) var positions: PositionWatch
  private var silence = SilenceWatch()
  private var reset: ResetWatch

  /// A fault of a receiver that answers.
  enum Sign: Equatable, Sendable {
    /// The receiver has restarted and lost its configuration.
    case reset(ResetWatch.Sign)
    /// The receiver is set up and sends no positions, this many times in a row.
    case positionsMissing(times: Int)
  }

  /// The receiver has just identified itself.
  init(
    _ identity: ReceiverIdentity, demand: Demand, link: ReceiverLink, at now: Instant,
    into actions: inout [SetupMachine.Action]
  ) {
    self.identity = identity
    nameQuestionAt = now + Connection.nameQuestionInterval
    let plan = SetupPlan(identity, port: SetupPlan.Port(link))
    setup = SetupMachine(plan: plan, wanted: demand, speed: link.speed, at: now, into: &actions)
    reset = ResetWatch(at: now)
    positions = PositionWatch(at: now)
  }

  /// One answer of 200 bytes in this time takes a fiftieth of a line at 9600 baud.
  private static let nameQuestionInterval = Interval.seconds(10)

  /// Whether only solutions are expected from the receiver.
  var isSteady: Bool {
    setup.isIdle && !silence.isAsking && !assistance.isBusy && sleep.isAwake
  }

  /// Whether the whole configuration was sent once.
  var isSetUp: Bool { setup.completion != .never }

  /// The receiver is awake after a sleep, or never slept: the receiver's configuration is verified.
  ///
  /// - Parameters:
  ///   - isSettled: whether the receiver was silent before.
  ///   - wanted: the present demand of the sequences.
  ///   - now: the time.
  ///   - actions: gets the orders.
  mutating func woke(
    isSettled: Bool, wanted: Demand, at now: Instant, into actions: inout [SetupMachine.Action]
  ) {
    silence = SilenceWatch()
    positions.waited(at: now)
    if isSettled {
      // Watch for a restart: its uptime, its boot text, and its remaining memory.
      reset = ResetWatch(at: now)
      assistance.receiverReset()
    }
    setup.woke(wanted: wanted, at: now, into: &actions)
  }

  /// The receiver's name arrived late: the settings for a receiver of that name follow.
  mutating func named(
    _ identity: ReceiverIdentity, at now: Instant, into actions: inout [SetupMachine.Action]
  ) {
    self.identity = identity
    setup.named(identity, at: now, into: &actions)
  }

  /// Gives the set-up an input.
  mutating func respond(
    _ actions: inout [SetupMachine.Action],
    _ input: (inout SetupMachine, inout [SetupMachine.Action]) -> Void
  ) {
    input(&setup, &actions)
  }

  /// An epoch was completed, with a fix or without.
  ///
  /// - Returns: whether positions had been missing.
  mutating func positionArrived(at now: Instant) -> Bool {
    positions.positionArrived(at: now)
  }

  /// Takes a message; returns the fault that the message shows, if any.
  mutating func take(
    _ message: Message, at now: Instant, into actions: inout [SetupMachine.Action]
  ) -> Sign? {
    silence.frameArrived()
    // The transfer of a database may fill a slow line for longer than the limit for missing positions.
    if assistance.isPolling { positions.waited(at: now) }
    guard setup.isIdle else {
      positions.waited(at: now)
      answer(message, at: now, into: &actions)
      return uptimeSign(message, at: now)
    }
    if let sign = resetSign(message, at: now) { return .reset(sign) }
    guard let times = positions.otherArrived(setup.effort, at: now) else { return nil }
    return .positionsMissing(times: times)
  }

  private mutating func answer(
    _ message: Message, at now: Instant, into actions: inout [SetupMachine.Action]
  ) {
    switch message {
    case .ackACK(let answer):
      setup.acknowledged(
        .init(messageClass: answer.commandClass, id: answer.commandID), at: now, into: &actions)
    case .ackNAK(let answer):
      setup.refused(
        .init(messageClass: answer.commandClass, id: answer.commandID), at: now, into: &actions)
    case .cfgVALGET(let answer): setup.answered(.values(answer.items), at: now, into: &actions)
    case .cfgPRT(let answer): setup.answered(.port(answer), at: now, into: &actions)
    case .cfgMSG(let answer): setup.answered(.messageRate(answer), at: now, into: &actions)
    case .cfgRATE(let answer):
      setup.answered(
        .navigationPeriod(answer.measurementMilliseconds), at: now, into: &actions)
    case .cfgNAV5(let answer): setup.answered(.model(answer.dynamicModel), at: now, into: &actions)
    case .monVER: setup.identified(at: now, into: &actions)
    case .navSTATUS where setup.effort != .plain: setup.identified(at: now, into: &actions)
    case _: return
    }
  }

  /// During the set-up only the uptime shows a restart: earlier sentences and boot texts may still be on the line.
  private mutating func uptimeSign(_ message: Message, at now: Instant) -> Sign? {
    guard case .navSTATUS = message, let sign = resetSign(message, at: now) else { return nil }
    return .reset(sign)
  }

  private mutating func resetSign(_ message: Message, at now: Instant) -> ResetWatch.Sign? {
    switch message {
    case .navSTATUS(let status): reset.uptimeTold(status.uptimeMilliseconds, at: now)
    case .inf: reset.textArrived(at: now)
    case .nmea: setup.areSentencesOff ? reset.sentenceArrived(at: now) : nil
    case _: nil
    }
  }

  // MARK: Assistance

  /// Passes an input to the assistance, with the facts about the receiver.
  mutating func assist(
    atSpeed speed: Int, at now: Instant, into actions: inout [AssistanceMachine.Action],
    _ input: (
      inout AssistanceMachine, AssistanceMachine.Surroundings, inout [AssistanceMachine.Action]
    ) -> Void
  ) {
    let around = AssistanceMachine.Surroundings(
      identity: identity,
      isSetUp: setup.isIdle && setup.completion != .never && !identity.isPresumed,
      acknowledges: assistance.isConsidering && setup.acknowledgesAssistance, speed: speed)
    input(&assistance, around, &actions)
    assistance.settled(around, at: now, into: &actions)
  }

  mutating func deadlineReached(
    _ link: ReceiverLink, at now: Instant, into actions: inout [SetupMachine.Action]
  ) -> SilenceWatch.Action {
    setup.effort = link.quality.effort
    setup.deadlineReached(at: now, into: &actions)
    if let due = nameDeadline, due <= now {
      nameQuestionAt = now + Connection.nameQuestionInterval
      actions.append(.ask)
    }
    if setup.isRaising || silenceDeadline(link) > now { return .none }
    // A line that carries bytes without a whole message is not silent, so the receiver is polled more often.
    let isHeard = now - link.lastBytes < SilenceWatch.silenceMax(rateHz: setup.ordered.rateHz)
    return silence.deadlineReached(
      lastFrame: link.lastFrame, rateHz: setup.ordered.rateHz,
      questionsMax: isHeard ? 2 * setup.effort.tries : 2, at: now)
  }

  private func silenceDeadline(_ link: ReceiverLink) -> Instant {
    link.silenceDeadline(
      silence.nextDeadline(lastFrame: link.lastFrame, rateHz: setup.ordered.rateHz))
  }

  /// When the receiver is polled for its name; nil if the name is known, and during the set-up.
  private var nameDeadline: Instant? {
    identity.isPresumed && setup.isIdle ? nameQuestionAt : nil
  }

  func nextDeadline(_ link: ReceiverLink) -> Instant {
    if let wakeDue = sleep.nextDeadline { return wakeDue }
    let due = nameDeadline.map { min($0, silenceDeadline(link)) } ?? silenceDeadline(link)
    guard let setupDue = setup.nextDeadline else {
      return assistance.nextDeadline.map { min(due, $0) } ?? due
    }
    let sooner = assistance.nextDeadline.map { min(setupDue, $0) } ?? setupDue
    return setup.isRaising ? sooner : min(due, sooner)
  }
}

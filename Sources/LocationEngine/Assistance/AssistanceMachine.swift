import BinnacleBasics
import BinnacleModel
import UBX

/// Helps one connected receiver to start quickly, and reads its navigation database for the next start.
///
///     waiting --set-up is done--> asking for the chip's number
///     asking --twice no answer--> anonymous: it gets no help, and its database is not read
///     asking --the chip's number--> considering
///     considering --a fix, or it knew the time from the start--> tracking
///     considering --no fix, no time, and data is stored--> giving --all given, or a fix--> tracking
///     tracking --a minute of fixes, then every 10 minutes, while positions are wanted; at the end--> polling
///     polling --done--> tracking
///     any --it was reset--> waiting
///
/// A receiver that knows date and time at its first epoch has kept its memory, which holds newer records of its own.
struct AssistanceMachine: Equatable, Codable, Sendable {
  private var state = State.waiting
  /// Kept after a reset, because the chip is the same.
  private(set) var receiver: ReceiverKey?
  private(set) var refusal: AssistanceMemory.Refusal?
  private var firstEpoch = FirstEpoch.awaited
  /// When the present series of fixes began.
  private var fixesSince: Instant?
  /// The receiver's time at its last fix.
  private var lastTime: UTCTime?
  private var polledAt: Instant?

  private enum State: Equatable, Codable, Sendable {
    case waiting
    case asking(times: Int, until: Instant)
    case anonymous
    case considering
    case giving(AssistanceDelivery)
    case tracking
    case polling(DatabasePoll)
  }

  private enum FirstEpoch: Equatable, Codable, Sendable {
    case awaited
    case knewTheTime
    case knewNothing
  }

  enum Action: Equatable, Sendable {
    case write([UInt8])
    case log(LogLevel, String)
  }

  /// The facts about the connection that the machine needs.
  struct Surroundings {
    let identity: ReceiverIdentity
    let isSetUp: Bool
    /// Whether the receiver has accepted CFG-NAVSPG-ACKAIDING; false unless the machine is considering.
    let acknowledges: Bool
    let speed: Int
  }

  private static let questionsMax = 2
  private static let questionPatience = Interval.milliseconds(1_500)
  /// Most ephemerides are complete by then: each takes 30 s, and all are received at once.
  private static let firstPollAfter = Interval.seconds(60)
  static let pollPeriod = Interval.seconds(600)
  private static let pollsWithoutRecordsMax = 3

  /// Whether the receiver supports assistance; generations before M8 have AID-* instead, which is not used.
  static func isThere(on identity: ReceiverIdentity) -> Bool {
    identity.generation.rawValue >= ReceiverIdentity.Generation.m8.rawValue
  }

  // MARK: State

  /// Whether a message other than solutions is awaited.
  var isBusy: Bool {
    switch state {
    case .waiting, .anonymous, .considering, .tracking: false
    case .asking, .giving, .polling: true
    }
  }

  /// Whether messages have an effect now.
  var takesMessages: Bool {
    switch state {
    case .anonymous, .considering, .tracking: false
    case .waiting, .asking, .giving, .polling: true
    }
  }

  /// Whether the next epoch decides about giving data, which depends on what the receiver acknowledges.
  var isConsidering: Bool { if case .considering = state { true } else { false } }

  var isPolling: Bool { if case .polling = state { true } else { false } }

  var nextDeadline: Instant? {
    switch state {
    case .waiting, .anonymous, .considering, .tracking: nil
    case .asking(_, let until): until
    case .giving(let delivery): delivery.nextDeadline
    case .polling(let poll): poll.nextDeadline
    }
  }

  var inWords: String {
    switch state {
    case .waiting, .asking: "asking which receiver it is"
    case .anonymous: "not for a receiver that has no number"
    case .considering: refusal?.rawValue ?? "not yet decided"
    case .giving: "being given"
    case .tracking, .polling: "not needed any more"
    }
  }

  // MARK: Inputs

  /// Polls the chip's number when the set-up is done and the chip is unknown; called after every event.
  mutating func settled(
    _ around: Surroundings, at now: Instant, into actions: inout [Action]
  ) {
    guard case .waiting = state, around.isSetUp else { return }
    guard AssistanceMachine.isThere(on: around.identity) else { return state = .anonymous }
    guard receiver == nil else { return state = .considering }
    ask(times: 1, at: now, into: &actions)
  }

  /// The receiver has restarted: its memory and the exchange under way are lost.
  mutating func receiverReset() {
    state = .waiting
    firstEpoch = .awaited
    refusal = nil
    fixesSince = nil
  }

  mutating func epochArrived(
    _ solution: NavigationSolution, _ around: Surroundings, _ memory: AssistanceMemory,
    at now: Instant, into actions: inout [Action]
  ) {
    if case .awaited = firstEpoch {
      firstEpoch = solution.utc != nil ? .knewTheTime : .knewNothing
    }
    let hasFix = solution.isFixOK && solution.position != nil
    fixesSince = hasFix ? fixesSince ?? now : nil
    if hasFix { lastTime = solution.utc }
    switch state {
    case .waiting, .asking, .anonymous, .polling: return
    case .considering: consider(hasFix, around, memory, at: now, into: &actions)
    case .giving:
      if hasFix { state = .tracking }
    case .tracking:
      guard memory.isTracking, isPollDue(at: now), around.isSetUp,
        memory.pollsWithoutRecords < AssistanceMachine.pollsWithoutRecordsMax
      else { return }
      poll(memory, isLast: false, at: now, into: &actions)
    }
  }

  mutating func take(
    _ message: Message, _ around: Surroundings, _ memory: inout AssistanceMemory,
    at now: Instant, into actions: inout [Action]
  ) {
    switch (message, state) {
    case (.secUNIQID(let chip), .asking):
      receiver = ReceiverKey(around.identity, chip: chip)
      state = .considering
    case (.mgaDBD(let record), .polling(var poll)):
      poll.recordArrived(record, at: now)
      state = .polling(poll)
    case (.mgaACK(let answer), .polling(let poll)):
      if poll.isEnd(answer) { end(poll, isWhole: true, &memory) }
    case (.mgaACK(let answer), .giving(var delivery)):
      let action = delivery.answered(answer, at: now)
      take(action, of: delivery, &memory, at: now, into: &actions)
    case _: return
    }
  }

  mutating func drained(
    _ memory: inout AssistanceMemory, at now: Instant, into actions: inout [Action]
  ) {
    guard case .giving(var delivery) = state else { return }
    let action = delivery.drained(at: now)
    take(action, of: delivery, &memory, at: now, into: &actions)
  }

  mutating func deadlineReached(
    _ memory: inout AssistanceMemory, at now: Instant, into actions: inout [Action]
  ) {
    guard let due = nextDeadline, due <= now else { return }
    switch state {
    case .waiting, .anonymous, .considering, .tracking: return
    case .asking(let times, _):
      guard times < AssistanceMachine.questionsMax else { return state = .anonymous }
      ask(times: times + 1, at: now, into: &actions)
    case .giving(var delivery):
      let action = delivery.deadlineReached(at: now)
      take(action, of: delivery, &memory, at: now, into: &actions)
    case .polling(let poll): end(poll, isWhole: poll.nextDeadline != poll.limit, &memory)
    }
  }

  /// The daemon stops: the database is polled once more, if fixes have come for a minute since the last poll.
  mutating func stopRequested(
    _ memory: AssistanceMemory, at now: Instant, into actions: inout [Action]
  ) {
    guard case .tracking = state, let fixesSince,
      now - max(fixesSince, polledAt ?? fixesSince) >= AssistanceMachine.firstPollAfter
    else { return }
    poll(memory, isLast: true, at: now, into: &actions)
  }

  // MARK: Decisions

  private mutating func consider(
    _ hasFix: Bool, _ around: Surroundings, _ memory: AssistanceMemory, at now: Instant,
    into actions: inout [Action]
  ) {
    guard let receiver, !hasFix, firstEpoch == .knewNothing else { return state = .tracking }
    guard around.isSetUp else { return }
    switch memory.help(for: receiver, at: now) {
    case .failure(let reason): refusal = reason
    case .success(let help):
      var delivery = AssistanceDelivery(
        help, isAcknowledged: around.acknowledges, speed: around.speed, at: now)
      if case .write(let bytes) = delivery.begin(at: now) { actions.append(.write(bytes)) }
      state = .giving(delivery)
    }
  }

  private func isPollDue(at now: Instant) -> Bool {
    guard let fixesSince, now - fixesSince >= AssistanceMachine.firstPollAfter else {
      return false
    }
    return polledAt.map { now - $0 >= AssistanceMachine.pollPeriod } ?? true
  }

  private mutating func ask(times: Int, at now: Instant, into actions: inout [Action]) {
    state = .asking(times: times, until: now + AssistanceMachine.questionPatience)
    actions.append(.write(Poll(SecUNIQID.self).frame))
  }

  /// Polls the database, unless the receiver has a wrong date, by which the database could not be used.
  private mutating func poll(
    _ memory: AssistanceMemory, isLast: Bool, at now: Instant, into actions: inout [Action]
  ) {
    guard let receiver, let lastTime, !memory.contradicts(lastTime, at: now) else { return }
    polledAt = now
    state = .polling(DatabasePoll(receiver, time: lastTime, isLast: isLast, at: now))
    actions.append(.write(DatabasePoll.question))
  }

  /// Ends a poll; an incomplete database is kept only if the stored database has no more records.
  private mutating func end(
    _ poll: DatabasePoll, isWhole: Bool, _ memory: inout AssistanceMemory
  ) {
    state = .tracking
    let kept = memory.database(of: poll.database.receiver)?.records.count ?? 0
    if poll.database.records.isEmpty {
      memory.pollsWithoutRecords += 1
    } else if isWhole || poll.database.records.count >= kept {
      memory.pollsWithoutRecords = 0
      memory.polled(poll.database)
    }
  }

  private mutating func take(
    _ action: AssistanceDelivery.Action, of delivery: AssistanceDelivery,
    _ memory: inout AssistanceMemory, at now: Instant, into actions: inout [Action]
  ) {
    state = .giving(delivery)
    switch action {
    case .none: return
    case .write(let bytes): actions.append(.write(bytes))
    case .done:
      state = .tracking
      let account = AssistanceMemory.Account(delivery, at: now)
      memory.helped(account)
      actions.append(.log(.info, account.line))
    }
  }
}

extension AssistanceMemory.Account {
  fileprivate init(_ delivery: AssistanceDelivery, at now: Instant) {
    receiver = delivery.help.database.receiver
    at = now
    age = delivery.help.age
    uncertaintyMeters = delivery.help.uncertaintyMeters
    count = delivery.count
    isAcknowledged = delivery.isAcknowledged
  }

  /// One line for the log, without a place.
  fileprivate var line: String {
    let minutes = max(0, age.nanoseconds) / 60_000_000_000
    let taken = isAcknowledged ? "\(count.taken) of them taken" : "it does not say what it took"
    let given = CountText.words(count.given, "record")
    return "it got the time, a position and \(given) of its own from \(minutes) min "
      + "ago, \(taken)"
  }
}

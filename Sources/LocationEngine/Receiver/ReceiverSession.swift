import BinnacleBasics
import UBX

/// The exchange with the receiver while the device is open.
///
///     searching --identity--> connected
///     searching --whole frames, no answer--> reading: a source that only sends
///     reading --identity--> connected
///     reading --silence--> searching
///     connected --silence, no answer to two questions--> searching
///     connected --answers no orders--> reading
struct ReceiverSession: Equatable, Codable, Sendable {
  var link: ReceiverLink
  /// The receiver, while it is known and answers.
  ///
  /// The connection is large and changes with every message. The connection is therefore a property that is changed in
  /// place. `listenOnly` has no meaning while there is a connection.
  var connection: InPlace<Connection>?
  var listenOnly: ListenOnlySession
  /// Whether only the line to EXTINT wakes the receiver, as a test of the line.
  var provesLine = false
  /// The message of the last position, while positions come.
  var positionSource: NavigationSolution.Source?
  /// Until when bytes are read at once, for the answer to a poll of the satellites.
  var skyAwaitedUntil: Instant?

  /// The activity while no receiver answers.
  enum ListenOnlySession: Equatable, Codable, Sendable {
    case searching(SearchMachine)
    case reading(ReadOnlySource)
  }

  /// The device was opened.
  init(
    _ port: Event.ReceiverPort, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    link = ReceiverLink(port, at: now)
    listenOnly = .searching(SearchMachine(speed: port.speed, others: [], at: now))
    search(memory: &memory, at: now, into: &effects)
  }

  /// Whether a receiver is known and answers.
  ///
  /// Compares by pattern: a comparison with nil compares, and copies, whole connections.
  var isConnected: Bool {
    if case .some = connection { true } else { false }
  }

  // MARK: Input

  mutating func take(
    _ message: Message, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    link.frameArrived(at: now)
    guard !isConnected else {
      if connection?.value.sleep.isAwake == false {
        return frameOfSleeperArrived(memory: &memory, at: now, into: &effects)
      }
      var actions: [SetupMachine.Action] = []
      if connection?.value.identity.isPresumed == true, case .monVER(let version) = message {
        named(ReceiverIdentity(version), memory: &memory, at: now, &actions, &effects)
      }
      let sign = connection?.value.take(message, at: now, into: &actions)
      switch sign {
      case nil: break
      case .reset(let reset): restart(after: reset, &memory, at: now, &actions, &effects)
      case .positionsMissing(let times):
        retry(afterTimes: times, &memory, at: now, &actions, &effects)
      }
      perform(actions, memory: &memory, at: now, into: &effects)
      guard connection?.value.assistance.takesMessages == true else { return }
      return assist(&memory, at: now, &effects) {
        $0.take(message, $1, &$2, at: now, into: &$3)
      }
    }
    switch listenOnly {
    case .searching(var search):
      let action = search.frameArrived(at: now)
      listenOnly = .searching(search)
      if !search.isPausing, let identity = identity(in: message) {
        return connect(identity, memory: &memory, at: now, into: &effects)
      }
      take(action, of: search, memory: &memory, at: now, into: &effects)
    case .reading(let source):
      if source.isAnswerAwaited(at: now), let identity = identity(in: message) {
        connect(identity, memory: &memory, at: now, into: &effects)
      }
    }
  }

  /// An epoch was completed, with a fix or without.
  mutating func positionArrived(
    _ solution: NavigationSolution, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    positionSource = solution.source
    if solution.source != .nmea { solutionInUBXArrived(memory: &memory, at: now, into: &effects) }
    if connection?.value.positionArrived(at: now) == true {
      effects.append(.log(.notice, "receiver: positions come again"))
    }
    assist(&memory, at: now, &effects) {
      $0.epochArrived(solution, $1, $2, at: now, into: &$3)
    }
  }

  /// A read was parsed.
  mutating func bytesRead(
    _ count: Int, streamEnd: Int, frameOffset: Int, bytesAwaited: Int, damageOccurrences: Int,
    epochMilliseconds: UInt32?, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    link.bytesRead(
      count, streamEnd: streamEnd, frameOffset: frameOffset, bytesAwaited: bytesAwaited,
      damageOccurrences: damageOccurrences, epochMilliseconds: epochMilliseconds,
      patience: patience(at: now), at: now)
    if isConnected { connection?.value.setup.effort = link.quality.effort }
    guard !isConnected, case .searching(var search) = listenOnly else { return }
    let action = search.bytesArrived(count, isWithinFrame: bytesAwaited > 0, at: now)
    listenOnly = .searching(search)
    take(action, of: search, memory: &memory, at: now, into: &effects)
  }

  /// The bytes that the reader of the line may wait for.
  private func patience(at now: Instant) -> WakeupPredictor.Patience {
    if let until = skyAwaitedUntil, now < until { return .withinFrames }
    if let isSteady = connection?.value.isSteady {
      return isSteady ? .betweenSolutions : .withinFrames
    }
    return switch listenOnly {
    case .searching: .none
    case .reading: .betweenSolutions
    }
  }

  private mutating func restart(
    after sign: ResetWatch.Sign, _ memory: inout ReceiverMemory, at now: Instant,
    _ actions: inout [SetupMachine.Action], _ effects: inout [Effect]
  ) {
    memory.counters.resets &+= 1
    effects.append(.log(.notice, "receiver: it was reset (\(sign.rawValue)); configuring again"))
    connection?.value.setup.receiverReset(at: now, into: &actions)
    assist(&memory, at: now, &effects) { assistance, _, _, _ in assistance.receiverReset() }
  }

  private mutating func retry(
    afterTimes times: Int, _ memory: inout ReceiverMemory, at now: Instant,
    _ actions: inout [SetupMachine.Action], _ effects: inout [Effect]
  ) {
    memory.counters.positionLosses &+= 1
    positionSource = nil
    connection?.value.setup.positionsMissed(times: times, at: now, into: &actions)
    guard let carrier = connection?.value.setup.plan.carrier else { return }
    effects.append(
      .log(
        .warning,
        "receiver: it is configured, but sends no positions; configuring it again, for \(carrier.name)"
      ))
  }

  // MARK: The line

  mutating func drained(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    setup(&memory, at: now, &effects) { $0.drained(at: now, into: &$1) }
    assist(&memory, at: now, &effects) { $0.drained(&$2, at: now, into: &$3) }
  }

  mutating func speedChanged(
    _ speed: Int, memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    link.speedChanged(speed, at: now)
    setup(&memory, at: now, &effects) { $0.speedChanged(at: now, into: &$1) }
    search(&memory, at: now, &effects) { $0.speedChanged(at: now) }
  }

  mutating func speedRefused(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    setup(&memory, at: now, &effects) { $0.speedRefused(at: now, into: &$1) }
    search(&memory, at: now, &effects) { $0.speedRefused(at: now) }
  }

  mutating func demandChanged(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    // A sleeping receiver gets its configuration when it is awake.
    if connection?.value.sleep.isAwake == false { return }
    let demand = memory.demand
    setup(&memory, at: now, &effects) { $0.demandChanged(demand, at: now, into: &$1) }
  }

  private mutating func setup(
    _ memory: inout ReceiverMemory, at now: Instant, _ effects: inout [Effect],
    _ input: (inout SetupMachine, inout [SetupMachine.Action]) -> Void
  ) {
    guard isConnected else { return }
    var actions: [SetupMachine.Action] = []
    connection?.value.respond(&actions, input)
    perform(actions, memory: &memory, at: now, into: &effects)
  }

  private mutating func search(
    _ memory: inout ReceiverMemory, at now: Instant, _ effects: inout [Effect],
    _ input: (inout SearchMachine) -> SearchMachine.Action
  ) {
    guard !isConnected, case .searching(var search) = listenOnly else { return }
    let action = input(&search)
    listenOnly = .searching(search)
    take(action, of: search, memory: &memory, at: now, into: &effects)
  }

  // MARK: Time

  /// Whether to abandon the frame under way, since its rest does not arrive or the search continues without it.
  mutating func givesUpPartial(at now: Instant) -> Bool {
    if link.givesUpPartial(at: now) { return true }
    guard !isConnected, case .searching(let search) = listenOnly else { return false }
    return search.nextDeadline <= now
  }

  /// A frame was given up, and the bytes that it had hidden were parsed.
  mutating func partialAbandoned(frameOffset: Int, bytesAwaited: Int) {
    link.partialAbandoned(frameOffset: frameOffset, bytesAwaited: bytesAwaited)
  }

  mutating func deadlineReached(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    guard !isConnected else {
      return connectionDeadlineReached(memory: &memory, at: now, into: &effects)
    }
    switch listenOnly {
    case .searching(let before):
      let effort = link.quality.effort
      search(&memory, at: now, &effects) { $0.deadlineReached(effort, at: now) }
      if before.isPausing, case .searching(let after) = listenOnly, !after.isPausing {
        memory.counters.searches &+= 1
      }
    case .reading(var source):
      restoreSentences(memory: &memory, at: now, into: &effects)
      withdrawSentences(memory: &memory, at: now, into: &effects)
      let action = source.deadlineReached(link, at: now)
      listenOnly = .reading(source)
      switch action {
      case .none: return
      case .ask:
        if source.hasNoRoomForAnswers { makeRoomForAnswers(into: &effects) }
        ask(memory: &memory, at: now, into: &effects)
      case .silent: silent(memory: &memory, at: now, into: &effects)
      }
    }
  }

  private mutating func connectionDeadlineReached(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    if connection?.value.sleep.isAwake == false {
      return sleepDeadlineReached(memory: &memory, at: now, into: &effects)
    }
    var actions: [SetupMachine.Action] = []
    let silence = connection?.value.deadlineReached(link, at: now, into: &actions)
    perform(actions, memory: &memory, at: now, into: &effects)
    assist(&memory, at: now, &effects) { $0.deadlineReached(&$2, at: now, into: &$3) }
    switch silence {
    case nil, .some(.none): return
    case .ask: ask(memory: &memory, at: now, into: &effects)
    case .lost:
      if isConnected { silent(memory: &memory, at: now, into: &effects) }
    }
  }

  /// The next deadline while no receiver answers.
  func listenOnlyDeadline(_ memory: ReceiverMemory) -> Instant? {
    switch listenOnly {
    case .searching(let search): earlier(search.nextDeadline, link.nextDeadline)
    case .reading(let source):
      earlier(
        earlier(source.nextDeadline(link), link.nextDeadline),
        memory.sentenceRestorer?.nextDeadline(speed: link.speed))
    }
  }

  // MARK: Performing

  mutating func perform(
    _ actions: [SetupMachine.Action], memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    if actions.isEmpty { return }
    link.becameUrgent()
    for action in actions {
      switch action {
      case .write(let bytes): effects.append(.receiver(.write(bytes)))
      case .ask: ask(memory: &memory, at: now, into: &effects)
      case .changeSpeed(let speed): effects.append(.receiver(.setSpeed(speed)))
      case .settledAt(let speed): remember(speed, memory: &memory)
      case .log(let word): effects.append(.log(word.level, "receiver: " + word.line))
      case .obeyed:
        if memory.deafTimes > 0 {
          effects.append(.log(.notice, "receiver: it answers orders now"))
        }
        memory.deafTimes = 0
      case .lost:
        effects.append(.log(.notice, "receiver: it does not answer at any speed, searching"))
        return search(memory: &memory, at: now, into: &effects)
      case .deaf:
        return deaf(memory: &memory, at: now, into: &effects)
      }
    }
  }
}

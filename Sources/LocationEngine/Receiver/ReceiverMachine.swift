import Basics
import UBX

/// The driver of a u-blox receiver, from opening its device to solutions at the rate that is wanted.
///
///     idle --started--> opening --opened--> searching --answers who it is--> connected
///     opening --failed--> closed --1 s, 2 s, 5 s--> opening
///     searching --whole frames, no answer--> reading: a source that only sends
///     reading --answers after all--> connected
///     reading --silence--> searching
///     connected --silence, no answer to two questions--> searching
///     connected --streams and does not answer--> reading
///     any open state --device lost--> closed
///
/// It asks for what it needs by effects and answers with solutions; what is worth a line goes to the log once,
/// not at each try.
public struct ReceiverMachine: Equatable, Codable, Sendable {
  private(set) var state = State.idle
  private(set) var decoder = StreamDecoder(publication: .whenPositioned)
  private(set) var security = SecurityWatch()
  private(set) var counters = Counters()
  private(set) var demand = Demand.idle
  /// The speed at which a receiver answered last.
  private(set) var lastSpeed: LastSpeed
  /// What was said of the device last, so that it is not said again.
  private var fault = FaultSaid.none

  enum State: Equatable, Codable, Sendable {
    case idle
    case opening(until: Instant, tries: Int)
    case closed(until: Instant, tries: Int)
    case open(ReceiverLink, Phase)
  }

  enum Phase: Equatable, Codable, Sendable {
    case searching(SearchMachine)
    case connected(Connection)
    case reading(ReadOnlySource)
  }

  enum LastSpeed: Equatable, Codable, Sendable {
    case unknown
    case baud(Int)
  }

  private enum FaultSaid: Equatable, Codable, Sendable {
    case none
    case said(Event.ReceiverFault)
  }

  /// What happened how often since the start.
  struct Counters: Equatable, Codable, Sendable {
    var openings = 0
    var searches = 0
    var resets = 0
    var solutions = 0
    var frames = 0
    var partialFramesGivenUp = 0
  }

  init(lastSpeed: Int?) {
    self.lastSpeed = lastSpeed.map { .baud(min(max($0, 300), 4_000_000)) } ?? .unknown
  }

  // MARK: The device

  mutating func started(at now: Instant, into effects: inout [Effect]) {
    guard case .idle = state else { return }
    open(tries: 0, at: now, into: &effects)
  }

  mutating func opened(
    _ port: Event.ReceiverPort, at now: Instant, into effects: inout [Effect]
  ) {
    counters.openings &+= 1
    fault = .none
    var port = port
    port.speed = min(max(port.speed, 300), 4_000_000)
    effects.append(.log(.info, "receiver: device opened at \(port.speed) baud"))
    search(ReceiverLink(port, at: now), at: now, into: &effects)
  }

  mutating func openFailed(
    _ reason: Event.ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) {
    let tries: Int
    switch state {
    case .opening(_, let count), .closed(_, let count): tries = min(count + 1, 1_000)
    case .idle, .open: tries = 1
    }
    say(reason, "cannot be opened", into: &effects)
    state = .closed(until: now + ReceiverMachine.pause(afterTries: tries), tries: tries)
  }

  mutating func lost(
    _ reason: Event.ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) {
    say(reason, "was lost", into: &effects)
    forgetStream()
    state = .closed(until: now + ReceiverMachine.pause(afterTries: 1), tries: 1)
  }

  private mutating func open(tries: Int, at now: Instant, into effects: inout [Effect]) {
    let speed =
      switch lastSpeed {
      case .unknown: SearchMachine.speeds[0]
      case .baud(let speed): speed
      }
    effects.append(.openReceiver(speed: speed))
    state = .opening(until: now + .seconds(10), tries: tries)
  }

  private static func pause(afterTries tries: Int) -> Interval {
    switch tries {
    case ...1: .seconds(1)
    case 2: .seconds(2)
    default: .seconds(5)
    }
  }

  private mutating func say(
    _ reason: Event.ReceiverFault, _ what: String, into effects: inout [Effect]
  ) {
    guard fault != .said(reason) else { return }
    fault = .said(reason)
    effects.append(
      .log(.warning, "receiver: the device \(what): \(reason.text); trying again until it works"))
  }

  // MARK: Bytes

  /// Takes bytes; answers the navigation solutions that they complete.
  mutating func bytesArrived(
    _ bytes: [UInt8], at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    guard case .open(let link, let phase) = state else { return [] }
    // An epoch that was cut off by a pause must not come out as fresh when the stream goes on.
    if now - link.lastBytes > SessionTable.freshnessMax { forgetStream() }
    if case .searching(var search) = phase {
      search.bytesArrived(at: now)
      state = .open(link, .searching(search))
    }
    decoder.append(bytes)
    let solutions = drain(at: now, into: &effects)
    guard case .open(var link, let phase) = state else { return solutions }
    link.bytesRead(
      bytes.count, frameOffset: decoder.frameOffset, bytesAwaited: decoder.bytesAwaited,
      epochMilliseconds: solutions.last { $0.source == .navPVT }?.iTOWMilliseconds,
      patience: phase.patience, at: now)
    state = .open(link, phase)
    return solutions
  }

  /// Drops what waits in the decoder: the frame and the epoch at hand.
  private mutating func forgetStream() {
    decoder.finish()
    while decoder.next() != nil {}
  }

  private mutating func drain(
    at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    var solutions: [NavigationSolution] = []
    while let reception = decoder.next() {
      switch reception {
      case .message(let message): take(message, at: now, into: &effects)
      case .solution(let solution):
        guard isWanted(solution) else { continue }
        counters.solutions &+= 1
        solutions.append(solution)
      }
    }
    return solutions
  }

  /// Sentences count only where nothing better comes; a receiver that will be told to send UBX is waited for.
  private func isWanted(_ solution: NavigationSolution) -> Bool {
    guard solution.source == .nmea else { return true }
    if case .open(_, .reading) = state { return true }
    return false
  }

  // MARK: Messages

  private mutating func take(
    _ message: Message, at now: Instant, into effects: inout [Effect]
  ) {
    guard case .open(var link, let phase) = state else { return }
    counters.frames &+= 1
    link.frameArrived(at: now)
    state = .open(link, phase)
    switch phase {
    case .searching(var search):
      let action = search.frameArrived(at: now)
      state = .open(link, .searching(search))
      if case .monVER(let version) = message, !search.isPausing {
        return connect(link, version, at: now, into: &effects)
      }
      take(action, link, search, at: now, into: &effects)
    case .reading(let source):
      if case .monVER(let version) = message, source.isAnswerAwaited(at: now) {
        connect(link, version, at: now, into: &effects)
      }
    case .connected(var connection):
      var actions: [SetupMachine.Action] = []
      let sign = connection.take(message, at: now, into: &actions)
      state = .open(link, .connected(connection))
      if let sign { noticed(sign, at: now, into: &actions, effects: &effects) }
      perform(actions, at: now, into: &effects)
    }
    watch(message, at: now, into: &effects)
  }

  private mutating func watch(
    _ message: Message, at now: Instant, into effects: inout [Effect]
  ) {
    let beginnings: [SecurityWatch.Beginning]
    switch message {
    case .navSTATUS(let status): beginnings = security.statusArrived(status, at: now)
    case .secSIG(let signal): beginnings = security.signalArrived(signal, at: now)
    case _: return
    }
    for beginning in beginnings {
      switch beginning {
      case .spoofing: effects.append(.log(.warning, "receiver: it indicates spoofing"))
      case .jamming: effects.append(.log(.warning, "receiver: it indicates jamming"))
      }
    }
  }

  private mutating func noticed(
    _ sign: ResetWatch.Sign, at now: Instant, into actions: inout [SetupMachine.Action],
    effects: inout [Effect]
  ) {
    guard case .open(let link, .connected(var connection)) = state else { return }
    counters.resets &+= 1
    effects.append(.log(.notice, "receiver: it was reset (\(sign.rawValue)); configuring again"))
    connection.setup.receiverReset(at: now, into: &actions)
    state = .open(link, .connected(connection))
  }

  // MARK: The line

  mutating func drained(at now: Instant, into effects: inout [Effect]) {
    setup(at: now, into: &effects) { $0.drained(at: now, into: &$1) }
  }

  mutating func speedChanged(_ speed: Int, at now: Instant, into effects: inout [Effect]) {
    guard case .open(var link, let phase) = state else { return }
    // An epoch whose end was not heard would come out when the next one begins, seconds old.
    forgetStream()
    link.speedChanged(min(max(speed, 300), 4_000_000))
    state = .open(link, phase)
    switch phase {
    case .reading: return
    case .connected: setup(at: now, into: &effects) { $0.speedChanged(at: now, into: &$1) }
    case .searching(var search):
      let action = search.speedChanged(at: now)
      take(action, link, search, at: now, into: &effects)
    }
  }

  mutating func speedRefused(_ speed: Int, at now: Instant, into effects: inout [Effect]) {
    guard case .open(let link, let phase) = state else { return }
    switch phase {
    case .reading: return
    case .connected: setup(at: now, into: &effects) { $0.speedRefused(at: now, into: &$1) }
    case .searching(var search):
      let action = search.speedRefused(at: now)
      take(action, link, search, at: now, into: &effects)
    }
  }

  // MARK: Demand

  mutating func demandChanged(
    _ demand: Demand, at now: Instant, into effects: inout [Effect]
  ) {
    guard demand != self.demand else { return }
    self.demand = demand
    setup(at: now, into: &effects) { $0.demandChanged(demand, at: now, into: &$1) }
  }

  private mutating func setup(
    at now: Instant, into effects: inout [Effect],
    _ input: (inout SetupMachine, inout [SetupMachine.Action]) -> Void
  ) {
    guard case .open(let link, .connected(var connection)) = state else { return }
    var actions: [SetupMachine.Action] = []
    input(&connection.setup, &actions)
    state = .open(link, .connected(connection))
    perform(actions, at: now, into: &effects)
  }

  // MARK: Time

  /// Does what is due; answers the solutions that a frame given up had hidden.
  mutating func deadlineReached(
    at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    switch state {
    case .idle: return []
    case .closed(let until, let tries), .opening(let until, let tries):
      if until <= now { open(tries: tries, at: now, into: &effects) }
      return []
    case .open(var link, let phase):
      var solutions: [NavigationSolution] = []
      var isSearchDue = false
      if case .searching(let search) = phase { isSearchDue = search.nextDeadline <= now }
      if link.givesUpPartial(at: now) || isSearchDue {
        state = .open(link, phase)
        if decoder.bytesAwaited > 0 { counters.partialFramesGivenUp &+= 1 }
        decoder.abandonPartialFrame()
        solutions = drain(at: now, into: &effects)
      }
      phaseDeadlineReached(at: now, into: &effects)
      return solutions
    }
  }

  private mutating func phaseDeadlineReached(at now: Instant, into effects: inout [Effect]) {
    guard case .open(let link, let phase) = state else { return }
    switch phase {
    case .searching(var search):
      let action = search.deadlineReached(at: now)
      take(action, link, search, at: now, into: &effects)
    case .reading(var source):
      let action = source.deadlineReached(lastFrame: link.lastFrame, at: now)
      state = .open(link, .reading(source))
      switch action {
      case .none: return
      case .ask: ask(into: &effects)
      case .silent:
        effects.append(.log(.notice, "receiver: it has fallen silent, searching"))
        search(link, at: now, into: &effects)
      }
    case .connected(var connection):
      var actions: [SetupMachine.Action] = []
      let silence = connection.deadlineReached(lastFrame: link.lastFrame, at: now, into: &actions)
      state = .open(link, .connected(connection))
      perform(actions, at: now, into: &effects)
      switch silence {
      case .none: return
      case .ask: ask(into: &effects)
      case .lost:
        guard case .open(let link, .connected) = state else { return }
        effects.append(.log(.notice, "receiver: it has fallen silent, searching"))
        search(link, at: now, into: &effects)
      }
    }
  }

  var nextDeadline: Instant? {
    switch state {
    case .idle: return nil
    case .closed(let until, _), .opening(let until, _): return until
    case .open(let link, let phase):
      let due =
        switch phase {
        case .searching(let search): search.nextDeadline
        case .reading(let source): source.nextDeadline(lastFrame: link.lastFrame)
        case .connected(let connection): connection.nextDeadline(lastFrame: link.lastFrame)
        }
      return link.nextDeadline.map { min($0, due) } ?? due
    }
  }

  var quietUntil: Instant? {
    guard case .open(let link, _) = state else { return nil }
    return link.rhythm.quietUntil
  }

  // MARK: Searching and connecting

  private mutating func search(
    _ link: ReceiverLink, at now: Instant, into effects: inout [Effect]
  ) {
    counters.searches &+= 1
    var others = link.kind == .usb ? [] : SearchMachine.speeds
    if case .baud(let speed) = lastSpeed, link.kind != .usb { others.insert(speed, at: 0) }
    var link = link
    link.becameUrgent()
    let search = SearchMachine(speed: link.speed, others: others, at: now)
    state = .open(link, .searching(search))
    ask(into: &effects)
  }

  private mutating func take(
    _ action: SearchMachine.Action, _ link: ReceiverLink, _ search: SearchMachine,
    at now: Instant, into effects: inout [Effect]
  ) {
    state = .open(link, .searching(search))
    switch action {
    case .none: return
    case .ask: ask(into: &effects)
    case .change(let speed): effects.append(.setReceiverSpeed(speed))
    case .pause(let isFirst):
      effects.append(.setReceiverSpeed(search.speed))
      if isFirst {
        effects.append(
          .log(.warning, "receiver: no answer at any speed; is it powered and wired? trying on"))
      }
    case .read(let speed, let ignoresSpeed):
      var link = link
      if ignoresSpeed { link.speedProvedMeaningless() }
      read(link, at: now, into: &effects)
      if speed != link.speed { effects.append(.setReceiverSpeed(speed)) }
    }
  }

  private mutating func read(
    _ link: ReceiverLink, at now: Instant, into effects: inout [Effect]
  ) {
    var link = link
    link.restartedWaiting(at: now)
    state = .open(link, .reading(ReadOnlySource(at: now)))
    effects.append(
      .log(.warning, "receiver: it sends but does not answer; reading only, nothing is configured"))
  }

  private mutating func connect(
    _ link: ReceiverLink, _ version: MonVER, at now: Instant, into effects: inout [Effect]
  ) {
    let identity = ReceiverIdentity(version)
    effects.append(.log(.info, "receiver: \(identity.summary), at \(link.speed) baud"))
    remember(link.speed, into: &effects)
    var actions: [SetupMachine.Action] = []
    let connection = Connection(
      identity, demand: demand, link: link, at: now, into: &actions)
    state = .open(link, .connected(connection))
    perform(actions, at: now, into: &effects)
  }

  private mutating func remember(_ speed: Int, into effects: inout [Effect]) {
    guard lastSpeed != .baud(speed) else { return }
    lastSpeed = .baud(speed)
    effects.append(.rememberReceiverSpeed(speed))
  }

  private func ask(into effects: inout [Effect]) {
    effects.append(.writeReceiver(ReceiverMachine.question))
  }

  /// Bytes that a sleeping receiver may lose while it wakes, then the request for its version.
  static let question = [UInt8](repeating: 0xFF, count: 8) + Poll(MonVER.self).frame

  // MARK: Performing

  private mutating func perform(
    _ actions: [SetupMachine.Action], at now: Instant, into effects: inout [Effect]
  ) {
    guard !actions.isEmpty, case .open(var link, let phase) = state else { return }
    link.becameUrgent()
    state = .open(link, phase)
    for action in actions {
      switch action {
      case .write(let bytes): effects.append(.writeReceiver(bytes))
      case .ask: ask(into: &effects)
      case .changeSpeed(let speed): effects.append(.setReceiverSpeed(speed))
      case .settledAt(let speed): remember(speed, into: &effects)
      case .log(let word): effects.append(.log(word.level, "receiver: " + word.line))
      case .lost:
        effects.append(.log(.notice, "receiver: it does not answer at any speed, searching"))
        return search(link, at: now, into: &effects)
      case .deaf:
        return read(link, at: now, into: &effects)
      }
    }
  }
}

extension ReceiverMachine.Phase {
  /// What the reader of the line may wait for.
  fileprivate var patience: EpochRhythm.Patience {
    switch self {
    case .searching: .none
    case .reading: .betweenSolutions
    case .connected(let connection): connection.isSteady ? .betweenSolutions : .withinFrames
    }
  }
}

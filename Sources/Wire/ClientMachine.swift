public import BinnacleBasics
public import BinnacleModel

/// The client side of the protocol: it greets, sends requests, and reconnects without limit after the daemon has gone.
///
///     idle -> connecting -> greeting -> ready
///                ^   |         |          |
///                |   v         v          v
///                +- waiting <--+----------+
///
/// After a reconnect the machine opens all open sequences again, in order, and repeats unanswered requests.
/// After `.hangUp` the connection counts as closed: the machine expects no `disconnected` for it.
public struct ClientMachine: Equatable, Sendable {
  /// The longest delay before a new attempt.
  public static let backOffMax = ReconnectDelay.max
  /// The time-out of the daemon's answer to the greeting.
  public static let greetingTimeMax = Interval.seconds(5)

  private enum State: Equatable, Sendable {
    case idle
    case connecting
    case greeting(until: Instant)
    case ready(since: Instant, version: UInt16)
    case waiting(until: Instant)
  }

  private struct Sequence: Equatable, Sendable {
    var id: SequenceID
    var configuration: LiveConfiguration
    /// Whether the app wants the approximate location.
    var options: SequenceOptions
  }

  private struct Session: Equatable, Sendable {
    var id: SessionID
    var session: AppSession
  }

  private struct Request: Equatable, Sendable {
    var number: UInt32
    var subject: ClientRequest
  }

  private let program: String
  private let role: ClientRole
  private var random: Random
  private var state = State.idle
  private var delay = ReconnectDelay()
  private var sequences: [Sequence] = []
  private var sessions: [Session] = []
  private var isAuthorizationWatched = false
  private var areButtonsWatched = false
  private var isPhaseWatched = false
  private var requests: [Request] = []
  private var lastSequenceNumber: UInt32 = 0
  private var lastSessionNumber: UInt32 = 0
  private var lastRequestNumber: UInt32 = 0

  /// Makes a machine that has not been started.
  ///
  /// - Parameters:
  ///   - program: the name that `binnacle status` shows for this client.
  ///   - role: the role that the client asks for.
  ///   - seed: a random seed that spreads the reconnects of many clients of the same daemon.
  public init(program: String, role: ClientRole = .app, seed: UInt64) {
    self.program = program
    self.role = role
    random = Random(seed: seed)
  }

  /// Whether the daemon has answered the greeting.
  public var isReady: Bool {
    if case .ready = state { true } else { false }
  }

  /// The version of the protocol in use; nil until the daemon has answered the greeting.
  public var version: UInt16? {
    if case .ready(_, let version) = state { version } else { nil }
  }

  /// The next call time of `deadlineReached`; nil if there is no deadline.
  public var nextDeadline: Instant? {
    switch state {
    case .idle, .connecting, .ready: nil
    case .greeting(let until), .waiting(let until): until
    }
  }

  // MARK: The connection

  public mutating func started(at now: Instant) -> [Action] {
    guard state == .idle else { return [] }
    state = .connecting
    return [.connect]
  }

  public mutating func connected(at now: Instant) -> [Action] {
    guard state == .connecting else { return [] }
    state = .greeting(until: now + ClientMachine.greetingTimeMax)
    let hello = ClientMessage.Hello(
      versionMin: role.versionMin,
      versionMax: WireLimits.versionMax, program: program, role: role)
    return [.send(ClientMessage.hello(hello).encoded())]
  }

  public mutating func connectFailed(at now: Instant) -> [Action] {
    guard state == .connecting else { return [] }
    wait(at: now)
    return []
  }

  public mutating func disconnected(at now: Instant) -> [Action] {
    switch state {
    case .idle, .waiting: break
    case .connecting, .greeting, .ready: wait(at: now)
    }
    return []
  }

  public mutating func deadlineReached(at now: Instant) -> [Action] {
    switch state {
    case .waiting(let until) where until <= now:
      state = .connecting
      return [.connect]
    case .greeting(let until) where until <= now:
      return hangUp(at: now)
    case .idle, .connecting, .greeting, .ready, .waiting:
      return []
    }
  }

  // MARK: Requests

  /// Opens a sequence, now or after the next connection.
  ///
  /// A daemon before version 7 has no sequences with reduced accuracy by the app's wish, and sends exact locations. A daemon
  /// before version 12 has no searches; such a search is a sequence with the default configuration.
  public mutating func openUpdates(
    _ configuration: LiveConfiguration, _ options: SequenceOptions = [], at now: Instant
  ) -> (SequenceID, [Action]) {
    lastSequenceNumber &+= 1
    let id = SequenceID(number: lastSequenceNumber)
    let sequence = Sequence(id: id, configuration: configuration, options: options)
    sequences.append(sequence)
    return (id, version.map { [opening(sequence, version: $0)] } ?? [])
  }

  private func opening(_ sequence: Sequence, version: UInt16) -> Action {
    let (id, isReduced) = (sequence.id, sequence.options.contains(.reduced))
    var messages = [ClientMessage.openUpdates(id, sequence.configuration)]
    if isReduced { messages.append(.openReducedUpdates(id, sequence.configuration)) }
    if sequence.options.contains(.search) { messages.append(.openSearch(id, isReduced: isReduced)) }
    // The last one is closest to the wish of the app; the first one is known to all daemons.
    let message = messages.last { $0.versionMin <= version } ?? messages[0]
    return .send(message.encoded())
  }

  public mutating func closeUpdates(_ sequence: SequenceID, at now: Instant) -> [Action] {
    guard let index = sequences.firstIndex(where: { $0.id == sequence }) else { return [] }
    sequences.remove(at: index)
    return sendWhenReady(.closeUpdates(sequence))
  }

  /// Makes a session object, now or after the next connection; it is made again after each reconnect.
  ///
  /// A daemon before version 8 has no live activities and background tasks, and is not informed of them.
  public mutating func openSession(_ session: AppSession, at now: Instant) -> (SessionID, [Action])
  {
    lastSessionNumber &+= 1
    let id = SessionID(number: lastSessionNumber)
    sessions.append(Session(id: id, session: session))
    return (id, sendWhenReady(.openSession(id, session)))
  }

  /// Invalidates a session object.
  public mutating func closeSession(_ id: SessionID, at now: Instant) -> [Action] {
    guard let index = sessions.firstIndex(where: { $0.id == id }) else { return [] }
    let session = sessions.remove(at: index).session
    let isKnown = version.map { $0 >= session.versionMin } == true
    return isKnown ? sendWhenReady(.closeSession(id)) : []
  }

  /// Asks for the authorization of the app, now and at each change.
  public mutating func watchAuthorization(at now: Instant) -> [Action] {
    if isAuthorizationWatched { return [] }
    isAuthorizationWatched = true
    return sendWhenReady(.watchAuthorization)
  }

  /// Asks for the presses of buttons while the app is in the foreground.
  public mutating func watchButtons(at now: Instant) -> [Action] {
    if areButtonsWatched { return [] }
    areButtonsWatched = true
    return sendWhenReady(.watchButtons)
  }

  /// Asks for the phase of the app, now and at each change.
  public mutating func watchPhase(at now: Instant) -> [Action] {
    if isPhaseWatched { return [] }
    isPhaseWatched = true
    return sendWhenReady(.watchPhase)
  }

  /// Makes a request, now or after the next connection.
  ///
  /// Requests about defaults have separate numbers from `DefaultsMachine`.
  public mutating func request(_ subject: ClientRequest, at now: Instant) -> [Action] {
    lastRequestNumber &+= 1
    let request = Request(number: lastRequestNumber, subject: subject)
    requests.append(request)
    return version.map { ask(request, version: $0) } ?? []
  }

  // MARK: Messages of the daemon

  public mutating func packetArrived(_ packet: [UInt8], at now: Instant) -> [Action] {
    switch state {
    case .idle, .connecting, .waiting: return []
    case .greeting, .ready: break
    }
    guard let message = try? ServerMessage(decoding: packet) else { return hangUp(at: now) }
    switch (message, state) {
    case (.refused(let refusal, let isFinal), _):
      return refused(refusal, isFinal: isFinal, at: now)
    case (.welcome(let version, _), .greeting):
      return welcomed(version: version, at: now)
    case (.welcome, _), (_, .greeting), (_, .idle), (_, .connecting), (_, .waiting):
      return hangUp(at: now)
    case (.update(let sequence, let update), .ready):
      return isOpen(sequence) ? [.updates([sequence], update)] : []
    case (.updates(let sequences, let update), .ready):
      let open = sequences.filter(isOpen)
      return open.isEmpty ? [] : [.updates(open, update)]
    case (.updatesEnded(let sequence, let refusal), .ready):
      guard let index = sequences.firstIndex(where: { $0.id == sequence }) else { return [] }
      sequences.remove(at: index)
      return [.updatesEnded(sequence, refusal)]
    case (.status(let number, let report), .ready):
      return answered(number, .status, isLast: true) ? [.status(report)] : []
    case (.answered(let number, let refusal), .ready):
      guard
        let index = requests.firstIndex(where: {
          $0.number == number && ($0.subject.isChange || $0.subject.traits.mayBeRefused)
        })
      else {
        return []
      }
      requests.remove(at: index)
      return [.answered(refusal)]
    case (.trace(let number, let isLast, let piece), .ready):
      return answered(number, .trace, isLast: isLast) ? [.trace(piece, isLast: isLast)] : []
    case (.defaults(let request, let isLast, let entries), .ready):
      return [.defaults(request: request, isLast: isLast, entries)]
    case (.defaultsChanged(let entries), .ready): return [.defaultsChanged(entries)]
    case (.defaultsSettled(let request, let refusal), .ready):
      return [.defaultsSettled(request: request, refusal)]
    case (.state(let number, let isLast, let piece), .ready):
      return answered(number, .state(.read), isLast: isLast) ? [.state(piece, isLast: isLast)] : []
    case (.sky(let number, let sky), .ready):
      return answered(number, .sky, isLast: true) ? [.sky(sky)] : []
    case (.rows(let number, let isLast, let rows), .ready):
      return answeredList(number, isLast: isLast) ? [.rows(rows, isLast: isLast)] : []
    case (.ownApps(let number), .ready):
      return requests.contains { $0.number == number && $0.subject.isList } ? [.ownApps] : []
    case (.sessionDiagnostic(let id, let flags), .ready):
      return sessions.contains { $0.id == id } ? [.sessionDiagnostic(id, flags)] : []
    case (.authorization(let state), .ready): return [.authorization(state)]
    case (.button(let press), .ready): return [.button(press)]
    case (.phase(let phase), .ready): return [.phase(phase)]
    case (.writes(let number, let report), .ready):
      return answered(number, .state(.writes), isLast: true) ? [.writes(report)] : []
    case (.unlocked(let number, let token, let seconds), .ready):
      guard let index = requests.firstIndex(where: { $0.number == number && $0.subject.isUnlock })
      else { return [] }
      requests.remove(at: index)
      return [.unlocked(token: token, seconds: seconds)]
    case (.locked, .ready): return [.locked]
    }
  }

  private mutating func welcomed(version: UInt16, at now: Instant) -> [Action] {
    guard (WireLimits.versionMin...WireLimits.versionMax).contains(version) else {
      return hangUp(at: now)
    }
    state = .ready(since: now, version: version)
    return [.ready(version: version)]
      + restoredSessions(version: version)
      + sequences.map { opening($0, version: version) }
      + requests.flatMap { ask($0, version: version) }
  }

  /// The messages that make the session objects again; they precede the updates, which depend on them.
  ///
  /// An older daemon has no sessions.
  private func restoredSessions(version: UInt16) -> [Action] {
    let messages =
      sessions.map { ClientMessage.openSession($0.id, $0.session) }
      + (isAuthorizationWatched ? [.watchAuthorization] : [])
      + (areButtonsWatched ? [.watchButtons] : [])
      + (isPhaseWatched ? [.watchPhase] : [])
    return messages.filter { $0.versionMin <= version }.map { .send($0.encoded()) }
  }

  private mutating func refused(
    _ refusal: ServerMessage.Refusal, isFinal: Bool, at now: Instant
  ) -> [Action] {
    guard isFinal else { return [.refused(refusal)] }
    switch refusal.kind {
    case .stopping:
      // A stopping daemon often restarts at once, so the delay starts short.
      wait(at: now)
    case .versionUnsupported, .messageMalformed, .messageTooLong, .messageUnexpected,
      .clientsTooMany, .sequencesTooMany, .notPermitted, .tooSlow, .notKept, .limitReached,
      .unavailable, .appUnknown, .notPossible:
      delay.lengthen()
      state = .waiting(until: now + delay.next(using: &random))
    }
    return [.refused(refusal), .hangUp]
  }

  private mutating func answered(
    _ number: UInt32, _ subject: ClientRequest, isLast: Bool
  ) -> Bool {
    let request = Request(number: number, subject: subject)
    guard let index = requests.firstIndex(of: request) else { return false }
    if isLast { requests.remove(at: index) }
    return true
  }

  private mutating func answeredList(_ number: UInt32, isLast: Bool) -> Bool {
    guard
      let index = requests.firstIndex(where: {
        $0.number == number && $0.subject.isList
      })
    else { return false }
    if isLast, !requests[index].subject.traits.isWatch { requests.remove(at: index) }
    return true
  }

  // MARK: Helpers

  private func isOpen(_ sequence: SequenceID) -> Bool {
    sequences.contains { $0.id == sequence }
  }

  /// Sends a request, or answers the request locally if the daemon does not support it.
  private mutating func ask(_ request: Request, version: UInt16) -> [Action] {
    let message = ClientMessage.request(request.number, request.subject)
    guard message.versionMin > version else { return [.send(message.encoded())] }
    requests.removeAll { $0 == request }
    let text =
      "the daemon speaks version \(version) of the protocol, and this takes version \(message.versionMin); "
      + "install both from one release"
    return [.answered(.init(.versionUnsupported, text))]
  }

  private func sendWhenReady(_ message: ClientMessage) -> [Action] {
    version.map { $0 >= message.versionMin } == true ? [.send(message.encoded())] : []
  }

  private mutating func hangUp(at now: Instant) -> [Action] {
    wait(at: now)
    return [.hangUp]
  }

  /// Starts the next delay; a connection that has lasted resets the delay.
  private mutating func wait(at now: Instant) {
    if case .ready(let since, _) = state, now - since >= ClientMachine.backOffMax { delay.reset() }
    state = .waiting(until: now + delay.next(using: &random))
  }
}

extension ClientRole {
  /// The first version of the protocol with this role.
  fileprivate var versionMin: UInt16 {
    switch self {
    case .app: WireLimits.versionMin
    case .operator, .script: WireLimits.roleVersionMin
    case .console: WireLimits.consoleVersionMin
    }
  }
}

extension ClientRequest {
  fileprivate var isUnlock: Bool {
    switch self {
    case .console(.unlock), .console(.unlockByPresence): true
    case _: false
    }
  }
}

public import BinnacleBasics
public import BinnacleModel

/// The daemon's side of the protocol for one client.
///
///     greeting --hello--> open --anything wrong--> ended
///
/// A client must send `hello` first, within a time limit. For a malformed, unexpected or excessive message the client
/// gets a refusal, and the connection ends.
public struct ServerConnectionMachine: Equatable, Sendable {
  public enum Action: Equatable, Sendable {
    case reply(ServerMessage)
    case event(Request)
    /// Close the connection after the previous replies were given to the kernel.
    case hangUp
  }

  /// A request of a client after its greeting.
  public enum Request: Equatable, Sendable {
    case connected(program: String, role: ClientRole)
    case opened(SequenceID, LiveConfiguration, SequenceOptions = [])
    case closed(SequenceID)
    case sessionOpened(SessionID, AppSession)
    case sessionClosed(SessionID)
    case authorizationWatched
    case buttonsWatched
    case phaseWatched
    case requested(UInt32, ClientRequest)
  }

  /// The time-out of `hello`.
  public static let helloTimeMax = Interval.seconds(5)
  /// The number of messages that a client may send within one second.
  public static let messagesPerSecondMax = 256

  private enum State: Equatable, Sendable {
    case greeting(until: Instant)
    case open(version: UInt16)
    case ended
  }

  private let daemon: String
  private var state: State
  private var windowStart: Instant
  private var messagesInWindow = 0
  private var sequences = Numbers(noun: "sequence")
  private var sessions = Numbers(noun: "session")
  private var requests = Numbers(noun: "request")
  private var defaultsRequests = Numbers(noun: "request about defaults")

  /// The numbers from a client: each number must be higher than the previous one.
  private struct Numbers: Equatable, Sendable {
    let noun: String
    private(set) var last: UInt32?

    init(noun: String) {
      self.noun = noun
    }

    /// Whether a number is higher than all previous ones.
    mutating func admit(_ number: UInt32) -> Bool {
      if let last, number <= last { return false }
      last = number
      return true
    }
  }

  /// Makes the machine of a connection that was just accepted.
  ///
  /// - Parameters:
  ///   - now: the time of the acceptance.
  ///   - daemon: the daemon's name and version for the `welcome` message.
  public init(acceptedAt now: Instant, daemon: String) {
    self.daemon = daemon
    state = .greeting(until: now + ServerConnectionMachine.helloTimeMax)
    windowStart = now
  }

  /// Whether the handshake is complete and the connection has not ended.
  public var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  /// The version of the protocol in use; nil before the greeting and after the end.
  public var version: UInt16? {
    if case .open(let version) = state { version } else { nil }
  }

  /// The next call time of `deadlineReached`; nil if there is no deadline.
  public var nextDeadline: Instant? {
    if case .greeting(let until) = state { until } else { nil }
  }

  public mutating func packetArrived(_ packet: [UInt8], at now: Instant) -> [Action] {
    guard state != .ended else { return [] }
    guard countMessage(at: now) else {
      return end(
        .messageUnexpected,
        "more than \(ServerConnectionMachine.messagesPerSecondMax) messages came in one second")
    }
    do throws(WireError) {
      return take(try ClientMessage(decoding: packet))
    } catch {
      return end(malformed: error)
    }
  }

  /// Takes the arrival of a packet that exceeds the size limit of requests; its bytes were not kept.
  public mutating func oversizePacketArrived(at now: Instant) -> [Action] {
    guard state != .ended else { return [] }
    return end(
      .messageTooLong, "a request may have \(WireLimits.requestSizeMax) bytes, this one has more")
  }

  public mutating func deadlineReached(at now: Instant) -> [Action] {
    guard case .greeting(let until) = state, until <= now else { return [] }
    let seconds = ServerConnectionMachine.helloTimeMax.nanoseconds / 1_000_000_000
    return end(.messageUnexpected, "no hello came within \(seconds) s")
  }

  private mutating func take(_ message: ClientMessage) -> [Action] {
    switch (message, state) {
    case (_, .ended):
      return []
    case (.hello(let hello), .greeting):
      return greet(hello)
    case (.hello, .open):
      return end(.messageUnexpected, "hello is said once")
    case (_, .greeting):
      return end(.messageUnexpected, "the first message must be hello")
    case (_, .open(let version)) where version < message.versionMin:
      return end(
        .messageUnexpected,
        "this message is of version \(message.versionMin) of the protocol, and version \(version) was agreed on"
      )
    case (.openUpdates(let sequence, let configuration), .open):
      guard sequences.admit(sequence.number) else { return end(sequences, sequence.number) }
      return [.event(.opened(sequence, configuration))]
    case (.openReducedUpdates(let sequence, let configuration), .open):
      guard sequences.admit(sequence.number) else { return end(sequences, sequence.number) }
      return [.event(.opened(sequence, configuration, .reduced))]
    case (.openSearch(let sequence, let isReduced), .open):
      guard sequences.admit(sequence.number) else { return end(sequences, sequence.number) }
      let options: SequenceOptions = isReduced ? [.search, .reduced] : .search
      return [.event(.opened(sequence, .default, options))]
    case (.closeUpdates(let sequence), .open):
      return [.event(.closed(sequence))]
    case (.openSession(let id, let session), .open):
      guard sessions.admit(id.number) else { return end(sessions, id.number) }
      return [.event(.sessionOpened(id, session))]
    case (.closeSession(let id), .open): return [.event(.sessionClosed(id))]
    case (.watchAuthorization, .open): return [.event(.authorizationWatched)]
    case (.watchButtons, .open): return [.event(.buttonsWatched)]
    case (.watchPhase, .open): return [.event(.phaseWatched)]
    case (.request(let number, let request), .open):
      return take(request, number)
    }
  }

  private mutating func take(_ request: ClientRequest, _ number: UInt32) -> [Action] {
    if request.traits.isAboutDefaults {
      guard defaultsRequests.admit(number) else { return end(defaultsRequests, number) }
    } else {
      guard requests.admit(number) else { return end(requests, number) }
    }
    return [.event(.requested(number, request))]
  }

  private mutating func end(_ numbers: Numbers, _ number: UInt32) -> [Action] {
    end(
      .messageUnexpected,
      "\(numbers.noun) \(number) came after \(numbers.noun) \(numbers.last ?? number): numbers of a connection go up"
    )
  }

  private mutating func greet(_ hello: ClientMessage.Hello) -> [Action] {
    let version = min(hello.versionMax, WireLimits.versionMax)
    guard version >= max(hello.versionMin, WireLimits.versionMin) else {
      return end(
        .versionUnsupported,
        "this daemon speaks versions \(WireLimits.versionMin) to \(WireLimits.versionMax) of the"
          + " protocol, the client \(hello.versionMin) to \(hello.versionMax);"
          + " install both from one release")
    }
    state = .open(version: version)
    return [
      .reply(.welcome(version: version, daemon: daemon)),
      .event(.connected(program: hello.program, role: hello.role)),
    ]
  }

  private mutating func end(malformed error: WireError) -> [Action] {
    switch error {
    case .packetTooLong:
      end(.messageTooLong, "\(error)")
    case .packetEmpty, .typeUnknown, .truncated, .bytesLeftOver, .valueInvalid:
      end(.messageMalformed, "\(error)")
    }
  }

  private mutating func end(
    _ reason: ServerMessage.RefusalKind, _ text: String
  ) -> [Action] {
    state = .ended
    return [.reply(.refused(.init(reason, text), isFinal: true)), .hangUp]
  }

  private mutating func countMessage(at now: Instant) -> Bool {
    if now - windowStart >= .seconds(1) {
      windowStart = now
      messagesInWindow = 0
    }
    messagesInWindow += 1
    return messagesInWindow <= ServerConnectionMachine.messagesPerSecondMax
  }
}

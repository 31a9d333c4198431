import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Foundation
import Synchronization
import TestSupport

/// A daemon that does what a test says.
///
/// It answers the greeting by itself, acknowledges every change of defaults, and reports all other messages as events.
final class ScriptedDaemon: Sendable {
  enum Event: Equatable, Sendable {
    case greeted
    case opened(SequenceID, LiveConfiguration)
    case openedReduced(SequenceID, LiveConfiguration)
    case searched(SequenceID, isReduced: Bool = false)
    case closed(SequenceID)
    case sessionOpened(SessionID, AppSession)
    case sessionClosed(SessionID)
    case authorizationWatched
    case buttonsWatched
    case phaseWatched
    case gone
    case unexpected(ClientMessage)
    case malformed
    /// A daemon of flesh and blood would have dropped the client for it.
    case misbehaved
  }

  private struct Inside {
    var socket: LocalSocket?
    var judge: ServerConnectionMachine?
    var mustHangUp = false
    var mustStop = false
    var state = State.starting
  }

  private enum State: Sendable {
    case starting
    case listening
    case stopped
    case failed(SystemError)

    var isListening: Bool {
      if case .listening = self { true } else { false }
    }
  }

  private let inside = Mutex(Inside())
  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  /// The first update of a sequence that a client opens.
  private let answer: Fix?

  /// The stored defaults of the app.
  private let kept: [DefaultsEntry]

  /// The answer to a client that asks for its authorization; nil: the test answers.
  private let authorization: AuthorizationState?

  /// The answer to a client that asks for the phase of its app; nil: the test answers.
  private let phase: AppPhase?

  /// Listens in a runtime directory from now on.
  init(
    in directory: String, answer: Fix? = nil, kept: [DefaultsEntry] = [],
    authorization: AuthorizationState? = nil, phase: AppPhase? = nil
  ) throws {
    self.answer = answer
    self.authorization = authorization
    self.phase = phase
    self.kept = kept
    (events, continuation) = AsyncStream.makeStream()
    let path = RuntimeDirectory.socketPath(in: directory)
    Thread {
      do throws(SystemError) {
        try self.listen(at: path)
        self.inside.withLock { $0.state = .stopped }
      } catch {
        self.inside.withLock { $0.state = .failed(error) }
      }
    }.start()
    while true {
      switch inside.withLock({ $0.state }) {
      case .starting: sched_yield()
      case .listening, .stopped: return
      case .failed(let error): throw error
      }
    }
  }

  // MARK: The script

  /// The next thing that the client does.
  func next() async -> Event? {
    for await event in events { return event }
    return nil
  }

  func send(_ message: ServerMessage) throws {
    try send(bytes: message.encoded())
  }

  func send(bytes: [UInt8]) throws {
    _ = try inside.withLock { $0.socket }?.send(bytes)
  }

  func send(_ fix: Fix, to number: UInt32, flags: Update.Flags = []) throws {
    try send(.update(SequenceID(number: number), Update(fix: fix, flags: flags)))
  }

  func explain(_ flags: Update.Flags, to number: UInt32) throws {
    try send(.update(SequenceID(number: number), Update(fix: nil, flags: flags)))
  }

  /// Closes the connection and goes on listening.
  func hangUp() { inside.withLock { $0.mustHangUp = true } }

  /// Dies: the connection and the socket's name are gone when it returns.
  func stop() async {
    inside.withLock { $0.mustStop = true }
    while inside.withLock({ $0.state.isListening }) { await Task.yield() }
  }

  // MARK: The thread

  private func listen(at path: String) throws(SystemError) {
    let listener = try LocalListener(path: path, mode: 0o600)
    inside.withLock { $0.state = .listening }
    var buffer = [UInt8](repeating: 0, count: WireLimits.requestSizeMax)
    var poll = Poll()
    poll.set(listener.descriptor, .reading)
    while true {
      _ = try? poll.wait(until: Clock.now + .milliseconds(5))
      let (mustStop, mustHangUp) = inside.withLock { inside in
        defer { inside.mustHangUp = false }
        return (inside.mustStop, inside.mustHangUp)
      }
      if mustHangUp || mustStop { drop(&poll) }
      if mustStop { return }
      if let socket = try? listener.accept() {
        inside.withLock {
          $0.socket = socket
          $0.judge = ServerConnectionMachine(acceptedAt: Clock.now, daemon: "scripted")
        }
        poll.set(socket.descriptor, .reading)
      }
      receive(into: &buffer, &poll)
    }
  }

  private func receive(into buffer: inout [UInt8], _ poll: inout Poll) {
    while let socket = inside.withLock({ $0.socket }) {
      switch try? socket.receive(into: &buffer) {
      case .packet(let count): take(Array(buffer[..<count]), from: socket)
      case .nothing: return
      case .tooLong, .ended, nil:
        drop(&poll)
        continuation.yield(.gone)
      }
    }
  }

  private func drop(_ poll: inout Poll) {
    inside.withLock { inside in
      if let socket = inside.socket { poll.remove(socket.descriptor) }
      inside.socket = nil
    }
  }

  private func take(_ packet: [UInt8], from socket: LocalSocket) {
    let verdict = inside.withLock { $0.judge?.packetArrived(packet, at: Clock.now) ?? [] }
    if verdict.contains(.hangUp) { continuation.yield(.misbehaved) }
    switch try? ClientMessage(decoding: packet) {
    case .hello:
      let welcome = ServerMessage.welcome(version: WireLimits.versionMax, daemon: "scripted")
      _ = try? socket.send(welcome.encoded())
      continuation.yield(.greeted)
    case .openUpdates(let sequence, let configuration):
      if let answer {
        _ = try? socket.send(ServerMessage.update(sequence, Update(fix: answer)).encoded())
      }
      continuation.yield(.opened(sequence, configuration))
    case .openReducedUpdates(let sequence, let configuration):
      continuation.yield(.openedReduced(sequence, configuration))
    case .openSearch(let sequence, let isReduced):
      continuation.yield(.searched(sequence, isReduced: isReduced))
    case .watchButtons: continuation.yield(.buttonsWatched)
    case .watchPhase:
      if let phase { _ = try? socket.send(ServerMessage.phase(phase).encoded()) }
      continuation.yield(.phaseWatched)
    case .closeUpdates(let sequence): continuation.yield(.closed(sequence))
    case .openSession(let id, let session): continuation.yield(.sessionOpened(id, session))
    case .closeSession(let id): continuation.yield(.sessionClosed(id))
    case .watchAuthorization:
      if let authorization {
        _ = try? socket.send(ServerMessage.authorization(authorization).encoded())
      }
      continuation.yield(.authorizationWatched)
    case .request(let request, .openDefaults):
      _ = try? socket.send(
        ServerMessage.defaults(request: request, isLast: true, kept).encoded())
    case .request(let request, .setDefaults(_, _)):
      _ = try? socket.send(ServerMessage.defaultsSettled(request: request, nil).encoded())
    case .request(let request, let wish): continuation.yield(.unexpected(.request(request, wish)))
    case nil: continuation.yield(.malformed)
    }
  }
}

import Basics
import Glibc
import LocationEngine
import Model
import Posix
import Wire

/// The clients of the daemon: who may come, what they say, what they are sent.
///
/// Whatever one client does, the others notice nothing of it: each turn serves a bounded number of packets of each,
/// and what waits for each is bounded.
final class ClientTable {
  /// A client that takes nothing for this long is dropped.
  static let blockedTimeMax = Interval.seconds(60)
  /// Packets of one client that are served in one turn.
  static let packetsPerTurnMax = 16
  /// Connections that are accepted in one turn.
  static let connectionsPerTurnMax = 16
  /// How long the listener rests when the system has no descriptor left.
  static let exhaustionRest = Interval.seconds(1)

  /// What happened, for the loop.
  enum Outcome: Equatable {
    case event(Event)
    case bulkRequested(ClientID, request: UInt32, Client.Bulk)
    case log(LogLevel, String)
  }

  let listener: LocalListener
  private let clientsMax: Int
  private let clientsPerUserMax: Int
  private let mayInspect: (Peer) -> Bool
  private var identify: (LocalSocket, _ userID: UInt32) -> AppID
  private(set) var clients: [Client] = []
  /// Until when no connection is accepted, because there was no descriptor for it.
  private(set) var listenerRestsUntil: Instant?
  private(set) var refusedCount = 0
  private(set) var droppedCount = 0
  /// Fixes that slow clients lost, those of clients that are gone included.
  private var droppedFixCountOfGone = 0
  private var lastNumber: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: WireLimits.requestSizeMax)

  init(
    listener: consuming LocalListener, clientsMax: Int = 64, clientsPerUserMax: Int = 16,
    mayInspect: @escaping (Peer) -> Bool = { $0.userID == 0 || $0.userID == Environment.userID },
    identify: @escaping (LocalSocket, _ userID: UInt32) -> AppID = { .unresolved(userID: $1) }
  ) {
    self.listener = listener
    self.clientsMax = clientsMax
    self.clientsPerUserMax = clientsPerUserMax
    self.mayInspect = mayInspect
    self.identify = identify
  }

  var droppedFixCount: Int {
    clients.reduce(droppedFixCountOfGone) { $0 + $1.outbox.droppedFixCount }
  }

  /// The earliest time-out of a client, or the end of the listener's rest.
  var nextDeadline: Instant? {
    var earliest = listenerRestsUntil
    for client in clients {
      earliest = earlier(earliest, client.machine.nextDeadline)
      earliest = earlier(earliest, client.blockedSince.map { $0 + ClientTable.blockedTimeMax })
    }
    return earliest
  }

  // MARK: What the loop saw

  /// Somebody knocks.
  func connectionsArrived(at now: Instant, into outcomes: inout [Outcome]) {
    for _ in 0..<ClientTable.connectionsPerTurnMax {
      do throws(Errno) {
        guard let socket = try listener.accept() else { return }
        admit(socket, at: now, into: &outcomes)
      } catch {
        guard ClientTable.isExhaustion(error) else {
          outcomes.append(.log(.warning, "clients: a connection failed: \(error)"))
          return
        }
        listenerRestsUntil = now + ClientTable.exhaustionRest
        outcomes.append(.log(.warning, "clients: no connection is accepted for a second: \(error)"))
        return
      }
    }
  }

  /// A client said something, or takes more, or went away.
  func clientReady(
    _ client: Client, readiness: Poll.Readiness, at now: Instant, into outcomes: inout [Outcome]
  ) {
    if client.isGone { return }
    if readiness.contains(.writable), client.flush(at: now) == .gone {
      return remove(client, at: now, into: &outcomes)
    }
    guard !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) else { return }
    for _ in 0..<ClientTable.packetsPerTurnMax {
      let actions: [ServerConnectionMachine.Action]
      switch try? client.socket.receive(into: &buffer) {
      case .packet(let count):
        actions = client.machine.packetArrived(Array(buffer[..<count]), at: now)
      case .tooLong:
        actions = client.machine.oversizePacketArrived(at: now)
      case .ended where !client.isHungUp:
        // An empty packet: the connection is still there.
        actions = client.machine.packetArrived([], at: now)
      case .nothing:
        return
      case .ended, nil:
        return remove(client, at: now, into: &outcomes)
      }
      guard carryOut(actions, for: client, at: now, into: &outcomes) else { return }
    }
  }

  /// Drops who did not say hello in time and who takes nothing.
  func deadlineReached(at now: Instant, into outcomes: inout [Outcome]) {
    if let until = listenerRestsUntil, until <= now { listenerRestsUntil = nil }
    for client in clients {
      let actions = client.machine.deadlineReached(at: now)
      guard carryOut(actions, for: client, at: now, into: &outcomes) else { continue }
      if let since = client.blockedSince, since + ClientTable.blockedTimeMax <= now {
        let seconds = ClientTable.blockedTimeMax.nanoseconds / 1_000_000_000
        drop(client, .tooSlow, "nothing was read for \(seconds) s", at: now, into: &outcomes)
      }
    }
  }

  /// Apps are told apart in another way from now on: who is another app now has to connect again.
  func identify(
    by identify: @escaping (LocalSocket, _ userID: UInt32) -> AppID, at now: Instant,
    into outcomes: inout [Outcome]
  ) {
    self.identify = identify
    for client in clients {
      let app = identify(client.socket, client.peer.userID)
      if case .unresolved = app { continue }
      guard app != client.peer.app else { continue }
      drop(
        client, .stopping, "it was the app \(client.peer.app) and is \(app) now; connect again",
        at: now, into: &outcomes)
    }
  }

  /// Tells everybody that the daemon stops, and hangs up.
  func stopping(at now: Instant) {
    for client in clients {
      client.tell(.stopping, "the daemon stops")
      client.hangUp()
    }
    clients.removeAll()
  }

  // MARK: What the engine orders

  func client(_ id: ClientID) -> Client? {
    clients.first { $0.id == id }
  }

  /// Puts a packet into the client's outbox; a client that has no room for it is dropped.
  func send(
    _ packet: [UInt8], as kind: Outbox.Kind, to client: Client, at now: Instant,
    into outcomes: inout [Outcome]
  ) {
    guard client.put(packet, as: kind, at: now) == .overflowed else { return }
    drop(client, .tooSlow, "too many messages wait to be read", at: now, into: &outcomes)
  }

  // MARK: Coming and going

  private func admit(
    _ socket: LocalSocket, at now: Instant, into outcomes: inout [Outcome]
  ) {
    let peer: Peer
    do throws(Errno) {
      let told = try socket.peer
      peer = Peer(
        userID: told.userID, processID: told.processID, app: identify(socket, told.userID))
    } catch {
      outcomes.append(.log(.warning, "clients: a peer without credentials was sent away: \(error)"))
      return
    }
    if let reason = reasonAgainst(peer) {
      refusedCount += 1
      let stranger = Client(id: ClientID(number: 0), peer: peer, socket: socket, acceptedAt: now)
      stranger.tell(.clientsTooMany, reason)
      stranger.hangUp()
      outcomes.append(.log(.warning, "clients: user \(peer.userID) was refused: \(reason)"))
      return
    }
    lastNumber += 1
    let client = Client(
      id: ClientID(number: lastNumber), peer: peer, socket: socket, acceptedAt: now)
    clients.append(client)
  }

  private static func isExhaustion(_ error: Errno) -> Bool {
    [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.code)
  }

  private func reasonAgainst(_ peer: Peer) -> String? {
    guard clients.count < clientsMax else {
      return "\(clientsMax) clients are connected, which is the limit"
    }
    let ofUser = clients.count { $0.peer.userID == peer.userID }
    guard ofUser < clientsPerUserMax else {
      return "\(ofUser) clients of one user are connected, which is the limit"
    }
    return nil
  }

  /// Does what a client's machine answered; false when the client is gone after it.
  private func carryOut(
    _ actions: [ServerConnectionMachine.Action], for client: Client, at now: Instant,
    into outcomes: inout [Outcome]
  ) -> Bool {
    for action in actions {
      switch action {
      case .reply(let message):
        if case .refused(let refusal, isFinal: true) = message {
          droppedCount += 1
          outcomes.append(.log(.warning, "\(client.name): dropped: \(refusal.text)"))
        }
        _ = client.put(message.encoded(), as: .answer, at: now)
      case .event(let request):
        guard isPermitted(request, to: client) else {
          let refusal = ServerMessage.Refusal(
            reason: .notPermitted,
            text: "only root and the daemon's own user may look inside or change anything")
          let packet = ServerMessage.refused(refusal, isFinal: false).encoded()
          send(packet, as: .answer, to: client, at: now, into: &outcomes)
          if client.isGone { return false }
          continue
        }
        outcomes.append(outcome(of: request, from: client))
        if case .connected = request {
          outcomes.append(.log(.debug, "\(client.name): connected as app \(client.peer.app)"))
        }
      case .hangUp:
        remove(client, at: now, into: &outcomes)
        return false
      }
    }
    return true
  }

  /// Whether this client may have that: a trace holds every position, a report says who else is served.
  private func isPermitted(
    _ request: ServerConnectionMachine.Request, to client: Client
  ) -> Bool {
    switch request {
    case .statusRequested, .traceRequested, .servicesRequested, .stateWished:
      mayInspect(client.peer)
    case .connected, .opened, .closed, .defaultsRequested, .defaultsSet: true
    }
  }

  private func outcome(
    of request: ServerConnectionMachine.Request, from client: Client
  ) -> Outcome {
    switch request {
    case .connected(let program):
      client.program = program
      return .event(.clientConnected(client.id, client.peer, program: program))
    case .opened(let sequence, let configuration):
      return .event(.updatesOpened(client.id, sequence, configuration))
    case .closed(let sequence):
      return .event(.updatesClosed(client.id, sequence))
    case .statusRequested(let request):
      return .event(.statusRequested(client.id, request: request))
    case .traceRequested(let request):
      return .bulkRequested(client.id, request: request, .trace)
    case .stateWished(let request, .read):
      return .bulkRequested(client.id, request: request, .state)
    case .stateWished(let request, let wish):
      return .event(.stateWished(client.id, request: request, wish))
    case .defaultsRequested(let request):
      return .event(.defaultsRequested(client.id, request: request))
    case .defaultsSet(let request, let isLast, let entries):
      return .event(.defaultsSet(client.id, request: request, isLast: isLast, entries))
    case .servicesRequested(let request, let isOn):
      return .event(.servicesRequested(client.id, request: request, isOn: isOn))
    }
  }

  /// Tells a client why, if it can be told, and hangs up.
  private func drop(
    _ client: Client, _ reason: ServerMessage.Refusal.Reason, _ text: String, at now: Instant,
    into outcomes: inout [Outcome]
  ) {
    droppedCount += 1
    client.tell(reason, text)
    outcomes.append(.log(.warning, "\(client.name): dropped: \(text)"))
    remove(client, at: now, into: &outcomes)
  }

  private func remove(
    _ client: Client, at now: Instant, into outcomes: inout [Outcome]
  ) {
    guard let index = clients.firstIndex(where: { $0 === client }) else { return }
    clients.remove(at: index)
    client.isGone = true
    droppedFixCountOfGone += client.outbox.droppedFixCount
    client.hangUp()
    if client.program != nil { outcomes.append(.event(.clientDisconnected(client.id))) }
  }
}

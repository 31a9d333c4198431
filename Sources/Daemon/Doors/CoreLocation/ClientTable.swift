import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Board
import Glibc
import LocationEngine

/// The clients of the daemon: their admission, their requests, and the messages to them.
///
/// No client disturbs another. Each turn serves a limited number of packets of each client and at most one costly
/// request. The waiting messages of each client are limited, and operators and apps have their own places.
final class ClientTable: NamedListener {
  /// A client that reads nothing for this long is disconnected.
  static let blockedTimeMax = Interval.seconds(60)
  /// Packets of one client that are served in one turn.
  static let packetsPerTurnMax = 16
  /// Connections that are accepted in one turn.
  static let connectionsPerTurnMax = 256
  /// Peers that are identified in one turn: identification costs more than all other steps.
  static let arrivalsPerTurnMax = 16

  private var listener: LocalListener
  private let places: ClientPlaces
  private let numbers: ClientNumbers
  let operators: Operators
  let consoleUsers: ConsoleUsers
  private let consoleSettings: ConsoleSettings
  private(set) var apps: AppRegistry
  private let identification: PeerIdentification
  private var filter: ArrivalFilter
  private var queue = RequestQueue()
  private(set) var clients: [Client] = []
  private var listenerPause = ListenerPause()
  /// The end of the listener's pause for the launcher's report; nil: no client waits for the report.
  private var launcherReportsUntil: Instant?
  /// The number of clients without a place.
  private var placelessCount = 0
  private(set) var droppedCount = 0
  /// The number of clients that have disconnected for any reason.
  private(set) var departedCount = 0
  /// Fixes that clients lost before they disconnected.
  private var droppedFixCountOfGone = 0
  private var buffer = [UInt8](repeating: 0, count: WireLimits.requestSizeMax)

  init(
    listener: consuming LocalListener, places: ClientPlaces = ClientPlaces(),
    numbers: ClientNumbers = ClientNumbers(),
    operators: Operators = Operators(),
    consoleUsers: ConsoleUsers = ConsoleUsers(), console: ConsoleSettings = ConsoleSettings(),
    apps: AppRegistry = AppRegistry(AppShelf()), launcher: LauncherConnection? = nil
  ) {
    self.listener = listener
    self.places = places
    self.numbers = numbers
    self.operators = operators
    self.consoleUsers = consoleUsers
    consoleSettings = console
    self.apps = apps
    identification = PeerIdentification(launcher)
    filter = ArrivalFilter(operators)
  }

  var listenerDescriptor: Int32 { listener.descriptor }

  /// Requests that had to wait for their turn.
  var delayedCount: Int { queue.delayedCount }

  /// Connections that a limit refused.
  var refusedCount: Int { placelessCount + filter.refusedCount }

  var droppedFixCount: Int {
    clients.reduce(droppedFixCountOfGone) { $0 + $1.outbox.droppedFixCount }
  }

  /// The earliest time-out of a client, end of the listener's pause, or turn of a waiting request.
  var nextDeadline: Instant? {
    var earliest = earlier(
      earlier(listenerPause.end, queue.nextTurn),
      earlier(identification.nextDeadline, launcherReportsUntil))
    for client in clients {
      earliest = earlier(earliest, client.machine.nextDeadline)
      earliest = earlier(earliest, client.blockedSince.map { $0 + ClientTable.blockedTimeMax })
    }
    return earliest
  }

  // MARK: Poll results

  /// Connects to a launcher that may have made its socket.
  func runtimeDirectoryChanged(at now: Instant) { identification.connect(at: now) }

  /// Whether the listener is polled: it pauses without free descriptors, and while the launcher reports the apps that run.
  var isListening: Bool { listenerPause.end == nil && launcherReportsUntil == nil }

  /// Admits the peers that the launcher has identified, and ends the listener's pause when the launcher has reported.
  func launcherAnswered(at now: Instant, into outcomes: inout [Outcome]) {
    if launcherReportsUntil != nil { launcherReportsUntil = identification.newsDue(at: now) }
    for (arrival, finding) in identification.answersArrived(among: apps, at: now) {
      admit(arrival, finding, at: now, into: &outcomes)
    }
  }

  /// Accepts the waiting connections.
  func connectionsArrived(at now: Instant, into outcomes: inout [Outcome]) {
    // The launcher reports an app before the app can connect. A launcher that is just connected has yet to report.
    identification.readNews(at: now)
    if let until = identification.newsDue(at: now) {
      launcherReportsUntil = until
      return
    }
    var arrivalCount = 0
    for _ in 0..<ClientTable.connectionsPerTurnMax {
      if arrivalCount == ClientTable.arrivalsPerTurnMax { return }
      do throws(Errno) {
        guard let socket = try listener.accept() else { return }
        guard let arrival = filter.arrival(of: socket, among: apps, at: now, into: &outcomes)
        else { continue }
        arrivalCount += 1
        admit(arrival, at: now, into: &outcomes)
      } catch {
        let text =
          listenerPause.begin(after: error, at: now)
          ? "no connection is accepted for a second" : "a connection failed"
        return outcomes.append(.log(.warning, "clients: \(text): \(error)", from: .clients))
      }
    }
  }

  /// Serves a client's socket that is readable, writable or closed.
  func clientReady(
    _ client: Client, readiness: Poll.Readiness, at now: Instant, into outcomes: inout [Outcome]
  ) {
    if client.isGone { return }
    if readiness.contains(.writable), client.flush(at: now) == .gone {
      return remove(client, at: now, into: &outcomes)
    }
    guard !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) else { return }
    if let request = client.heldRequest {
      guard client.isHungUp else { return }
      queue.release(client)
      client.isLeaving = true
      if !request.isQuestion { perform(request, of: client, at: now, into: &outcomes) }
    }
    read(client, at: now, into: &outcomes)
  }

  /// Performs one waiting request whose turn has come; returns false if there is none.
  func waitingRequestTaken(at now: Instant, into outcomes: inout [Outcome]) -> Bool {
    guard let (client, request) = queue.next(at: now) else { return false }
    perform(request, of: client, at: now, into: &outcomes)
    return true
  }

  private func read(_ client: Client, at now: Instant, into outcomes: inout [Outcome]) {
    for _ in 0..<ClientTable.packetsPerTurnMax {
      let actions: [ServerConnectionMachine.Action]
      switch try? client.socket.receive(into: &buffer) {
      case .packet(let count):
        actions = client.machine.packetArrived(Array(buffer[..<count]), at: now)
      case .tooLong:
        actions = client.machine.oversizePacketArrived(at: now)
      case .ended where !client.isHungUp:
        // An empty packet shows that the connection still exists.
        actions = client.machine.packetArrived([], at: now)
      case .nothing:
        return
      case .ended, nil:
        return remove(client, at: now, into: &outcomes)
      }
      guard carryOut(actions, for: client, at: now, into: &outcomes) == .done else { return }
    }
  }

  /// Disconnects clients that have not sent their greeting in time, and clients that read nothing.
  func deadlineReached(at now: Instant, into outcomes: inout [Outcome]) {
    listenerPause.deadlineReached(at: now)
    if let until = launcherReportsUntil, until <= now { launcherReportsUntil = nil }
    for (arrival, finding) in identification.deadlineReached(at: now) {
      admit(arrival, finding, at: now, into: &outcomes)
    }
    for client in clients {
      let actions = client.machine.deadlineReached(at: now)
      guard carryOut(actions, for: client, at: now, into: &outcomes) != .gone else { continue }
      if let since = client.blockedSince, since + ClientTable.blockedTimeMax <= now {
        let seconds = ClientTable.blockedTimeMax.nanoseconds / 1_000_000_000
        drop(client, .tooSlow, "nothing was read for \(seconds) s", at: now, into: &outcomes)
      }
    }
  }

  /// Identifies clients by new manifests; a client that is now another app is disconnected.
  func identify(by apps: AppRegistry, at now: Instant, into outcomes: inout [Outcome]) {
    self.apps = apps
    filter.manifestsChanged()
    for client in clients {
      let userID = client.peer.userID
      let finding = client.executable.map { apps.finding(userID: userID, program: $0) }
      var app = (finding ?? apps.finding(at: client.socket, userID: userID)).app
      if let launched = identification.launchedApp(
        of: client.socket, userID: userID, among: apps)
      {
        app = launched
      }
      if case .script(let identifier) = client.role {
        app =
          apps.script(identifier, userID: userID)
          ?? .unlisted(userID: userID, executable: identifier)
      }
      if case .unresolved = app { continue }
      guard app != client.peer.app else { continue }
      drop(
        client, .stopping, "it was the app \(client.peer.app) and is \(app) now; connect again",
        at: now, into: &outcomes)
    }
  }

  /// Informs all clients that the daemon stops, and closes their connections.
  func stopping(at now: Instant) {
    for client in clients {
      client.sendRefusal(.stopping, "the daemon stops")
      client.hangUp()
    }
    clients.removeAll()
    queue = RequestQueue()
  }

  // MARK: The listener

  /// Whether the socket's path still leads to the socket.
  var isListenerNamed: Bool { listener.hasName }

  /// Creates the socket at its path again.
  func renewListener() throws(SystemError) { try listener.renew() }

  // MARK: Effects of the engine

  func client(_ id: ClientID) -> Client? {
    clients.first { $0.id == id }
  }

  /// Puts a packet into the client's outbox; disconnects a client whose outbox is full.
  func send(
    _ packet: [UInt8], as kind: Outbox.Kind, to client: Client, at now: Instant,
    into outcomes: inout [Outcome]
  ) {
    guard client.put(packet, as: kind, at: now) == .overflowed else { return }
    drop(client, .tooSlow, "too many messages wait to be read", at: now, into: &outcomes)
  }

  // MARK: Coming and going

  private func admit(
    _ arrival: PeerIdentification.Arrival, at now: Instant, into outcomes: inout [Outcome]
  ) {
    guard let finding = identification.finding(of: arrival, among: apps, at: now) else { return }
    admit(arrival, finding, at: now, into: &outcomes)
  }

  private func admit(
    _ arrival: PeerIdentification.Arrival, _ finding: AppRegistry.Finding, at now: Instant,
    into outcomes: inout [Outcome]
  ) {
    let userID = arrival.credentials.userID
    let isConsoleUser = consoleUsers.contain(userID)
    let peer = peer(of: arrival, finding)
    let place = isConsoleUser ? .console : place(of: peer)
    let refusal = places.refusal(of: place, among: clients.map(\.place))
    let client = Client(
      id: refusal == nil ? numbers.next() : ClientID(number: 0), peer: peer, place: place,
      socket: arrival.socket, executable: finding.program, isConsoleUser: isConsoleUser,
      acceptedAt: now)
    if let refusal {
      placelessCount += 1
      client.sendRefusal(.clientsTooMany, refusal)
      client.hangUp()
      outcomes.append(
        .log(.warning, "clients: user \(userID) was refused: \(refusal)", from: .user(userID)))
      return
    }
    clients.append(client)
    if let note = finding.note {
      outcomes.append(.log(.notice, "\(client.name): \(note)", from: .user(userID)))
    }
  }

  /// The result of a packet.
  private enum Progress: Equatable {
    case done
    /// The client has used its share of this turn.
    case enough
    /// The client has disconnected.
    case gone
  }

  /// Carries out the answers of a client's machine.
  private func carryOut(
    _ actions: [ServerConnectionMachine.Action], for client: Client, at now: Instant,
    into outcomes: inout [Outcome]
  ) -> Progress {
    var progress = Progress.done
    for action in actions {
      switch action {
      case .reply(let message):
        if case .refused(let refusal, isFinal: true) = message {
          droppedCount += 1
          outcomes.append(
            .log(
              .warning, "\(client.name): dropped: \(refusal.text)", from: .user(client.peer.userID))
          )
        }
        _ = client.put(message.encoded(), as: .answer, at: now)
      case .event(let request):
        progress = take(request, of: client, at: now, into: &outcomes)
        if progress == .gone { return .gone }
      case .hangUp:
        remove(client, at: now, into: &outcomes)
        return .gone
      }
    }
    return progress
  }

  /// Performs a request, refuses it, or holds it until its turn.
  private func take(
    _ request: ServerConnectionMachine.Request, of client: Client, at now: Instant,
    into outcomes: inout [Outcome]
  ) -> Progress {
    if client.isLeaving, request.isQuestion { return .done }
    guard keepsProcess(client, at: now, into: &outcomes) else { return .gone }
    // The engine gets the event of a lost terminal before the request.
    _ = keepsTerminal(client, at: now, into: &outcomes)
    let access = client.consoleAccess(consoleSettings)
    if let refusal = request.refusal(for: client.peer, access, operators: operators) {
      let packet = request.refused(refusal).encoded()
      send(packet, as: .answer, to: client, at: now, into: &outcomes)
      return client.isGone ? .gone : .done
    }
    guard client.isLeaving || queue.isTurn(of: request, of: client, at: now) else {
      queue.hold(request, of: client)
      return .enough
    }
    perform(request, of: client, at: now, into: &outcomes)
    if client.isGone { return .gone }
    return request.cost == nil ? .done : .enough
  }

  private func perform(
    _ request: ServerConnectionMachine.Request, of client: Client, at now: Instant,
    into outcomes: inout [Outcome]
  ) {
    if case .connected(let program, let role) = request {
      if let reason = client.take(role, among: apps, consoles: clients) {
        return drop(client, .notPermitted, reason, at: now, into: &outcomes)
      }
      client.program = program
    }
    if case .requested(let number, .console(.unlock(let pin))) = request {
      client.keepPIN(pin, request: number)
    }
    outcomes.append(Outcome(request.withoutSecret, from: client))
    if case .connected = request {
      outcomes.append(
        .log(
          .debug, "\(client.name): connected as app \(client.peer.app)",
          from: .user(client.peer.userID)))
    }
  }

  /// Sends a client the reason, if possible, and closes the connection.
  func drop(
    _ client: Client, _ reason: ServerMessage.RefusalKind, _ text: String, at now: Instant,
    into outcomes: inout [Outcome]
  ) {
    droppedCount += 1
    client.sendRefusal(reason, text)
    outcomes.append(
      .log(.warning, "\(client.name): dropped: \(text)", from: .user(client.peer.userID)))
    remove(client, at: now, into: &outcomes)
  }

  private func remove(
    _ client: Client, at now: Instant, into outcomes: inout [Outcome]
  ) {
    guard let index = clients.firstIndex(where: { $0 === client }) else { return }
    clients.remove(at: index)
    queue.release(client)
    numbers.release(client.id)
    departedCount += 1
    client.isGone = true
    droppedFixCountOfGone += client.outbox.droppedFixCount
    client.hangUp()
    if client.program != nil { outcomes.append(.event(.client(client.id, .disconnected))) }
    if client.token != nil { lock(client.id, at: now, into: &outcomes) }
  }
}

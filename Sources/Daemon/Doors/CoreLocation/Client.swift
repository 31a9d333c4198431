import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Glibc

/// One connection of a client: its socket, its side of the protocol and its waiting messages.
final class Client {
  /// The result of offering packets to the kernel.
  enum Progress: Equatable {
    case sent
    /// The client reads too slowly; the remaining packets wait.
    case blocked
    /// The client has disconnected.
    case gone
  }

  /// A long answer in progress, sent in pieces so that it never fills the outbox.
  private struct BulkAnswer {
    var kind: Bulk
    var request: UInt32
    var bytes: [UInt8]
    var offset = 0
  }

  let id: ClientID
  /// The peer; the greeting decides its role and, for a script, its app.
  private(set) var peer: Peer
  /// The role that the greeting has asked for.
  private(set) var role = ClientRole.app
  /// The place that counts the client.
  let place: ClientPlaces.Place
  let socket: LocalSocket
  /// The program of the peer at its connection; nil if it is unknown.
  let executable: PeerProcess.Program?
  var machine: ServerConnectionMachine
  /// The name in the client's greeting; nil before the greeting.
  var program: String?
  /// Whether the client was removed from the table.
  var isGone = false
  /// A request that waits for its turn; the socket is not read meanwhile.
  var heldRequest: ServerConnectionMachine.Request?
  /// Whether the peer has closed the connection: its queries are not answered.
  var isLeaving = false
  private(set) var outbox = Outbox()
  private(set) var sentCount = 0
  /// When the client began to block waiting messages; nil if no message waits.
  private(set) var blockedSince: Instant?
  private var bulkAnswer: BulkAnswer?
  /// Whether the peer is the user of consoles on serial lines.
  let isConsoleUser: Bool
  /// The token of this console while it is unlocked.
  private(set) var token: Secret?
  /// The PIN of a request that the engine has yet to judge.
  private var pin: (request: UInt32, pin: Secret)?
  /// When the terminal of the process was last read.
  private var terminalReadAt: Instant
  /// The process that connected; nil before the first check of the process.
  private var process: ProcessHandle?
  /// When the process was last checked before a delivery.
  private var processCheckedAt: Instant

  /// The shortest time between two readings of the terminal, and between two checks of the process before deliveries.
  static let processPeriod = Interval.seconds(1)

  init(
    id: ClientID, peer: Peer, place: ClientPlaces.Place, socket: LocalSocket,
    executable: PeerProcess.Program? = nil, isConsoleUser: Bool = false, acceptedAt now: Instant
  ) {
    self.id = id
    self.peer = peer
    self.place = place
    self.socket = socket
    self.executable = executable
    self.isConsoleUser = isConsoleUser
    terminalReadAt = now
    processCheckedAt = now
    machine = ServerConnectionMachine(acceptedAt: now, daemon: "binnacled \(Release.version)")
  }

  /// Gives the client the role of its greeting.
  ///
  /// - Parameters:
  ///   - role: the role that the greeting has asked for.
  ///   - apps: the apps with manifests.
  ///   - consoles: the clients, among which a token's console is.
  /// - Returns: the reason why the client may not have the role; nil if it has the role.
  func take(
    _ role: ClientRole, among apps: AppRegistry, consoles: [Client] = []
  ) -> String? {
    self.role = role
    switch role {
    // The user of consoles has no apps.
    case .app:
      if isConsoleUser { becomeViewer() }
      return nil
    case .console(let token): return becomeConsole(token, among: consoles)
    case .script where isConsoleUser: return "the user of consoles has no apps"
    case .operator:
      guard peer.mayOperate else {
        return
          "only root, the daemon's own user and members of its group may be operators; --app ID names an app of yours"
      }
      peer.isOperator = true
    case .script(let identifier):
      guard let app = apps.script(identifier, userID: peer.userID) else {
        return
          "no manifest of the app \(identifier) has this user, number \(peer.userID), and Script=yes"
      }
      if app != peer.app { peer.isLaunched = false }
      peer.app = app
      peer.file = nil
      peer.isScript = true
    }
    return nil
  }

  /// Whether another process uses the connection of a process that has ended.
  ///
  /// The right to locations is that of the process that connected, and ends with the process. A connection that is
  /// closed at its far end is no such connection: the process has ended in the ordinary way.
  var isOfEndedProcess: Bool { hasProcessEnded && !isHungUp }

  /// Whether the process that connected has ended.
  ///
  /// Before Linux 6.5 a process that has received the number of the ended one before the first check counts as the process
  /// that connected.
  private var hasProcessEnded: Bool {
    // Number 0 is a process of another namespace, which is not visible.
    guard peer.processID > 0 else { return false }
    if let process { return !process.isAlive }
    do throws(Errno) {
      let opened = try PeerProcess(of: socket).handle()
      process = opened
      return !opened.isAlive
    } catch {
      return error == .noSuchProcess
    }
  }

  /// Whether the check of the process before a delivery is due: at most once in ``processPeriod``.
  func isProcessCheckDue(at now: Instant) -> Bool {
    guard now - processCheckedAt >= Client.processPeriod else { return false }
    processCheckedAt = now
    return true
  }

  /// Reads the terminal of a process that had one, at most once in ``processPeriod``.
  ///
  /// - Returns: whether the process has lost its terminal since the last reading; a terminal that cannot be read stays.
  func hasLostTerminal(at now: Instant) -> Bool {
    guard peer.hasTerminal, now - terminalReadAt >= Client.processPeriod else { return false }
    terminalReadAt = now
    peer.hasTerminal = PeerProcess.hasTerminal(peer.processID) ?? true
    return !peer.hasTerminal
  }

  // MARK: Consoles

  private func becomeViewer() {
    peer.console = .viewer
    peer.mayOperate = false
    // A viewer's tools get positions without the answer of a person, and are no apps.
    peer.isOperator = true
  }

  private func becomeConsole(_ token: Secret?, among clients: [Client]) -> String? {
    guard isConsoleUser || peer.mayOperate else {
      return "only the user binnacle-console and operators have consoles"
    }
    becomeViewer()
    guard let token else { return nil }
    let console = clients.first { console in
      console.peer.userID == peer.userID && console.token.map { $0.matches(token) } == true
    }
    guard let console else { return "this console is locked again" }
    peer.console = .unlocked(by: console.id)
    peer.mayOperate = true
    return nil
  }

  /// The rights of the client's console; nil: the client belongs to no console.
  func consoleAccess(_ settings: ConsoleSettings) -> ConsoleAccess? {
    switch peer.console {
    case nil: nil
    case .viewer?:
      ConsoleAccess(isLifted: false, isUnlocked: token != nil, settings: settings)
    case .unlocked?: ConsoleAccess(isLifted: true, isUnlocked: false, settings: settings)
    }
  }

  /// Keeps the PIN of a request until the engine orders its comparison; the engine gets the request without the PIN.
  func keepPIN(_ pin: Secret, request: UInt32) { self.pin = (request, pin) }

  /// The PIN of a request, which is kept no longer.
  func takePIN(request: UInt32) -> Secret? {
    defer { pin = nil }
    return pin.flatMap { $0.request == request ? $0.pin : nil }
  }

  /// Makes a new token for programs of this console.
  func unlock() -> Secret {
    var random = SystemRandomNumberGenerator()
    let token = Secret(
      (0..<WireLimits.tokenSize).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    self.token = token
    return token
  }

  func lock() { token = nil }

  /// The client's name in the log.
  var name: String {
    let program = program.map { " (\($0))" } ?? ""
    return "client \(id.number)\(program), user \(peer.userID), process \(peer.processID)"
  }

  /// Whether the client knows the message of an update for several sequences.
  var takesGroups: Bool { machine.version.map { $0 >= WireLimits.groupVersionMin } ?? false }
  var wantsToSend: Bool { !outbox.isEmpty || bulkAnswer != nil }
  var isBulkAnswerUnderWay: Bool { bulkAnswer != nil }

  /// Sends a packet, or keeps it until the client has read the packets before it.
  ///
  /// The result is `overflowed` if the outbox is full and no message may be dropped.
  func put(_ packet: [UInt8], as kind: Outbox.Kind, at now: Instant) -> Outbox.Verdict {
    if outbox.isEmpty {
      switch offer(packet) {
      case .sent: return .accepted
      case .gone: return .accepted
      case .blocked: break
      }
    }
    if blockedSince == nil { blockedSince = now }
    return outbox.append(packet, as: kind)
  }

  /// Whether the peer has closed the connection at this moment.
  var isHungUp: Bool {
    var query = pollfd(fd: socket.descriptor, events: 0, revents: 0)
    return poll(&query, 1, 0) == 1
  }

  /// Sends the reason for the end of the connection before the waiting messages, which are dropped.
  func sendRefusal(_ reason: ServerMessage.RefusalKind, _ text: String) {
    socket.sendRefusal(reason, text)
  }

  /// Ends the connection so that the client can still read the last message.
  func hangUp() { socket.hangUp() }

  func answer(_ kind: Bulk, _ bytes: [UInt8], request: UInt32) {
    bulkAnswer = BulkAnswer(kind: kind, request: request, bytes: bytes)
  }

  /// Sends waiting messages until the socket is full.
  func flush(at now: Instant) -> Progress {
    while let packet = outbox.first ?? nextBulkPiece() {
      let progress = offer(packet)
      switch progress {
      case .sent:
        if outbox.isEmpty { bulkPieceWasSent() } else { outbox.removeFirst() }
        blockedSince = nil
      case .blocked:
        if blockedSince == nil { blockedSince = now }
        return .blocked
      case .gone:
        return .gone
      }
    }
    blockedSince = nil
    return .sent
  }

  private func offer(_ packet: [UInt8]) -> Progress {
    do throws(Errno) {
      guard try socket.send(packet) else { return .blocked }
      sentCount += 1
      return .sent
    } catch {
      return .gone
    }
  }

  private func nextBulkPiece() -> [UInt8]? {
    guard let answer = bulkAnswer else { return nil }
    let end = min(answer.bytes.count, answer.offset + WireLimits.tracePieceSizeMax)
    let piece = Array(answer.bytes[answer.offset..<end])
    let isLast = end == answer.bytes.count
    let message: ServerMessage =
      switch answer.kind {
      case .trace: .trace(request: answer.request, isLast: isLast, piece)
      case .state: .state(request: answer.request, isLast: isLast, piece)
      }
    return message.encoded()
  }

  private func bulkPieceWasSent() {
    guard let answer = bulkAnswer else { return }
    let offset = answer.offset + WireLimits.tracePieceSizeMax
    if offset >= answer.bytes.count {
      bulkAnswer = nil
    } else {
      bulkAnswer?.offset = offset
    }
  }
}

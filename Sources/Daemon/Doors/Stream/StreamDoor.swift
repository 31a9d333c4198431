import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import LocationEngine

/// A door for programs that read positions from a terminal, such as gpsd, or from a socket, such as GeoClue.
///
/// Each reader is a client with one sequence of updates and a watch of the satellites, so that the receiver is on for the
/// reader only while the reader reads. The app of a client is a name such as `door.nmea:UID` at the socket, and `door.nmea:tty`
/// at the terminal; the engine decides what the app gets. The kind of the door decides which bytes a reader gets.
final class StreamDoor: Door {
  /// Connections that are accepted in one turn.
  static let connectionsPerTurnMax = 64
  /// Each reader gets all positions, once a second, for any kind of vehicle.
  private static let configuration = LiveConfiguration.otherNavigation
  private static let sequence = SequenceID(number: 1)

  private let settings: StreamDoorSettings
  private let kind: DoorKind
  /// The beginning of the log lines of this door.
  private let subject: String
  private let numbers: ClientNumbers
  private let places: ReaderPlaces
  private var terminal: StreamTerminal?
  private var socket: StreamSocket?
  private var socketWatch: SocketWatch?
  private(set) var readers: [StreamReader] = []
  /// Root has no exception here, so many users must not exhaust a limit of all users.
  private var pace = ConnectionPace(limitsAll: false)
  private var socketPause = ListenerPause()
  /// The number of connections that were closed because of the places or of the pace.
  private var refusedCount = 0
  private var droppedEpochCountOfGone = 0
  /// Log lines about the start.
  private var notes: [(LogLevel, String)] = []

  init(
    _ settings: StreamDoorSettings, numbers: ClientNumbers, operators: Operators = Operators()
  ) {
    self.settings = settings
    kind = settings.kind
    subject = "door \(settings.kind.title)"
    self.numbers = numbers
    places = ReaderPlaces(operators)
    for user in settings.unknownUsers {
      notes.append(
        (.warning, "\(subject): Grant= has no effect for \(user), because there is no such user"))
    }
    if let path = settings.terminal {
      terminal = open(path, settings) { (path, access) throws(SystemError) in
        try StreamTerminal(path: path, access: access)
      }
    }
    if let path = settings.socket {
      socket = open(path, settings) { (path, access) throws(SystemError) in
        try StreamSocket(path: path, access: access)
      }
      if socket != nil { socketWatch = SocketWatch(directory: Files.parent(of: path)) }
    }
  }

  /// Opens a place for its group, or for the daemon's own user alone if the group is impossible.
  private func open<Place>(
    _ path: String, _ settings: StreamDoorSettings,
    _ make: (String, LocalListener.Access) throws(SystemError) -> Place
  ) -> Place? {
    do throws(SystemError) {
      let place: Place
      if let groupID = UInt32(settings.group) ?? Users.groupNumber(of: settings.group) {
        do throws(SystemError) {
          place = try make(path, LocalListener.Access(mode: settings.mode, groupID: groupID))
          // The mode of a socket or terminal may give other users access, too.
          let readers = settings.mode & 0o006 == 0 ? "group \(settings.group)" : "every user"
          notes.append((.info, "\(subject): \(path) is open for \(readers)"))
          return place
        } catch {
          guard error.errno == .notPermitted else { throw error }
        }
      }
      place = try make(path, LocalListener.Access(mode: 0o600))
      notes.append(
        (
          .warning,
          "\(subject): \(path) is open for the daemon's own user alone: the daemon may not give it to the group "
            + "\(settings.group); make the daemon's user a member of that group, or change Group= of [\(kind.section)]"
        ))
      return place
    } catch {
      notes.append((.error, "\(subject): not open: \(error)"))
      return nil
    }
  }

  // MARK: From readers

  func watch(with pollSet: inout PollSet) {
    if let terminal { pollSet.watch(terminal.descriptor) }
    if let socket, socketPause.end == nil { pollSet.watch(socket.descriptor) }
    if let descriptor = socketWatch?.descriptor { pollSet.watch(descriptor) }
    for reader in readers {
      pollSet.watch(
        reader.line.descriptor, isReading: reader.hasInput, isWriting: reader.wantsToWrite)
    }
  }

  func handleReady(_ pollSet: PollSet, at now: Instant, into outcomes: inout [DoorOutcome]) {
    for reader in readers {
      let readiness = pollSet.readiness(of: reader.line.descriptor)
      if readiness.isEmpty { continue }
      reader.ready()
      if readiness.contains(.writable) { reader.flush(at: now) }
    }
    removeGone(into: &outcomes)
    if let terminal, pollSet.isReady(terminal.descriptor) {
      readRequests(of: terminal, into: &outcomes)
    }
    if let socket {
      if let descriptor = socketWatch?.descriptor, pollSet.isReady(descriptor) {
        say(socketWatch?.changed(socket, at: now), into: &outcomes)
      }
      if pollSet.isReady(socket.descriptor) { accept(from: socket, at: now, into: &outcomes) }
    }
  }

  private func readRequests(of terminal: StreamTerminal, into outcomes: inout [DoorOutcome]) {
    let hasReader = terminal.hasReader()
    let isKnown = readers.contains { if case .terminal = $0.line { true } else { false } }
    // If the reader has disconnected, its transport reports so.
    guard hasReader, !isKnown else { return }
    let peer = Peer(
      userID: Environment.userID, processID: Environment.processID,
      app: app(.terminal))
    admit(peer, program: "reader of the terminal", terminal.line, into: &outcomes)
  }

  private func accept(
    from socket: StreamSocket, at now: Instant, into outcomes: inout [DoorOutcome]
  ) {
    // A program that connects in a loop must not hold the daemon here.
    for _ in 0..<StreamDoor.connectionsPerTurnMax {
      let stream: LocalStream
      do throws(Errno) {
        guard let accepted = try socket.accept() else { return }
        stream = accepted
      } catch {
        let text =
          socketPause.begin(after: error, at: now)
          ? "no reader is accepted for a second" : "a connection failed"
        return outcomes.append(.log(.warning, "\(subject): \(text): \(error)", from: .board))
      }
      guard let peer = admittedPeer(of: stream, at: now, into: &outcomes) else {
        refusedCount += 1
        continue
      }
      if stream.isAbandoned { continue }
      admit(
        Peer(
          userID: peer.userID, processID: peer.processID,
          app: app(.user(peer.userID))),
        program: StreamDoor.name(ofProcess: peer.processID), .stream(stream), into: &outcomes)
    }
  }

  /// The peer of a connection; nil if the connection is refused.
  private func admittedPeer(
    of stream: LocalStream, at now: Instant, into outcomes: inout [DoorOutcome]
  ) -> LocalSocket.Peer? {
    let peer: LocalSocket.Peer
    do throws(Errno) {
      peer = try stream.peer
    } catch {
      outcomes.append(
        .log(
          .warning, "\(subject): a reader without credentials was refused: \(error)",
          from: .clients))
      return nil
    }
    let userID = peer.userID
    let reason: String
    switch pace.verdict(on: userID, at: now) {
    case .admitted:
      let refusal = places.refusal(of: userID, among: readers.map(\.peer.userID))
      guard let refusal else { return peer }
      reason = refusal
    case .refused(isFirst: true): reason = ArrivalFilter.reason(userID)
    case .refusedWithAll(isFirst: true): reason = ArrivalFilter.reasonOfAll
    // The log has a line about the first of these refusals.
    case .refused, .refusedWithAll: return nil
    }
    outcomes.append(
      .log(
        .warning, "\(subject): user \(userID) was refused: \(reason)", from: .user(userID)))
    return nil
  }

  private func app(_ reader: DoorReader) -> AppID { .door(kind.name, reader) }

  private func admit(
    _ peer: Peer, program: String, _ line: StreamLine, into outcomes: inout [DoorOutcome]
  ) {
    let reader = StreamReader(
      id: numbers.next(), peer: peer, program: program, line: line, feed: kind.makeFeed())
    readers.append(reader)
    outcomes.append(.event(.client(reader.id, .connected(peer, program: program))))
    outcomes.append(
      .event(
        .client(
          reader.id, .updatesOpened(StreamDoor.sequence, StreamDoor.configuration))))
    outcomes.append(.event(.client(reader.id, .skyWatched(true))))
  }

  /// The name of a process, for people; the number may meanwhile belong to another process.
  private static func name(ofProcess number: Int32) -> String {
    let bytes = (try? Files.read("/proc/\(number)/comm")) ?? []
    let name = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    return name.isEmpty ? "reader of the socket" : name
  }

  private func removeGone(into outcomes: inout [DoorOutcome]) {
    for reader in readers where reader.isGone {
      droppedEpochCountOfGone += reader.droppedEpochCount
      numbers.release(reader.id)
      outcomes.append(.event(.client(reader.id, .disconnected)))
      if !reader.isStuck { continue }
      let seconds = ClientTable.blockedTimeMax.nanoseconds / 1_000_000_000
      let userID = reader.peer.userID
      outcomes.append(
        .log(
          .warning,
          "\(subject): \(reader.program) of user \(userID) was disconnected: nothing was read for "
            + "\(seconds) s", from: .user(userID)))
    }
    let ofTerminal = readers.first { reader in
      if case .terminal = reader.line { reader.isGone } else { false }
    }
    readers.removeAll(where: \.isGone)
    guard let ofTerminal else { return }
    // The program that is stuck has the terminal open, so only a new one serves the programs that come.
    if ofTerminal.isStuck { renewTerminal() } else { clearTerminal() }
  }

  /// Discards what the last program at the terminal has not read: the next one may be of another user, without a right.
  private func clearTerminal() {
    guard let terminal, !terminal.line.discardUnread() else { return }
    // The terminal is locked, so a new one takes its place.
    renewTerminal()
  }

  /// Replaces the terminal: the programs that have it open find their line disconnected.
  private func renewTerminal() {
    guard let path = settings.terminal else { return }
    terminal = open(path, settings) { (path, access) throws(SystemError) in
      try StreamTerminal(path: path, access: access)
    }
  }

  private func say(_ line: (LogLevel, String)?, into outcomes: inout [DoorOutcome]) {
    if let (level, text) = line { outcomes.append(.log(level, text, from: .board)) }
  }

  // MARK: Time

  var nextDeadline: Instant? {
    if !notes.isEmpty { return .zero }
    let ofSocket = earlier(socketPause.end, socketWatch?.nextDeadline)
    return readers.reduce(ofSocket) { earlier($0, $1.nextDeadline) }
  }

  func deadlineReached(at now: Instant, into outcomes: inout [DoorOutcome]) {
    for note in notes { say(note, into: &outcomes) }
    notes = []
    socketPause.deadlineReached(at: now)
    if let socket, let due = socketWatch?.nextDeadline, due <= now {
      say(socketWatch?.check(socket, now: now), into: &outcomes)
    }
    for reader in readers { reader.deadlineReached(at: now) }
    removeGone(into: &outcomes)
  }

  // MARK: To readers

  func send(
    _ message: Effect.Client, to client: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) -> Bool {
    guard let reader = readers.first(where: { $0.id == client }) else { return false }
    switch message {
    case .deliver(_, let update):
      reader.updated(update, at: now)
      removeGone(into: &outcomes)
    case .sky(let sky): reader.seen(sky, at: now)
    // A reader makes no requests.
    case .endUpdates, .answer, .defaults, .defaultsChanged, .defaultsSettled, .report,
      .reportWrites, .skyReport, .skyRefusal, .rows, .day, .consentRefusal,
      .sessionDiagnostic, .authorization, .button, .phase, .output, .checkPIN, .describeLock,
      .unlocked,
      .locked:
      break
    }
    return true
  }

  func logSource(of client: ClientID) -> LogSource? {
    readers.first { $0.id == client }.map { .user($0.peer.userID) }
  }

  func add(to report: inout Report) {
    let droppedCount = readers.reduce(droppedEpochCountOfGone) { $0 + $1.droppedEpochCount }
    report.add(.doorTerminalIsOpen(kind), terminal != nil)
    report.add(.doorSocketIsOpen(kind), socket != nil)
    report.add(.doorReaders(kind), Int64(readers.count))
    report.add(.doorRefused(kind), Int64(refusedCount))
    report.add(.doorEpochsDropped(kind), Int64(droppedCount))
    for reader in readers {
      let name = "\(reader.id.number)"
      report.add(.clientMessagesSent(name), Int64(reader.epochCount))
      report.add(.clientFixesDropped(name), Int64(reader.droppedEpochCount))
    }
  }

  func stopping(at now: Instant) {
    readers = []
    terminal = nil
    socket = nil
  }
}

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import LocationEngine

/// The door of programs that link the client library: a local socket of packets (`Docs/SPEC-wire.md`).
final class CoreLocationDoor: Door {
  /// How long a report is used for further requests: making a report costs more than delivering an update.
  ///
  /// An operator gets the effect of an event sooner than other users.
  static func reportLifetime(mayOperate: Bool) -> Interval {
    mayOperate ? .milliseconds(100) : .seconds(1)
  }

  let clients: ClientTable
  private let socketWatch: SocketWatch
  /// The last delivered update, encoded: often several sequences get the same update.
  private var latest = EncodedUpdate(Update(fix: nil))
  /// The last report.
  private var latestReport: (packet: StatusPacket, madeAt: Instant)?
  /// Whether the engine was asked for a report and no state has changed since then.
  private var isReportUnderWay = false
  /// Requests that the next report also answers.
  private var awaitingReport: [(client: ClientID, request: UInt32)] = []
  /// The latest output of launched apps.
  private var outputShelf = OutputShelf()
  /// Clients that get each further line of an app.
  private(set) var followers: [OutputFollower] = []
  private let log: LogRing
  private(set) var logFollowers = LogFollowers()
  /// The settings of the board as rows.
  private var settings: [Report]
  /// The board's PIN for consoles.
  let pins: PINFile

  struct OutputFollower {
    var client: ClientID
    var request: UInt32
    /// The name of the app.
    var app: String
  }

  init(
    _ clients: ClientTable, socketWatch: SocketWatch, log: LogRing = LogRing(),
    settings: [Report] = [], pins: PINFile = PINFile(configurationDirectory: nil, credentials: nil)
  ) {
    self.clients = clients
    self.socketWatch = socketWatch
    self.log = log
    self.settings = settings
    self.pins = pins
  }

  // MARK: From clients

  func watch(with pollSet: inout PollSet) {
    if let descriptor = socketWatch.descriptor { pollSet.watch(descriptor) }
    if clients.isListening { pollSet.watch(clients.listenerDescriptor) }
    for client in clients.clients {
      // The daemon does not read from a client with a waiting request.
      pollSet.watch(
        client.socket.descriptor, isReading: client.heldRequest == nil,
        isWriting: client.wantsToSend)
    }
  }

  func handleReady(_ pollSet: PollSet, at now: Instant, into outcomes: inout [DoorOutcome]) {
    var taken: [ClientTable.Outcome] = []
    for client in clients.clients {
      let readiness = pollSet.readiness(of: client.socket.descriptor)
      if readiness.isEmpty { continue }
      clients.clientReady(client, readiness: readiness, at: now, into: &taken)
    }
    if let descriptor = socketWatch.descriptor, pollSet.isReady(descriptor) {
      say(socketWatch.changed(clients, at: now), into: &outcomes)
      clients.runtimeDirectoryChanged(at: now)
    }
    clients.launcherAnswered(at: now, into: &taken)
    if pollSet.isReady(clients.listenerDescriptor) {
      clients.connectionsArrived(at: now, into: &taken)
    }
    settle(taken, at: now, into: &outcomes)
  }

  var nextDeadline: Instant? { earlier(clients.nextDeadline, socketWatch.nextDeadline) }

  func deadlineReached(at now: Instant, into outcomes: inout [DoorOutcome]) {
    var taken: [ClientTable.Outcome] = []
    if let due = clients.nextDeadline, due <= now {
      clients.deadlineReached(at: now, into: &taken)
      settle(taken, at: now, into: &outcomes)
      taken = []
      while clients.waitingRequestTaken(at: now, into: &taken) {
        settle(taken, at: now, into: &outcomes)
        taken = []
      }
    }
    if let due = socketWatch.nextDeadline, due <= now {
      say(socketWatch.check(clients, now: now), into: &outcomes)
    }
  }

  /// Identifies apps by new manifests.
  func identify(by apps: AppRegistry, at now: Instant, into outcomes: inout [DoorOutcome]) {
    latestReport = nil
    var taken: [ClientTable.Outcome] = []
    clients.identify(by: apps, at: now, into: &taken)
    settle(taken, at: now, into: &outcomes)
  }

  /// Answers the requests that the door can answer, and passes all others on.
  func settle(
    _ taken: [ClientTable.Outcome], at now: Instant, into outcomes: inout [DoorOutcome]
  ) {
    for outcome in taken {
      switch outcome {
      case .event(let event):
        // A client has changed something, so the next report must be new.
        latestReport = nil
        isReportUnderWay = false
        if case .client(let id, .disconnected) = event { forget(id) }
        outcomes.append(.event(event))
      case .log(let level, let text, let source):
        outcomes.append(.log(level, text, from: source))
      case .statusRequested(let id, let request):
        if let made = latestReport?.madeAt, now - made < reportLifetime(for: id) {
          answerStatus(request, of: id, at: now, into: &outcomes)
        } else if isReportUnderWay {
          awaitingReport.append((id, request))
        } else {
          isReportUnderWay = true
          outcomes.append(.event(.client(id, .requested(request, .status))))
        }
      case .logRequested(let id, let request, let level, let isFollowed):
        sendLog(level, isFollowed: isFollowed, to: id, request, at: now, into: &outcomes)
      case .settingsRequested(let id, let request):
        for message in ServerMessage.rows(request: request, of: settings) {
          put(message, to: id, at: now, into: &outcomes)
        }
      case .bulkRequested(let id, let request, let bulk):
        outcomes.append(.bulkRequested(id, request: request, bulk))
      }
    }
  }

  /// Forgets what a client that has disconnected follows.
  private func forget(_ client: ClientID) {
    followers.removeAll { $0.client == client }
    logFollowers.remove(client)
  }

  private func reportLifetime(for client: ClientID) -> Interval {
    CoreLocationDoor.reportLifetime(mayOperate: clients.client(client)?.peer.mayOperate ?? false)
  }

  private func say(_ line: (LogLevel, String)?, into outcomes: inout [DoorOutcome]) {
    if let (level, text) = line { outcomes.append(.log(level, text, from: .board)) }
  }

  /// Takes over the output of launched apps.
  func take(_ output: [LaunchedOutput], at now: Instant, into outcomes: inout [DoorOutcome]) {
    if output.isEmpty { return }
    let rows = outputShelf.take(output, at: Clock.utc)
    for follower in followers {
      let own = rows.filter { $0[.rowID] == follower.app }
      if own.isEmpty { continue }
      for message in ServerMessage.rows(request: follower.request, of: own) {
        put(message, to: follower.client, at: now, into: &outcomes)
      }
    }
  }

  // MARK: Log and settings

  /// Takes over settings that have changed.
  func take(settings: [Report]) { self.settings = settings }

  private func sendLog(
    _ level: LogLevel, isFollowed: Bool, to client: ClientID, _ request: UInt32, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    for message in ServerMessage.rows(request: request, of: log.rows(upTo: level)) {
      put(message, to: client, at: now, into: &outcomes)
    }
    // A client that is too slow for the rows is gone by now.
    guard isFollowed, clients.client(client) != nil else { return }
    logFollowers.add(client, request: request, level: level, to: log)
  }

  /// Sends the lines of the log that have come since the last call.
  func followLog(at now: Instant, into outcomes: inout [DoorOutcome]) {
    for (client, request, rows) in logFollowers.takeRows(of: log) {
      for message in ServerMessage.rows(request: request, of: rows) {
        put(message, to: client, at: now, into: &outcomes)
      }
    }
  }

  /// Sends a client the latest output of an app.
  private func sendOutput(
    of app: AppID, isFollowed: Bool, to client: ClientID, _ request: UInt32, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    let name = "\(app)"
    for message in ServerMessage.rows(request: request, of: outputShelf.rows(of: name)) {
      put(message, to: client, at: now, into: &outcomes)
    }
    // A client that is too slow for the rows is gone by now.
    guard isFollowed, clients.client(client) != nil else { return }
    // A client follows an app once, so that a client does not multiply the lines.
    followers.removeAll { $0.client == client && $0.app == name }
    followers.append(OutputFollower(client: client, request: request, app: name))
  }

  // MARK: To clients

  func send(
    _ message: Effect.Client, to client: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) -> Bool {
    if case .report(let request, let report) = message, isReportUnderWay {
      // The client of the request may have disconnected; others wait for the same report.
      reportMade(report, for: client, request, at: now, into: &outcomes)
      return true
    }
    guard clients.client(client) != nil else { return false }
    switch message {
    case .deliver(let sequences, let update):
      deliver(update, to: sequences, of: client, at: now, into: &outcomes)
    case .endUpdates(let sequence, let reason):
      let refusal = ServerMessage.Refusal(.sequencesTooMany, reason)
      put(.updatesEnded(sequence, refusal), to: client, at: now, into: &outcomes)
    case .answer(let request, let failure):
      // The next report shows the effect of the order.
      latestReport = nil
      let refusal = failure.map { ServerMessage.Refusal(.notKept, $0) }
      put(.answered(request: request, refusal), to: client, at: now, into: &outcomes)
    case .defaults(let request, let entries):
      for message in ServerMessage.defaults(request: request, of: entries) {
        put(message, to: client, at: now, into: &outcomes)
      }
    case .defaultsChanged(let entries):
      for message in ServerMessage.defaultsChanged(of: entries) {
        put(message, to: client, at: now, into: &outcomes)
      }
    case .defaultsSettled(let request, let refusal):
      let refusal = refusal.map(ServerMessage.Refusal.init)
      put(.defaultsSettled(request: request, refusal), to: client, at: now, into: &outcomes)
    case .report(let request, let report):
      reportMade(report, for: client, request, at: now, into: &outcomes)
    case .reportWrites(let request, let report):
      put(.writes(request: request, report), to: client, at: now, into: &outcomes)
    case .skyReport(let request, let sky):
      put(.sky(request: request, sky), to: client, at: now, into: &outcomes)
    case .skyRefusal(let request, let refusal):
      let refusal = ServerMessage.Refusal(refusal)
      put(.answered(request: request, refusal), to: client, at: now, into: &outcomes)
    case .rows(let request, let rows):
      sendList(rows, request, to: client, at: now, into: &outcomes)
    case .day(let request, let day):
      put(day.rows, request, to: client, at: now, into: &outcomes)
    case .consentRefusal(let request, let refusal):
      let refusal = ServerMessage.Refusal(refusal)
      put(.answered(request: request, refusal), to: client, at: now, into: &outcomes)
    case .sessionDiagnostic(let id, let flags):
      put(.sessionDiagnostic(id, flags), to: client, at: now, into: &outcomes)
    case .authorization(let state):
      sendAuthorization(state, to: client, at: now, into: &outcomes)
    case .button(let press): put(.button(press), to: client, at: now, into: &outcomes)
    case .output(let request, let app, let isFollowed):
      sendOutput(of: app, isFollowed: isFollowed, to: client, request, at: now, into: &outcomes)
    case .phase(let phase): put(.phase(phase), to: client, at: now, into: &outcomes)
    case .checkPIN(let request):
      let pin = clients.client(client)?.takePIN(request: request)
      let verdict = pins.verdict(on: pin ?? Secret())
      outcomes.append(.event(.client(client, .pinChecked(request, verdict))))
    case .describeLock(let request, let presence):
      put([describeLock(presence)], request, to: client, at: now, into: &outcomes)
    case .unlocked(let request, let time):
      unlock(client, request, for: time, at: now, into: &outcomes)
    case .locked: lock(client, at: now, into: &outcomes)
    // No client of this door requests periodic skies.
    case .sky: break
    }
    return true
  }

  func put(
    _ rows: [Report], _ request: UInt32, to client: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    for message in ServerMessage.rows(request: request, of: rows) {
      put(message, to: client, at: now, into: &outcomes)
    }
  }

  func send(_ bulk: Bulk, _ bytes: [UInt8], to id: ClientID, request: UInt32, at now: Instant)
    -> Bool
  {
    guard let client = clients.client(id) else { return false }
    if client.isBulkAnswerUnderWay {
      let refusal = ServerMessage.Refusal(.messageUnexpected, "a long answer is under way already")
      _ = client.put(
        ServerMessage.refused(refusal, isFinal: false).encoded(), as: .answer, at: now)
    } else {
      client.answer(bulk, bytes, request: request)
      _ = client.flush(at: now)
    }
    return true
  }

  private func deliver(
    _ update: Update, to sequences: [SequenceID], of id: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    guard mayDeliver(update, to: id, at: now, into: &outcomes) else { return }
    if latest.update != update { latest = EncodedUpdate(update) }
    if latest.packet.kind == .fix, sequences.count > 1,
      clients.client(id)?.takesGroups == true
    {
      put(
        latest.packet.group(sequences), as: .fixes(sequences.count), to: id, at: now,
        into: &outcomes)
    } else {
      for sequence in sequences {
        latest.packet.address(to: sequence)
        put(latest.packet.bytes, as: latest.packet.kind, to: id, at: now, into: &outcomes)
      }
    }
  }

  private func reportMade(
    _ report: Report, for client: ClientID, _ request: UInt32, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    latestReport = (StatusPacket(report), now)
    isReportUnderWay = false
    let waiting = awaitingReport
    awaitingReport = []
    answerStatus(request, of: client, at: now, into: &outcomes)
    for (client, request) in waiting {
      answerStatus(request, of: client, at: now, into: &outcomes)
    }
  }

  /// Answers a request with the last report.
  private func answerStatus(
    _ request: UInt32, of id: ClientID, at now: Instant, into outcomes: inout [DoorOutcome]
  ) {
    guard let packet = latestReport?.packet.answer(to: request) else { return }
    put(packet, as: .answer, to: id, at: now, into: &outcomes)
  }

  func put(
    _ message: ServerMessage, to id: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    put(message.encoded(), as: .answer, to: id, at: now, into: &outcomes)
  }

  private func put(
    _ packet: [UInt8], as kind: Outbox.Kind, to id: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    guard let client = clients.client(id) else { return }
    var taken: [ClientTable.Outcome] = []
    clients.send(packet, as: kind, to: client, at: now, into: &taken)
    settle(taken, at: now, into: &outcomes)
  }

  // MARK: The door itself

  func logSource(of client: ClientID) -> LogSource? {
    clients.client(client).map {
      $0.peer.mayOperate ? .board : .user($0.peer.userID)
    }
  }

  func add(to report: inout Report) {
    report.add(.connectionsCount, Int64(clients.clients.count))
    report.add(.connectionsRefused, Int64(clients.refusedCount))
    report.add(.connectionsRequestsDelayed, Int64(clients.delayedCount))
    report.add(.connectionsDropped, Int64(clients.droppedCount))
    report.add(.connectionsFixesDropped, Int64(clients.droppedFixCount))
    for client in clients.clients where client.program != nil {
      let name = "\(client.id.number)"
      report.add(.clientMessagesSent(name), Int64(client.sentCount))
      report.add(.clientMessagesWaiting(name), Int64(client.outbox.count))
      report.add(.clientFixesDropped(name), Int64(client.outbox.droppedFixCount))
    }
  }

  func stopping(at now: Instant) { clients.stopping(at: now) }
}

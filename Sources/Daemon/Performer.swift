import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Board
import Devices
import LocationEngine

/// The hands: carries out what the engine orders, and tells what came of it.
struct Performer {
  let clients: ClientTable
  let receiver: ReceiverLine
  var lines: LineTable
  /// nil: the board has none.
  let accelerometer: AccelerometerLine?
  var log: Log
  private let logWriter: LogWriter<StateStore>
  private let tracks: LogWriter<TrackStore>
  var kernelWrites: KernelWrites
  var apps: AppShelf
  private let startedAt: Instant
  /// The update that was delivered last, encoded: the next sequence often gets the same.
  private var latest: (update: Update, packet: UpdatePacket)?
  private var outcomes: [ClientTable.Outcome] = []
  /// The report that was made last.
  private var latestReport: (packet: StatusPacket, madeAt: Instant)?
  /// What the engine's lines of the log are caused by.
  var cause = LogSource.board
  /// Turns of the loop since the start.
  var turnCount: Int64 = 0
  /// How long a report answers all requests for one.
  ///
  /// Making a report takes longer than handing on an update.
  static let reportLifetime = Interval.milliseconds(100)

  init(
    clients: ClientTable, receiver: ReceiverLine, lines: LineTable,
    accelerometer: AccelerometerLine?, log: Log,
    logWriter: LogWriter<StateStore>, tracks: LogWriter<TrackStore>, kernelWrites: KernelWrites,
    apps: AppShelf, startedAt: Instant
  ) {
    self.clients = clients
    self.receiver = receiver
    self.lines = lines
    self.accelerometer = accelerometer
    self.log = log
    self.logWriter = logWriter
    self.kernelWrites = kernelWrites
    self.tracks = tracks
    self.apps = apps
    self.startedAt = startedAt
  }

  /// When something that hangs on the board, or a client, is to be looked at although it says nothing.
  var nextDeadline: Instant? {
    let ofLines = earlier(accelerometer?.nextDeadline, lines.nextDeadline)
    return earlier(
      earlier(clients.nextDeadline, receiver.nextDeadline), earlier(ofLines, log.nextDeadline))
  }

  mutating func perform(_ effect: Effect, at now: Instant, into events: inout [Event]) {
    switch effect {
    case .receiver(let order): perform(order, at: now, into: &events)
    case .client(let client, let message): send(message, to: client, at: now, into: &events)
    case .line(let line, .open): lines.open(line, at: now, into: &events)
    case .line(let line, .set(let isActive)): lines.set(line, isActive, at: now, into: &events)
    case .line(let line, .read): lines.read(line, at: now, into: &events)
    case .watchAccelerometer(let mode): accelerometer?.watch(mode, at: now, into: &events)
    case .storage(let order): logWriter.put(order)
    case .track(let order): tracks.put(order)
    case .log(let level, let text): log.write(text, level: level, from: cause, at: now)
    }
  }

  private mutating func perform(
    _ order: Effect.Receiver, at now: Instant, into events: inout [Event]
  ) {
    switch order {
    case .open(let speed):
      receiver.open(speed: speed, at: now, into: &events)
      sayReceiverWarnings(at: now)
    case .close: receiver.close()
    case .write(let bytes): receiver.write(bytes, at: now, into: &events)
    case .attend(let isWanted): receiver.attend(isWanted, at: now, into: &events)
    case .setSpeed(let speed): receiver.setSpeed(speed, at: now, into: &events)
    }
  }

  private mutating func send(
    _ message: Effect.Client, to client: ClientID, at now: Instant, into events: inout [Event]
  ) {
    switch message {
    case .deliver(let sequences, let update):
      deliver(update, to: sequences, of: client, at: now, into: &events)
    case .endUpdates(let sequence, let reason):
      let refusal = ServerMessage.Refusal(reason: .sequencesTooMany, text: reason)
      send(.updatesEnded(sequence, refusal), to: client, at: now, into: &events)
    case .answer(let request, let failure):
      // The next report shows the effect of the order.
      latestReport = nil
      let refusal = failure.map { ServerMessage.Refusal(reason: .notKept, text: $0) }
      send(.answered(request: request, refusal), to: client, at: now, into: &events)
    case .defaults(let request, let entries):
      for message in ServerMessage.defaults(request: request, of: entries) {
        send(message, to: client, at: now, into: &events)
      }
    case .defaultsChanged(let entries):
      for message in ServerMessage.defaultsChanged(of: entries) {
        send(message, to: client, at: now, into: &events)
      }
    case .defaultsSettled(let request, let refusal):
      let refusal = refusal.map(ServerMessage.Refusal.init)
      send(.defaultsSettled(request: request, refusal), to: client, at: now, into: &events)
    case .report(let request, let report):
      let whole = Report(items: daemonItems(at: now) + report.items + connectionItems())
      latestReport = (StatusPacket(whole), now)
      answer(request, of: client, at: now, into: &events)
    case .reportWrites(let request, let report):
      var whole = report
      kernelWrites.add(to: &whole, at: now)
      send(.writes(request: request, whole), to: client, at: now, into: &events)
    case .skyReport(let request, let sky):
      send(.sky(request: request, sky), to: client, at: now, into: &events)
    case .skyRefusal(let request, let refusal):
      let refusal = ServerMessage.Refusal(refusal)
      send(.answered(request: request, refusal), to: client, at: now, into: &events)
    // No client of the packet socket watches: a door for sentences does.
    case .sky: return
    }
  }

  /// Carries out what the client table answered and keeps the events in it.
  mutating func settle(
    _ outcomes: inout [ClientTable.Outcome], at now: Instant, into events: inout [Event],
    bulk: (Client.Bulk) -> [UInt8]
  ) {
    for outcome in outcomes {
      switch outcome {
      case .event(let event):
        // A client has changed something: the next report is made anew.
        latestReport = nil
        events.append(event)
      case .log(let level, let text, let source):
        log.write(text, level: level, from: source, at: now)
      case .statusRequested(let id, let request):
        if let made = latestReport?.madeAt, now - made < Performer.reportLifetime {
          answer(request, of: id, at: now, into: &events)
        } else {
          events.append(.client(id, .requested(request, .status)))
        }
      case .bulkRequested(let id, let request, let kind):
        answer(kind, to: id, request: request, at: now, bulk: bulk)
      }
    }
    outcomes.removeAll(keepingCapacity: true)
  }

  mutating func sayReceiverWarnings(at now: Instant) {
    for warning in receiver.takeWarnings() {
      log.write("receiver: \(warning)", level: .warning, at: now)
    }
  }

  // MARK: Clients

  private mutating func deliver(
    _ update: Update, to sequences: [SequenceID], of id: ClientID, at now: Instant,
    into events: inout [Event]
  ) {
    guard let client = clients.client(id) else { return }
    var packet =
      latest.flatMap { $0.update == update ? $0.packet : nil } ?? UpdatePacket(update)
    latest = nil
    for sequence in sequences {
      packet.address(to: sequence)
      clients.send(packet.bytes, as: packet.kind, to: client, at: now, into: &outcomes)
    }
    latest = (update, packet)
    settle(at: now, into: &events)
  }

  private mutating func send(
    _ message: ServerMessage, to id: ClientID, at now: Instant, into events: inout [Event]
  ) {
    guard let client = clients.client(id) else { return }
    clients.send(message.encoded(), as: .answer, to: client, at: now, into: &outcomes)
    settle(at: now, into: &events)
  }

  /// Answers a request with the report that was made last.
  private mutating func answer(
    _ request: UInt32, of id: ClientID, at now: Instant, into events: inout [Event]
  ) {
    guard let client = clients.client(id),
      let packet = latestReport?.packet.answer(to: request)
    else { return }
    clients.send(packet, as: .answer, to: client, at: now, into: &outcomes)
    settle(at: now, into: &events)
  }

  /// Forgets the report that was made last.
  mutating func reportChanged() { latestReport = nil }

  private mutating func settle(at now: Instant, into events: inout [Event]) {
    guard !outcomes.isEmpty else { return }
    var taken = outcomes
    outcomes.removeAll()
    settle(&taken, at: now, into: &events, bulk: { _ in [] })
  }

  private func answer(
    _ kind: Client.Bulk, to id: ClientID, request: UInt32, at now: Instant,
    bulk: (Client.Bulk) -> [UInt8]
  ) {
    guard let client = clients.client(id) else { return }
    guard !client.isBulkAnswerUnderWay else {
      let refusal = ServerMessage.Refusal(
        reason: .messageUnexpected, text: "a long answer is under way already")
      _ = client.put(
        ServerMessage.refused(refusal, isFinal: false).encoded(), as: .answer, at: now)
      return
    }
    client.answer(kind, bulk(kind), request: request)
    _ = client.flush(at: now)
  }

  // MARK: The report

  private func daemonItems(at now: Instant) -> [Report.Item] {
    var report = Report()
    report.add("daemon.version", .text(Release.version))
    report.add("daemon.process_id", .integer(Int64(Environment.processID)))
    report.add("daemon.user_id", .integer(Int64(Environment.userID)))
    report.add("daemon.uptime_s", .number((now - startedAt).seconds))
    report.add("daemon.cpu_s", .number(Clock.processorTime.seconds))
    report.add("daemon.turns", .integer(turnCount))
    report.add("daemon.log_lines_held_back", .integer(Int64(log.limiter.heldBackCount)))
    report.add("daemon.log_lines_lost", .integer(Int64(log.lostCount)))
    report.add("daemon.libgpiod", .text(LineLibrary.version))
    report.add("apps.count", .integer(Int64(apps.apps.count)))
    report.add("apps.mistakes", .integer(Int64(apps.complaints.count)))
    report.add("receiver.device", .text(receiver.path))
    for line in lines.wanted {
      report.add(line.reportName + ".line", .text(line.request.inWords))
    }
    if let counters = receiver.busCounters {
      report.add("receiver.bus_not_acknowledged", .integer(Int64(counters.notAcknowledged)))
      report.add("receiver.bus_time_outs", .integer(Int64(counters.timeOuts)))
      report.add("receiver.bus_other_failures", .integer(Int64(counters.otherFailures)))
      report.add("receiver.bus_bogus_lengths", .integer(Int64(counters.bogusLengths)))
      report.add("receiver.bus_writes_lost", .integer(Int64(counters.writesLost)))
    }
    return report.items
  }

  /// What the sockets know of the clients, beside what the engine says of them.
  private func connectionItems() -> [Report.Item] {
    var report = Report()
    report.add("connections.count", .integer(Int64(clients.clients.count)))
    report.add("connections.refused", .integer(Int64(clients.refusedCount)))
    report.add("connections.requests_delayed", .integer(Int64(clients.delayedCount)))
    report.add("connections.dropped", .integer(Int64(clients.droppedCount)))
    report.add("connections.fixes_dropped", .integer(Int64(clients.droppedFixCount)))
    for client in clients.clients where client.program != nil {
      let name = "clients.\(client.id.number)"
      report.add("\(name).messages_sent", .integer(Int64(client.sentCount)))
      report.add("\(name).messages_waiting", .integer(Int64(client.outbox.count)))
      report.add("\(name).fixes_dropped", .integer(Int64(client.outbox.droppedFixCount)))
    }
    return report.items
  }
}

extension ServerMessage.Refusal {
  fileprivate init(_ refusal: SkyRefusal) {
    let reason: Reason =
      switch refusal.reason {
      case .notPermitted: .notPermitted
      case .unavailable: .unavailable
      }
    self.init(reason: reason, text: refusal.text)
  }

  fileprivate init(_ refusal: DefaultsRefusal) {
    let reason: Reason =
      switch refusal.reason {
      case .limitReached: .limitReached
      case .notPermitted: .notPermitted
      case .notKept: .notKept
      }
    self.init(reason: reason, text: refusal.text)
  }
}

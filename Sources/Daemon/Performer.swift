import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Board
import Devices
import LocationEngine

/// Carries out the engine's effects, and converts their results into events.
struct Performer {
  let doors: [any Door]
  let receiver: ReceiverLine
  var lines: LineTable
  /// nil: the board has no accelerometer.
  let accelerometer: AccelerometerLine?
  var log: Log
  private let logWriter: LogWriter<StateStore>
  private let tracks: LogWriter<TrackStore>
  var kernelWrites: KernelWrites
  var apps: AppShelf
  /// The connection to the launcher.
  let launcher: LauncherConnection
  private let stateDirectory: String
  /// The partition of the log of state; nil: the log is in the directory.
  private let statePartition: String?
  private let startedAt: Instant
  private var outcomes: [DoorOutcome] = []
  /// The cause of the engine's log lines.
  var cause = LogSource.board
  /// Turns of the loop since the start.
  var turnCount: Int64 = 0
  private var passing = PassedByAddress()

  init(
    doors: [any Door], receiver: ReceiverLine, lines: LineTable,
    accelerometer: AccelerometerLine?, log: Log,
    logWriter: LogWriter<StateStore>, tracks: LogWriter<TrackStore>, kernelWrites: KernelWrites,
    apps: AppShelf, launcher: LauncherConnection, stateDirectory: String,
    statePartition: String?, startedAt: Instant
  ) {
    self.doors = doors
    self.receiver = receiver
    self.lines = lines
    self.accelerometer = accelerometer
    self.log = log
    self.logWriter = logWriter
    self.kernelWrites = kernelWrites
    self.tracks = tracks
    self.apps = apps
    self.launcher = launcher
    self.stateDirectory = stateDirectory
    self.statePartition = statePartition
    self.startedAt = startedAt
  }

  /// The next deadline of a device or the log.
  var devicesDueAt: Instant? {
    earlier(
      earlier(accelerometer?.nextDeadline, lines.nextDeadline),
      earlier(receiver.nextDeadline, log.nextDeadline))
  }

  /// The next deadline of a door or the launcher.
  var doorsDueAt: Instant? {
    doors.reduce(launcher.nextDeadline) { earlier($0, $1.nextDeadline) }
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
    case .launcher(let app, let order):
      launcher.perform(order, about: app, at: now, into: &events)
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
    let message = completed(message, at: now)
    for door in doors {
      if door.send(message, to: client, at: now, into: &outcomes) { break }
    }
    guard !outcomes.isEmpty else { return }
    var taken = outcomes
    outcomes.removeAll()
    for wanted in settle(&taken, at: now, into: &events) { answer(wanted, with: [], at: now) }
  }

  /// Adds the values from outside the engine to a report.
  private func completed(_ message: Effect.Client, at now: Instant) -> Effect.Client {
    switch message {
    case .report(let request, let report):
      var connections = Report()
      for door in doors { door.add(to: &connections) }
      let items = daemonItems(at: now) + report.items + connections.items
      return .report(request: request, Report(items: items))
    case .reportWrites(let request, let report):
      var whole = report
      kernelWrites.add(to: &whole, at: now)
      return .reportWrites(request: request, whole)
    case .deliver, .endUpdates, .answer, .defaults, .defaultsChanged, .defaultsSettled, .skyReport,
      .day,
      .skyRefusal, .sky, .rows, .consentRefusal, .sessionDiagnostic, .authorization, .button,
      .phase, .output, .checkPIN, .describeLock, .unlocked, .locked:
      return message
    }
  }

  /// A request for a long answer, which the engine and its recorder have.
  struct BulkRequest {
    let client: ClientID
    let request: UInt32
    let kind: Bulk
  }

  /// Keeps the events among the doors' outcomes, and writes their lines to the log.
  ///
  /// - Returns: the requests for long answers.
  mutating func settle(
    _ outcomes: inout [DoorOutcome], at now: Instant, into events: inout [Event]
  ) -> [BulkRequest] {
    var wanted: [BulkRequest] = []
    for outcome in outcomes {
      switch outcome {
      case .event(let event): events.append(event)
      case .log(let level, let text, let source):
        log.write(text, level: level, from: source, at: now)
      case .bulkRequested(let client, let request, let kind):
        wanted.append(BulkRequest(client: client, request: request, kind: kind))
      }
    }
    outcomes.removeAll(keepingCapacity: true)
    return wanted
  }

  /// Sends a long answer.
  func answer(_ wanted: BulkRequest, with bytes: [UInt8], at now: Instant) {
    for door in doors {
      if door.send(wanted.kind, bytes, to: wanted.client, request: wanted.request, at: now) {
        break
      }
    }
  }

  /// The source of the log lines that an event causes; lines that operators cause count as the board's own.
  func source(of event: Event) -> LogSource {
    guard let client = event.client else { return .board }
    for door in doors {
      if let source = door.logSource(of: client) { return source }
    }
    return .clients
  }

  mutating func sayReceiverWarnings(at now: Instant) {
    for warning in receiver.takeWarnings() {
      log.write("receiver: \(warning)", level: .warning, at: now)
    }
  }

  // MARK: The report

  private func daemonItems(at now: Instant) -> [Report.Item] {
    var report = Report()
    report.add(.daemonVersion, Release.version)
    report.add(.daemonProcessID, Int64(Environment.processID))
    report.add(.daemonUserID, Int64(Environment.userID))
    report.add(.daemonUptime, (now - startedAt).seconds)
    report.add(.daemonProcessorTime, Clock.processorTime.seconds)
    report.add(.daemonTurns, turnCount)
    report.add(.logLinesHeldBack, Int64(log.limiter.heldBackCount))
    report.add(.logLinesLost, Int64(log.lostCount))
    report.add(.libgpiodVersion, LineLibrary.version)
    report.add(.appsCount, Int64(apps.apps.count))
    report.add(.appsMistakes, Int64(apps.complaints.count))
    report.add(.stateDirectory, stateDirectory)
    if let statePartition { report.add(.statePartition, statePartition) }
    report.add(.receiverDevice, receiver.path)
    for line in lines.wanted {
      report.add(.lineName(line.reportName), line.request.inWords)
    }
    if let counters = receiver.busCounters {
      report.add(.busNotAcknowledged, Int64(counters.notAcknowledged))
      report.add(.busTimeOuts, Int64(counters.timeOuts))
      report.add(.busOtherFailures, Int64(counters.otherFailures))
      report.add(.busBogusLengths, Int64(counters.bogusLengths))
      report.add(.busWritesLost, Int64(counters.writesLost))
    }
    return report.items
  }
}

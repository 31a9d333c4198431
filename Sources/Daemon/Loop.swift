import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import I2C
import LocationEngine
import Manifests

/// The main loop of the daemon: one thread, one poll, one deadline and one clock reading per turn.
///
/// The loop makes no decisions. It converts its input into events, carries out the engine's effects in order, and
/// converts their results into events again, until no event is left.
///
/// The loop is large because it holds the engine. A call that is made each turn goes to a part of the loop, because a
/// call to the loop itself would copy it.
struct Loop {
  private static let wallClockPeriod = Interval.seconds(600)
  /// Events of one turn; further events wait for the next turn, so that clients are served whatever the engine orders.
  private static let eventsPerTurnMax = 1_024
  /// The time limit for disk writes at the end; systemd waits 90 s by default.
  private static let stopTimeMax = Interval.seconds(20)

  /// Kept for as long as the daemon runs.
  private let state: StateDirectory
  private let coreLocation: CoreLocationDoor
  private let signals: Signals
  private let wallClock: WallClockWatch?
  private let notifier: ServiceNotifier
  /// The uncertainty of the wall clock if the kernel reports none; nil: unknown.
  private let clockWithin: Interval?
  /// The board's I2C bus with all its devices; nil: it is not used.
  private let bus: I2CBus?
  private let logWriter: LogWriter<StateStore>
  private let tracks: LogWriter<TrackStore>

  private var engine: RecordedEngine
  private var performer: Performer
  private var pollSet = PollSet()
  /// The descriptors that stay open for as long as the daemon runs.
  private let lasting: PollGroup
  private var now: Instant

  private var events: [Event] = []
  private var effects: [Effect] = []
  private var outcomes: [DoorOutcome] = []

  private var wallClockDueAt: Instant
  /// When the available memory is read; nil: no app is suspended.
  private var memoryDueAt: Instant?
  private var watchdogPacer: WatchdogPacer
  private var memoryTrim: MemoryTrim
  private let configurationDirectory: String
  private var profile: ProfileInEffect?
  /// The time limit for disk writes at the end; nil before a stop is requested.
  private var stoppingUntil: Instant?

  /// Claims the directories and the signals; only this step of the start can fail.
  init(_ settings: Settings) throws(StartFailure) {
    now = Clock.now
    do throws(Errno) {
      signals = try Signals([.terminate, .interrupt, .hangUp])
    } catch {
      throw StartFailure(.internalError, "signals cannot be caught: \(error)")
    }
    Signals.ignoreBrokenPipes()
    state = StateDirectory(settings.stateDirectory)
    try Directories.take(state)
    let numbers = ClientNumbers()
    let logRing = LogRing()
    let launcher = LauncherConnection(
      path: settings.runtimeDirectory + "/" + RuntimeDirectory.launcherSocketName)
    coreLocation = try Loop.coreLocationDoor(settings, numbers, launcher, logRing)
    configurationDirectory = settings.configurationDirectory
    profile = settings.profile
    wallClock = try? WallClockWatch()
    notifier = settings.notifier
    clockWithin = settings.clockWithin
    watchdogPacer = WatchdogPacer(limit: notifier.watchdogLimit, at: now)
    logWriter = try Loop.startLogWriter(settings, state)
    tracks = try Loop.startTracks(settings, state)
    engine = RecordedEngine(Engine(configuration: settings.engine, seed: settings.seed))
    let bus = try Loop.openBus(settings)
    self.bus = bus
    lasting = try Loop.group(
      [signals.descriptor, logWriter.descriptor, tracks.descriptor]
        + [wallClock?.descriptor, bus?.descriptor].compactMap(\.self))
    performer = Performer(
      doors: [coreLocation] + Loop.furtherDoors(settings, numbers),
      receiver: Loop.receiver(settings, bus),
      lines: LineTable(settings.lines),
      accelerometer: settings.accelerometer.flatMap { wanted in
        bus.map { AccelerometerLine(wanted, line: settings.accelerometerLine, bus: $0) }
      },
      log: Log(level: settings.logLevel, isJournal: settings.isJournal, ring: logRing),
      logWriter: logWriter,
      tracks: tracks,
      kernelWrites: KernelWrites(
        place: settings.statePartition ?? settings.stateDirectory, at: now),
      apps: settings.apps, launcher: launcher,
      // A command has another working directory.
      stateDirectory: (try? Files.resolve(settings.stateDirectory)) ?? settings.stateDirectory,
      statePartition: settings.statePartition, startedAt: now)
    wallClockDueAt = now
    memoryTrim = MemoryTrim(startedAt: now)
  }

  /// Runs until SIGTERM or SIGINT requests a stop, or the terminal is closed.
  mutating func run() {
    Poll.setTimerSlack(.microseconds(1))
    say(.notice, "daemon: version \(Release.version), receiver at \(performer.receiver.path)")
    for mistake in performer.apps.complaints { say(.warning, "apps: \(mistake)") }
    let signals = signals
    let start = StateWait(
      for: logWriter, signals: signals.descriptor, hangUpReloads: notifier.isWanted
    ) { signals.next() }
    if let signal = start.stop {
      now = max(now, Clock.now)
      say(.notice, "daemon: stopping (\(signal)), the stored state was not read yet")
    } else {
      serve(after: start)
    }
    notifier.stopping()
    for door in performer.doors { door.stopping(at: now) }
    performer.receiver.close()
    logWriter.finish(by: Clock.now + Loop.stopTimeMax)
    // The engine takes no further events.
    for case .storage(.markChanged(fault: let fault?)) in logWriter.takeEvents() {
      say(.warning, "state: \(fault)")
    }
    say(.notice, "daemon: stopped")
  }

  /// Serves clients until a stop is requested and all state is written.
  private mutating func serve(after start: StateWait) {
    events = start.events + [.started]
    readWallClock()
    performer.launcher.connect(at: now)
    handleEvents()
    if start.isReloadDue {
      readProfileAgain()
      readAppsAgain()
    }
    notifier.ready(status: "receiver at \(performer.receiver.path)")
    while stoppingUntil == nil || !isOver { turn() }
  }

  /// Whether a stop was requested, and all state is written or the time limit has passed.
  private var isOver: Bool {
    guard let until = stoppingUntil else { return false }
    return now >= until || (events.isEmpty && engine.outlook.isStateSettled)
  }

  private mutating func turn() {
    let quietUntil = engine.outlook.receiverQuietUntil.flatMap { $0 > now ? $0 : nil }
    pollSet.removeAll()
    pollSet.watch(lasting)
    pollSet.watch(performer.receiver, isQuiet: quietUntil != nil)
    pollSet.watch(performer.lines)
    if let descriptor = performer.accelerometer?.descriptor { pollSet.watch(descriptor) }
    if let descriptor = performer.accelerometer?.lineDescriptor { pollSet.watch(descriptor) }
    if let descriptor = performer.launcher.descriptor { pollSet.watch(descriptor) }
    for door in performer.doors { door.watch(with: &pollSet) }
    let ownDueAt = earlier(
      earlier(watchdogPacer.nextDeadline, wallClockDueAt),
      earlier(memoryTrim.nextDeadline, memoryDueAt))
    let doorsDueAt = performer.doorsDueAt
    let dueAt = earlier(
      earlier(engine.outlook.nextDeadline, quietUntil),
      earlier(earlier(performer.devicesDueAt, doorsDueAt), ownDueAt))
    let readyCount = pollSet.wait(
      until: events.isEmpty ? earlier(dueAt, stoppingUntil) : now)
    let waitedSince = now
    now = max(now, Clock.now)
    HotCode.prefetch(after: now - waitedSince)
    performer.turnCount += 1
    if readyCount > 0 { handleReady() }
    // At the end of the quiet time the bytes have arrived, so they are read without a poll.
    if let quietUntil, quietUntil <= now { readReceiver(.readable) }
    deadlinesReached(ofDoors: doorsDueAt)
    handleEvents()
    coreLocation.followLog(at: now, into: &outcomes)
    settle()
  }

  /// Reads the ready descriptors, the receiver first, because apps wait for its bytes.
  private mutating func handleReady() {
    if let readiness = pollSet.receiverReadiness { readReceiver(readiness) }
    collectFromBus()
    if pollSet.isReady(logWriter.descriptor) {
      events += logWriter.takeEvents()
      handleEvents()
    }
    if pollSet.isReady(tracks.descriptor) {
      events += tracks.takeEvents()
      handleEvents()
    }
    for (id, number, _) in performer.lines.descriptors where pollSet.isReady(number) {
      performer.lines.ready(id, pollSet.readiness(of: number), at: now, into: &events)
      handleEvents()
    }
    if pollSet.isReady(signals.descriptor) {
      while let signal = signals.next() {
        // Without a service manager a hang-up means that the terminal was closed.
        if signal == .hangUp, notifier.isWanted {
          readProfileAgain()
          readAppsAgain()
          continue
        }
        say(.notice, "daemon: stopping (\(signal))")
        if stoppingUntil == nil { events.append(.stopRequested) }
        stoppingUntil = stoppingUntil ?? now + Loop.stopTimeMax
      }
    }
    if let wallClock, pollSet.isReady(wallClock.descriptor) {
      if (try? wallClock.wasSet()) != false { wallClockDueAt = now }
    }
    if let descriptor = performer.launcher.descriptor, pollSet.isReady(descriptor) {
      performer.launcher.receive(at: now)
    }
    takeLauncherNews()
    for door in performer.doors {
      door.handleReady(pollSet, at: now, into: &outcomes)
      settle()
    }
    takeLauncherNews()
  }

  /// Takes over what the launcher has reported, also while a door was served.
  private mutating func takeLauncherNews() {
    guard performer.launcher.hasNews else { return }
    events += performer.launcher.takeEvents()
    coreLocation.take(performer.launcher.takeOutput(), at: now, into: &outcomes)
    settle()
    handleEvents()
  }

  private mutating func readReceiver(_ readiness: Poll.Readiness) {
    performer.receiver.ready(readiness, at: now, into: &events)
    handleEvents()
  }

  private mutating func collectFromBus() {
    if let bus, pollSet.isReady(bus.descriptor) { take(bus.outcomes()) }
    if let descriptor = performer.accelerometer?.descriptor, pollSet.isReady(descriptor) {
      performer.accelerometer?.ready(at: now, into: &events)
    }
    if let descriptor = performer.accelerometer?.lineDescriptor, pollSet.isReady(descriptor) {
      let readiness = pollSet.readiness(of: descriptor)
      performer.accelerometer?.lineReady(readiness, at: now, into: &events)
    }
    handleEvents()
  }

  /// Passes the outcomes of bus orders to their senders.
  private mutating func take(_ outcomes: [I2COrder.Outcome]) {
    for outcome in outcomes {
      switch outcome.ticket.owner {
      case .receiver:
        performer.receiver.orderEnded(
          outcome, rateHz: engine.outlook.receiverRateHz, at: now, into: &events)
        performer.sayReceiverWarnings(at: now)
      case .accelerometer:
        performer.accelerometer?.orderEnded(outcome, at: now, into: &events)
      }
      handleEvents()
    }
  }

  private mutating func doorDeadlinesReached() {
    for door in performer.doors {
      guard let due = door.nextDeadline, due <= now else { continue }
      door.deadlineReached(at: now, into: &outcomes)
      settle()
    }
    if let due = performer.launcher.nextDeadline, due <= now { performer.launcher.connect(at: now) }
  }

  /// Handles the deadlines that are due.
  ///
  /// A deadline that a door has got in this turn is handled in the next turn, which then begins at once.
  ///
  /// - Parameter doorsDueAt: the next deadline of the doors before the wait.
  private mutating func deadlinesReached(ofDoors doorsDueAt: Instant?) {
    performer.accelerometer?.deadlineReached(at: now, into: &events)
    performer.receiver.deadlineReached(at: now, into: &events)
    performer.lines.deadlineReached(at: now, into: &events)
    if let doorsDueAt, doorsDueAt <= now { doorDeadlinesReached() }
    takeLauncherNews()
    performer.log.deadlineReached(at: now)
    memoryTrim.turned(departedCount: coreLocation.clients.departedCount, at: now)
    if wallClockDueAt <= now { readWallClock() }
    readMemoryIfDue()
    if let sign = watchdogPacer.turned(isCalm: engine.outlook.isCalm, at: now) {
      notifier.say(sign)
    }
    handleEvents()
    if let due = engine.outlook.nextDeadline, due <= now { events.append(.deadlineReached) }
  }

  /// Reads the profile again; only `[Location]` takes effect, and a mistake leaves all settings unchanged.
  private mutating func readProfileAgain() {
    switch profile?.readAgain() {
    case nil: return
    case .wrong(let text):
      for mistake in text.split(separator: "\n") { say(.error, "profile: \(mistake)") }
      say(.error, "profile: the settings stay as they were; mend them and reload again")
    case .read(let settings, let isChanged, let waiting):
      if isChanged {
        say(.notice, "profile: the changes of [Location] are in effect")
        events.append(.consentSettingsRead(settings))
        coreLocation.take(settings: SettingRows.rows(of: profile?.settings ?? []))
        handleEvents()
      }
      if !waiting.isEmpty {
        let names = waiting.map { "[\($0)]" }.joined(separator: ", ")
        say(.warning, "profile: restart the daemon for the changes of \(names)")
      }
    }
  }

  /// Reads the manifests again; a mistake in any manifest leaves all apps unchanged.
  private mutating func readAppsAgain() {
    let shelf = AppFiles.shelf(configurationDirectory: configurationDirectory)
    guard shelf.complaints.isEmpty else {
      for mistake in shelf.complaints { say(.error, "apps: \(mistake)") }
      say(.error, "apps: the manifests stay as they were; mend them and reload again")
      return
    }
    say(.notice, "apps: manifests were read again, of \(CountText.words(shelf.apps.count, "app"))")
    performer.apps = shelf
    let apps = AppRegistry(shelf)
    coreLocation.identify(by: apps, at: now, into: &outcomes)
    events.append(.appsRead(apps.declarations))
    settle()
    handleEvents()
  }

  private mutating func readWallClock() {
    events.append(.wallClockRead(Clock.utc, within: Clock.synchronizedWithin ?? clockWithin))
    wallClockDueAt = now + Loop.wallClockPeriod
    performer.kernelWrites.read(at: now)
  }

  /// Reads the available memory while an app is suspended: the engine may have to end it.
  private mutating func readMemoryIfDue() {
    guard engine.outlook.isMemoryWatched else {
      memoryDueAt = nil
      return
    }
    if let due = memoryDueAt, due > now { return }
    memoryDueAt = now + Engine.Outlook.memoryPeriod
    guard let bytes = Memory.availableBytes else { return }
    events.append(.launcher(.memoryRead(availableBytes: bytes)))
  }

  // MARK: Events and effects

  private mutating func handleEvents() {
    if events.isEmpty { return }
    var handled = 0
    while handled < events.count, handled < Loop.eventsPerTurnMax {
      let event = events[handled]
      performer.cause = performer.source(of: event)
      engine.handle(event, at: now, into: &effects)
      // An iterator would keep the array's memory, and emptying the array would then allocate new memory.
      for index in effects.indices { performer.perform(effects[index], at: now, into: &events) }
      engine.record(event, at: now, effects: effects)
      effects.removeAll(keepingCapacity: true)
      handled += 1
    }
    if handled == events.count {
      events.removeAll(keepingCapacity: true)
    } else {
      events.removeFirst(handled)
    }
  }

  private mutating func settle() {
    if outcomes.isEmpty { return }
    for wanted in performer.settle(&outcomes, at: now, into: &events) {
      let bytes = wanted.kind == .trace ? engine.trace : engine.keptRecords
      performer.answer(wanted, with: bytes, at: now)
    }
    handleEvents()
  }

  private mutating func say(_ level: LogLevel, _ text: String) {
    performer.log.write(text, level: level, at: now)
  }
}

extension ServiceNotifier {
  fileprivate func say(_ sign: WatchdogPacer.Sign) {
    switch sign {
    case .alive: alive()
    case .aliveWithPatience(let limit): alive(waiting: limit)
    }
  }
}

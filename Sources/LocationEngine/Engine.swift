public import BinnacleBasics
import BinnacleModel
import Motion
import UBX

/// All decisions of the daemon: events are the input, effects are the output, and time is an argument.
///
/// The engine reads no clock, does no input or output, starts no thread and throws no error. Equal events at equal
/// instants give equal effects on every machine. The machines inside never call each other: they return results, and
/// this file routes the results.
///
///     bytes --> ReceiverMachine --solutions--> FixJudge --fixes--> UpdateTable --> deliver
///     clients --> AppTable --entitlements--> UpdateTable
///     launcher --> LifeTable of AppTable --start, freeze, thaw, end--> launcher; updates wait for suspended apps
///     open and outstanding updates --demand--> ReceiverMachine --> write, change speed
///     lines --> Panel --> gestures; receiver's condition --> Panel --> lights
///     decisions, records, defaults of DefaultsService --> Storage --> commit
///     fixes --> Storage --> track
///     accelerometer --> AccelerometerWatch --> mode of reading the chip
///     samples, fixes --> RestWatch --whether the board rests--> UpdateTable: updates pause and resume
///     need, rest, the receiver --> PowerMachine --sleep, wake--> ReceiverMachine
///     clients that want satellites --> SkyMachine --poll--> ReceiverMachine --sky--> the same clients
public struct Engine: Equatable, Codable, Sendable {
  public let configuration: Configuration
  var receiver: ReceiverMachine
  private(set) var judge = FixJudge()
  var apps: AppTable
  var updates: UpdateTable
  var panel: Panel
  private(set) var accelerometer: AccelerometerWatch
  var rest: RestWatch
  var power: PowerMachine
  var storage: Storage
  var defaults = DefaultsService()
  /// The receiver's speed that was last stored, read or configured.
  var notedSpeed: ReceiverMemory.LastSpeed
  /// The position that was last stored or read.
  var notedPlace: LastPlace?
  /// The rest that was last stored or read, and the count of pause changes at the last check.
  var notedRest: RestRecord?
  var notedLastApp: AppID?
  /// The processes in the background that were last stored or read.
  var notedAway = AwayProcesses()
  /// The apps whose pending close was last stored or read.
  var notedCloses: [AppID] = []
  var notedPauseTurns = 0
  /// The receiver that was last stored or read.
  var notedReceiver: ReceiverKey?
  /// Whether the receiver on the line is not the receiver of the last run.
  var isAnotherReceiver = false
  var life = LifeStatistics()
  var sky = SkyMachine()
  /// The present uses of locations, and the epochs of background use.
  var uses = UseTable()
  var watch = AuthorizationWatch()
  var promptWatch = PromptWatch()
  var buttonWatch = ButtonWatch()
  var phaseWatch = PhaseWatch()
  /// The consoles on serial lines.
  var consoles = ConsoleTable()
  var consoleUses = ConsoleUses()
  /// The transitions of the last day.
  var day = DayHistory()
  /// The states of the apps, each with its beginning.
  var appStates = AppStates()
  private(set) var wallClock = WallClock.unknown
  private(set) var startInstant = Instant.zero
  /// The need of the apps after the last event; computing it asks for the right of each app.
  private(set) var settledNeed = PowerNeed.noClient
  private var passing = PassedByAddress()

  enum WallClock: Equatable, Codable, Sendable {
    case unknown
    case read(UTCTime, at: Instant)
  }

  /// - Parameters:
  ///   - configuration: the settings.
  ///   - seed: the seed of a random generator; the engine uses no randomness so far.
  public init(configuration: Configuration, seed: UInt64) {
    self.configuration = configuration
    receiver = ReceiverMachine(
      lastSpeed: configuration.lastSpeed,
      wakeLine: configuration.power.hasWakeLine ? WakeLine(configuration.panel) : nil)
    notedSpeed = receiver.memory.lastSpeed
    apps = AppTable(configuration)
    updates = UpdateTable(configuration)
    panel = Panel(configuration.panel)
    storage = Storage(configuration.track)
    accelerometer = AccelerometerWatch(isThere: configuration.hasAccelerometer)
    power = PowerMachine(configuration.power)
    rest = RestWatch(configuration.motion.readiness == .quiet ? .quiet : .standard)
  }

  /// Takes one event and appends the effects.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - now: the event's instant; never before the instant of an earlier call.
  ///   - effects: gets the effects in the order of their execution.
  public mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    let start = effects.count
    if case .receiver(.lost) = event {
      // Ending updates change the demand, and a lost device takes no orders.
      route(event, at: now, into: &effects)
      lapse(at: now, into: &effects)
    } else {
      lapse(at: now, into: &effects)
      if case .client(let client, let news) = event, effects.count > start {
        let remaining = effects[start...].compactMap { $0.remaining(after: news, of: client) }
        effects.replaceSubrange(start..., with: remaining)
      }
      route(event, at: now, into: &effects)
    }
    settle(from: start, at: now, into: &effects)
  }

  /// Applies the changes of an event, in a fixed order.
  ///
  /// Presses are orders, so they come before their consequences. The indicator decides about deliveries to the background,
  /// so it comes before the deliveries are held for suspended apps, and those before the deliveries are counted. The
  /// receiver's power follows from the remaining need. Records and lights show the result.
  ///
  /// - Parameters:
  ///   - start: the number of effects before the event.
  ///   - now: the instant.
  ///   - effects: the effects, to which the consequences are added.
  mutating func settle(from start: Int, at now: Instant, into effects: inout [Effect]) {
    guardRest(at: now, into: &effects)
    takePresses(at: now, into: &effects)
    settleLight(at: now, into: &effects)
    settleLives(from: start, at: now, into: &effects)
    countDeliveries(effects[start...], at: now)
    settleNeed(at: now, into: &effects)
    settlePower(at: now, into: &effects)
    settleSky(at: now, into: &effects)
    noteRecords(at: now, into: &effects)
    keepDefaults(at: now, into: &effects)
    panel.showPrompt(apps.prompts.isBlinking(at: now), at: now, into: &effects)
    let pattern = pattern(at: now)
    panel.show(pattern, at: now, into: &effects)
    day.receiverSeen(pattern.dayState, at: now)
  }

  /// Computes the need; when no more points are recorded, the last stretch of the track is written.
  ///
  /// A power cut after a trip then loses no minute of it, and the file system writes the stretch together with the other
  /// changes at the end of a trip.
  private mutating func settleNeed(at now: Instant, into effects: inout [Effect]) {
    let before = settledNeed
    settledNeed = need
    guard before == .updates, settledNeed != .updates else { return }
    storage.tracks.writeAll(at: now, into: &effects)
  }

  /// Passes an event to the machines of its family.
  private mutating func route(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    switch event {
    case .started: start(at: now, into: &effects)
    case .wallClockRead(let time, let within):
      wallClock = .read(time, at: now)
      clockRead(time, within: within, at: now, into: &effects)
    case .receiver(let event): take(event, at: now, into: &effects)
    case .client(let client, let event): take(event, of: client, at: now, into: &effects)
    case .appsRead(let declarations):
      apps.appsRead(declarations, at: now)
      endUndeclared(at: now, into: &effects)
      rightsChanged(at: now, into: &effects)
    case .consentSettingsRead(let settings):
      apps.consentSettingsRead(settings, at: now)
      rightsChanged(at: now, into: &effects)
    case .line(let line, let event):
      receiver.take(event, of: line, at: now, into: &effects)
      panel.take(event, of: line, at: now, into: &effects)
    case .accelerometer(let news): take(news, at: now, into: &effects)
    case .storage(let event): take(event, at: now, into: &effects)
    case .launcher(let event): take(event, at: now, into: &effects)
    case .track(let news): takeTrack(news, at: now, into: &effects)
    case .stopRequested: stop(at: now, into: &effects)
    case .deadlineReached: deadlineReached(at: now, into: &effects)
    }
  }

  private mutating func start(at now: Instant, into effects: inout [Effect]) {
    startInstant = now
    day.started(at: now)
    power.started(at: now)
    panel.started(into: &effects)
    receiver.started(at: now, into: &effects)
    accelerometer.started(into: &effects)
    storage.started(into: &effects)
  }

  /// The daemon stops: state that outlasts the run is requested and written.
  private mutating func stop(at now: Instant, into effects: inout [Effect]) {
    receiver.stopRequested(at: now, into: &effects)
    panel.stopRequested(at: now, into: &effects)
    // The newest position is stored, even if the last one was stored a short time ago.
    notedPlace = nil
    uses.epochs.stopRequested(at: now)
    life.stopRequested()
    noteLife(at: now, into: &effects)
    apps.stopRequested()
    defaults.stopping()
    follow(storage.stopping(at: now, into: &effects), at: now, into: &effects)
  }

  private mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    promptTimePassed(at: now, into: &effects)
    // No flash begins at the instant at which the flashes end.
    if !apps.prompts.isBlinking(at: now) { panel.showPrompt(false, at: now, into: &effects) }
    panel.deadlineReached(at: now, into: &effects)
    take(receiver.deadlineReached(at: now, into: &effects), at: now, into: &effects)
    accelerometer.deadlineReached(at: now, into: &effects)
    if rest.timePassed(to: now) { restChanged(at: now, into: &effects) }
    updates.deadlineReached(for: apps, at: now, into: &effects)
    // Updates that become outstanding here may lapse at this instant.
    lapse(at: now, into: &effects)
    follow(storage.deadlineReached(at: now, into: &effects), at: now, into: &effects)
  }

  /// Ends outstanding updates that no app took up in time.
  ///
  /// A timer may be late. This function therefore runs before every event, so that no event finds updates beyond their
  /// time limit.
  private mutating func lapse(at now: Instant, into effects: inout [Effect]) {
    if apps.lapseRights(at: now, into: &effects) { rightsChanged(at: now, into: &effects) }
    lapseConsoles(at: now, into: &effects)
    guard apps.lapse(at: now, into: &effects) else { return }
    apps.dropLapsedUpdates()
    updates.outstandingLapsed()
    demandChanged(at: now, into: &effects)
  }

  mutating func demandChanged(at now: Instant, into effects: inout [Effect]) {
    reportDemand(at: now, into: &effects)
    rest.dwellsWanted(dwellsInUse, at: now)
    restChanged(at: now, into: &effects)
  }

  private mutating func take(
    _ news: AccelerometerNews, at now: Instant, into effects: inout [Effect]
  ) {
    accelerometer.arrived(news, at: now, into: &effects)
    if accelerometer.isLost { rest.accelerometerLost() }
    guard case .samples(let batch) = news else { return }
    let isChanged = rest.samplesArrived(
      batch, showsNoise: accelerometer.showsNoise(in: batch), at: now)
    if rest.suspectsMotion { accelerometer.motionSuspected(at: now, into: &effects) }
    if isChanged { restChanged(at: now, into: &effects) }
  }

  /// Reads the accelerometer in the mode of the present need; without an accelerometer the need is not computed.
  private mutating func guardRest(at now: Instant, into effects: inout [Effect]) {
    guard accelerometer.isThere else { return }
    accelerometer.needed(for: need, at: now, into: &effects)
    if rest.samplingChanged(to: accelerometer.sampling, at: now) {
      restChanged(at: now, into: &effects)
    }
  }

  private mutating func restChanged(at now: Instant, into effects: inout [Effect]) {
    let rest = rest
    updates.restJudged(
      for: apps, at: now, isResting: { rest.isResting(dwell: $0, isPaused: $1) }, into: &effects)
    noteMovement(at: now)
  }

  mutating func take(
    _ solutions: [NavigationSolution], at now: Instant, into effects: inout [Effect]
  ) {
    for solution in solutions {
      switch judge.judge(
        solution, model: receiver.model, isSimulated: receiver.isSimulated,
        clock: receiver.memory.assistance.clock, at: now)
      {
      case .accepted(let fix):
        receiver.fixJudged(fix, at: now)
        if rest.fixJudged(fix, at: now) { restChanged(at: now, into: &effects) }
        deliver(fix, at: now, into: &effects)
        // No track is recorded while all updates pause, or while no app wants positions.
        // The need asks for the right of each app, so a board without a track does not compute it here.
        if storage.tracks.settings != nil, need == .updates {
          storage.tracks.fixJudged(fix, at: now, into: &effects)
        }
      case .rejected(let cause): receiver.solutionRejected(cause, at: now)
      }
    }
  }

  /// Delivers a fix to the apps that have a right to it, or keeps it for them.
  mutating func deliver(_ fix: Fix, at now: Instant, into effects: inout [Effect]) {
    updates.fixJudged(fix, for: apps, at: now, into: &effects)
    keepForAbsentApps(fix, at: now)
  }

  // MARK: The status light

  /// The pattern of the status light for the receiver's state.
  private func pattern(at now: Instant) -> StatusLight.Pattern {
    switch receiver.condition {
    case .absent: .off
    case .asleep: .asleep
    case .silent: .fastBlink
    case .searching: .slowBlink
    case .heard where settledNeed == .rest: .doubleBlink
    case .heard: isFixFresh(at: now) ? .solid : .slowBlink
    }
  }

  func isFixFresh(at now: Instant) -> Bool {
    updates.lastFix.map { now - $0.instant < configuration.navigation.unavailableAfter } ?? false
  }

  /// When a light that shows a fix must stop, because the fix is too old.
  var fixStaleAt: Instant? {
    guard panel.showsFix, let last = updates.lastFix else { return nil }
    return last.instant + configuration.navigation.unavailableAfter
  }
}

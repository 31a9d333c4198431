import Accelerometers
public import BinnacleBasics
import BinnacleModel
import LocationEngine

/// A board in virtual time: an engine, the actions of its daemon, a serial line, a receiver, clients, and faults.
///
/// The board takes a step, then jumps to the next instant with an event; no thread waits. All events and orders of the
/// engine pass the checkers.
public struct SimulatedBoard<Tested: EngineUnderTest> {
  public private(set) var engine: Tested
  public internal(set) var receiver: SimulatedReceiver
  public private(set) var now = Instant.zero
  /// Whether the receiver has restarted by itself while it slept.
  private(set) var hasRestartedAsleep = false
  public var checkers: BoardCheckers
  private let plan: FaultPlan
  /// The engine in its state at a start.
  private let firstEngine: Tested
  private let steady: [Event]
  private let kind: Event.ReceiverPort.Kind
  private var line = BoardLine()
  /// The wire to the receiver's pin EXTINT; nil: the pin is not connected.
  private var wire: WakeWire?
  private(set) var state = BoardState()
  private var tracks = BoardState()
  /// The uncertainty of the wall clock as the kernel states it; nil: the kernel states none.
  var clockWithin: Interval?
  /// Separate random numbers, so that the duration of disk calls changes nothing else in a journey.
  private var diskRandom: Random
  private var random: Random
  private var agenda: [Entry] = []
  private var entryNumber = 0
  private var areFaultsOver = false
  private var isSilent = false
  private var isUnplugged = false
  private var refusal: ReceiverFailure?
  private var wallClockOffset = Interval.zero
  private var isDrainAwaited = false
  private var motionSource: MotionSource?
  /// The apps with their person, the lamp and the buttons; nil on a board without them.
  private var crowd: AppCrowd?
  private var effects: [Effect] = []
  var transcribe: ((String) -> Void)?
  /// The last report of the engine.
  private(set) var report = Report()

  private struct Entry {
    var at: Instant
    var number: Int
    var occurrence: Occurrence
  }

  private enum Occurrence {
    case event(Event)
    /// An event that is valid only during the same opening of the device.
    case openEvent(Event, opening: Int)
    case bytesReachReceiver([UInt8], speed: Int, opening: Int)
    case drained(opening: Int)
    case changeSpeed(Int, opening: Int)
    case open(speed: Int)
    case fault(FaultPlan.Action)
    case state(StatePlan.Action)
    case wire(isThere: Bool)
  }

  init(
    engine: Tested, receiver: SimulatedReceiver, plan: FaultPlan, script: ClientScript,
    statePlan: StatePlan, kind: Event.ReceiverPort.Kind, random: Random,
    transcribe: ((String) -> Void)?, dwells: DwellSettings = DwellSettings(),
    rests: RestPlan = .none,
    motionSource: MotionSource? = nil, wire: WakeWire? = nil, crowd: AppCrowd? = nil
  ) {
    self.motionSource = motionSource
    self.crowd = crowd
    self.engine = engine
    self.wire = wire
    firstEngine = engine
    steady = script.events.map(\.event).filter(ClientScript.isSteady)
    self.receiver = receiver
    self.plan = plan
    self.kind = kind
    self.random = random
    diskRandom = Random(seed: UInt64(truncatingIfNeeded: plan.actions.count) &+ 77)
    self.transcribe = transcribe
    checkers = BoardCheckers(
      world: receiver.world, isLineClean: plan.flipChance == 0 && plan.lossChance == 0,
      dwells: dwells, rests: rests, felt: motionSource?.felt)
    if crowd != nil { checkers.rights = RightsLedger(AppCrowd.model) }
    for (at, action) in plan.actions { schedule(.fault(action), at: at) }
    schedule(.event(.started), at: .zero)
    for (at, event) in script.events { schedule(.event(event), at: at) }
    if let wire {
      schedule(.wire(isThere: false), at: wire.lostAt)
      schedule(.wire(isThere: true), at: wire.backAt)
    }
    for (at, action) in statePlan.actions { schedule(.state(action), at: at) }
  }

  // MARK: - Time

  /// Runs until an instant, or until a rule is broken.
  public mutating func run(until end: Instant) {
    while checkers.violations.isEmpty, let due = nextInstant, due <= end {
      now = max(now, due)
      step()
      checkers.timePassed(to: now, receiver)
    }
    now = max(now, end)
    checkers.timePassed(to: now, receiver)
  }

  /// Starts with the records on another board's disk.
  mutating func takeOver(_ state: BoardState, from before: SimulatedBoard) {
    self.state = state
    var disk = state
    checkers.startsAfter(before.checkers, found: disk.open().records)
  }

  /// Sets the error of the wall clock from the start on.
  mutating func misset(clockBy error: Interval) { wallClockOffset = error }

  /// Cuts the power or kills the daemon now.
  mutating func strike(_ action: StatePlan.Action) { happen(action) }

  /// Delivers an event to the engine.
  mutating func occur(_ event: Event) { deliver(event) }

  /// From now on the disk works, and location services are on.
  mutating func mend() {
    state.fail(after: nil)
    tracks.fail(after: nil)
    if let deed = crowd?.switchServices(on: true) { happen(deed) }
  }

  /// The person of the crowd gives a command.
  mutating func command(_ request: ConsentRequest) {
    for deed in crowd?.command(request) ?? [] { happen(deed) }
  }

  private var nextInstant: Instant? {
    [
      agenda.first?.at, receiver.nextDeadline, readDue, engineDue, motionSource?.nextDeadline,
      crowd?.nextDeadline,
    ].compactMap { $0 }.min()
  }

  private var engineDue: Instant? {
    engine.outlook.nextDeadline.map {
      areFaultsOver
        ? $0 : $0 + .microseconds(Int64(plan.timerDelayMilliseconds * 1_000 * 0.5))
    }
  }

  /// The daemon reads when bytes are present, except while the engine requests a quiet receiver.
  private var readDue: Instant? {
    guard let since = line.readableSince else { return nil }
    guard let quiet = engine.outlook.receiverQuietUntil else { return since }
    return max(since, quiet)
  }

  private mutating func step() {
    receiver.advance(to: now)
    hearReceiver()
    if let first = agenda.first, first.at <= now {
      agenda.removeFirst()
      happen(first.occurrence)
    } else if let readDue, readDue <= now {
      deliver(.receiver(.bytesArrived(line.read())))
    } else if let engineDue, engineDue <= now {
      deliver(.deadlineReached)
    } else if let due = motionSource?.nextDeadline, due <= now {
      for news in motionSource?.read(at: now) ?? [] { deliver(.accelerometer(news)) }
    } else if let due = crowd?.nextDeadline, due <= now {
      for deed in crowd?.act(at: now) ?? [] { happen(deed) }
    }
  }

  private mutating func schedule(_ occurrence: Occurrence, at instant: Instant) {
    let entry = Entry(at: max(instant, now), number: entryNumber, occurrence: occurrence)
    entryNumber += 1
    let index = agenda.firstIndex { ($0.at, $0.number) > (entry.at, entry.number) }
    agenda.insert(entry, at: index ?? agenda.endIndex)
  }

  // MARK: - The line

  private mutating func hearReceiver() {
    for chunk in receiver.takeOutput() {
      guard let speed = line.speed, !isSilent, !isUnplugged else { continue }
      let heard = SerialSampling.heard(chunk.bytes, sentAt: chunk.speed, readAt: speed)
      let damaged = damaged(heard)
      checkers.memory.heard(damaged, insteadOf: heard)
      line.hear(damaged, at: now)
    }
  }

  private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    guard !areFaultsOver, plan.flipChance > 0 || plan.lossChance > 0 else { return bytes }
    var result: [UInt8] = []
    for byte in bytes {
      if random.chance(plan.lossChance) { continue }
      let isFlipped = random.chance(plan.flipChance)
      result.append(isFlipped ? byte ^ (1 << UInt8(random.next() % 8)) : byte)
    }
    return result
  }

  // MARK: - Events

  private mutating func happen(_ occurrence: Occurrence) {
    switch occurrence {
    case .event(.started):
      deliver(.storage(.read(state.open(allowsApp: true))))
      deliver(.started)
      readWallClock()
    case .event(let event): deliver(event)
    case .openEvent(let event, let opening):
      if opening == line.opening { deliver(event) }
    case .bytesReachReceiver(let bytes, let speed, let opening):
      guard opening == line.opening, !isUnplugged else { return }
      receiver.bytesArrived(damaged(bytes), at: speed, at: now)
    case .drained(let opening):
      guard opening == line.opening, isDrainAwaited, line.drainedAt <= now else { return }
      isDrainAwaited = false
      deliver(.receiver(.drained))
    case .changeSpeed(let speed, let opening):
      guard opening == line.opening else { return }
      if let onlySpeed = plan.onlySpeed, speed != onlySpeed {
        deliver(.receiver(.speedRefused(speed)))
      } else {
        line.setSpeed(speed)
        deliver(.receiver(.speedChanged(speed)))
      }
    case .open(let speed): open(speed: speed)
    case .fault(let action): happen(action)
    case .state(let action): happen(action)
    case .wire(let isThere):
      if let event = wire?.changed(isThere: isThere) { deliver(event) }
    }
  }

  private mutating func happen(_ deed: AppCrowd.Deed) {
    switch deed {
    case .event(let event): deliver(event)
    case .strike(let action): happen(action)
    }
  }

  private mutating func happen(_ action: StatePlan.Action) {
    transcribe?(Transcript.remark(now, "\(action)"))
    switch action {
    case .request(let event): deliver(event)
    case .failDisk(let calls, let damage):
      state.fail(after: calls, damage)
      tracks.fail(after: calls, damage)
    case .cutPower(let seed):
      crowd?.daemonEnded(isPowerCut: true, at: now)
      goDark { $0.cutPower(seed: seed) }
    case .killDaemon:
      crowd?.daemonEnded(isPowerCut: false, at: now)
      goDark { $0.killDaemon() }
    }
  }

  /// Ends the daemon at once and starts it again, with or without the board; the receiver has a battery.
  private mutating func goDark(_ strike: (inout BoardState) -> Void) {
    agenda.removeAll { entry in
      switch entry.occurrence {
      case .fault, .state, .wire: false
      case .event, .openEvent, .bytesReachReceiver, .drained, .changeSpeed, .open: true
      }
    }
    line.close()
    wire?.released()
    motionSource?.stop()
    isDrainAwaited = false
    engine = firstEngine
    strike(&state)
    strike(&tracks)
    let reading = state.open(allowsApp: true)
    checkers.powerCut(found: reading.records, tracks: tracks.open().records, at: now)
    deliver(.storage(.read(reading)))
    deliver(.started)
    readWallClock()
    // The client that stays to the end connects again.
    for event in steady { deliver(event) }
  }

  private mutating func readWallClock() {
    deliver(
      .wallClockRead(receiver.world.utc(at: now) + wallClockOffset, within: clockWithin))
  }

  private mutating func happen(_ action: FaultPlan.Action) {
    transcribe?(Transcript.remark(now, "\(action)"))
    switch action {
    case .restartReceiver:
      guard !isUnplugged else { return }
      hasRestartedAsleep = hasRestartedAsleep || receiver.isAsleep
      receiver.restart(at: now)
      checkers.receiverRestarted(at: now)
    case .silence(let isOn): isSilent = isOn
    case .unplug:
      isUnplugged = true
      receiver.removePower(at: now)
      if line.speed != nil {
        line.close()
        deliver(.receiver(.lost(.init(.unplugged, "hung up"))))
      }
    case .replug:
      isUnplugged = false
      receiver.applyPower(at: now)
      checkers.receiverRestarted(at: now)
    case .refuseOpening(let kind): refusal = kind
    case .stepWallClock(let seconds):
      wallClockOffset = .seconds(seconds)
      // The daemon has not started yet at the first instant.
      if now > .zero { readWallClock() }
    case .faultsEnd:
      areFaultsOver = true
      state.fail(after: nil)
      tracks.fail(after: nil)
      refusal = nil
      isSilent = false
    }
  }

  private mutating func open(speed: Int) {
    if isUnplugged || refusal != nil {
      let kind = isUnplugged ? .missing : refusal ?? .missing
      return deliver(.receiver(.openFailed(.init(kind, "simulated: \(kind)"))))
    }
    line.open(speed: plan.onlySpeed ?? speed, at: now)
    deliver(.receiver(.opened(.init(kind: kind, speed: plan.onlySpeed ?? speed))))
  }

  // MARK: - The engine and its orders

  private mutating func deliver(_ event: Event) {
    transcribe?(Transcript.line(now, event))
    checkers.delivered(event, at: now)
    effects.removeAll(keepingCapacity: true)
    engine.handle(event, at: now, into: &effects)
    checkers.ordered(effects, after: event, isOpen: line.speed != nil, at: now)
    for effect in effects {
      transcribe?(Transcript.line(effect))
      perform(effect)
    }
  }

  private mutating func perform(_ effect: Effect) {
    crowd?.take(effect, at: now)
    switch effect {
    case .receiver(.open(let speed)):
      schedule(.open(speed: speed), at: now + .microseconds(500 + Int64(random.unit() * 3_000)))
    case .receiver(.close):
      line.close()
      isDrainAwaited = false
    case .receiver(.write(let bytes)):
      guard let speed = line.speed else { return }
      let left = line.write(bytes.count, at: now)
      schedule(.bytesReachReceiver(bytes, speed: speed, opening: line.opening), at: left)
      isDrainAwaited = true
      schedule(.drained(opening: line.opening), at: left + drainDelay)
    case .receiver(.setSpeed(let speed)):
      guard line.speed != nil else { return }
      schedule(
        .changeSpeed(speed, opening: line.opening), at: max(now, line.drainedAt) + drainDelay)
    case .client(_, .report(_, let report)): self.report = report
    case .storage(.commit(let number, let changes)):
      schedule(
        .event(state.commit(number, changes)),
        at: now + .microseconds(500 + Int64(diskRandom.unit() * 40_000)))
    case .track(let order):
      schedule(
        .event(.track(tracks.carryOut(order))),
        at: now + .microseconds(500 + Int64(diskRandom.unit() * 40_000)))
    case .storage(.open): schedule(.event(.storage(.read(state.open(allowsApp: true)))), at: now)
    case .line(.receiverWake, .open):
      if let event = wire?.opened() { schedule(.event(event), at: now + .microseconds(300)) }
    case .line(.receiverWake, .set(let isLow)):
      guard let (event, isEdge) = wire?.driven(low: isLow) else { return }
      if isEdge { receiver.interruptEdgeCame(at: now) }
      schedule(.event(event), at: now + .microseconds(100))
    case .watchAccelerometer(let mode): motionSource?.watch(mode, at: now)
    case .receiver(.attend), .client, .line, .launcher, .log: break
    }
  }

  private var drainDelay: Interval {
    let slow = areFaultsOver ? 0 : plan.drainDelayMilliseconds
    return .microseconds(200 + Int64(slow * 1_000))
  }
}

import BinnacleBasics
import BinnacleModel
import LaunchWire
import LocationEngine

/// A board in virtual time whose apps a launcher runs: an engine with its disk, its lamp and its button HOME, a launcher, the
/// programs of apps, a person, and a receiver that only sends.
///
/// The daemon and the launcher end and come back at any moment, and so does the power.
struct LifeBoard<Tested: EngineUnderTest> {
  enum Item: Sendable {
    case plan(LifePlan.Action)
    case fix
    case memory
    case contact(isPressed: Bool)
    /// An event for the daemon of this number.
    case event(Event, daemon: Int)
    case line(Effect.Line, LineID, daemon: Int)
    case request(LaunchRequest, connection: Int)
    case report(LaunchReport, connection: Int)
    case program(Int32, LifeCrowd.Step)
    /// The launcher notices the end of a process.
    case noticed(ProcessTable.End)
    case gone(ClientID, daemon: Int)
    case startDaemon, startLauncher, connect
    /// The daemon ends as soon as its state is written, or at the limit.
    case stopDaemon(daemon: Int, limit: Instant, absentFor: Interval)
    case lost(connection: Int)
  }

  private(set) var engine: Tested
  private(set) var now = Instant.zero
  var ledger: LifeLedger
  private(set) var violations: [String] = []
  /// The deadlines of the engine at the present instant.
  private var deadlineCount = 0
  var crowd: LifeCrowd
  var processes = ProcessTable()
  var launcher: SimulatedLauncher?
  var link = LauncherLink()
  var agenda = Agenda<Item>()
  var random: Random
  let period: Interval
  let flaw: SimulatedLauncher.Flaw?
  private let firstEngine: Tested
  private var state = BoardState()
  var panel = SimulatedPanel()
  private(set) var daemon = 0
  private(set) var isDaemonRunning = false
  var records: [SimulatedLauncher.Record] = []
  /// Since when the launcher runs without a daemon; nil while a daemon is connected, and without a launcher.
  var unattendedSince: Instant?
  private var isOpen = false
  var memoryShortUntil = Instant.zero
  /// The clients of the daemon that are connected.
  private(set) var connected: [ClientID] = []
  /// The steps of processes that are frozen.
  var held: [(process: Int32, step: LifeCrowd.Step)] = []
  var frozen: [Int32] = []
  /// The processes that a person has started in a terminal.
  var terminals: [Int32] = []
  private var effects: [Effect] = []
  private var requestNumber: UInt32 = 0
  private var transcribe: ((String) -> Void)?
  /// Packets of one connection keep their order.
  var wireAt = Instant.zero

  init(
    engine: Tested, plan: LifePlan, ledger: LifeLedger, crowd: LifeCrowd,
    flaw: SimulatedLauncher.Flaw?, random: Random, transcribe: ((String) -> Void)?
  ) {
    self.engine = engine
    firstEngine = engine
    self.ledger = ledger
    self.crowd = crowd
    self.flaw = flaw
    self.random = random
    self.transcribe = transcribe
    period = plan.period
    for (at, action) in plan.actions { agenda.add(.plan(action), at: at) }
    agenda.add(.startLauncher, at: .zero)
    agenda.add(.startDaemon, at: .zero + .milliseconds(10))
    agenda.add(.fix, at: .zero + .milliseconds(700))
    agenda.add(.memory, at: .zero + .seconds(10))
  }

  // MARK: Time

  mutating func run(until end: Instant) {
    while violations.isEmpty, let due = nextInstant, due <= end {
      if due > now { deadlineCount = 0 }
      now = max(now, due)
      step()
      check(ledger.overdue(at: now))
      checkFrozen()
    }
    now = max(now, end)
  }

  private var nextInstant: Instant? {
    let ofEngine = isDaemonRunning ? engine.outlook.nextDeadline : nil
    return earlier(earlier(agenda.nextInstant, launcher?.nextDeadline), ofEngine)
  }

  private mutating func step() {
    if let item = agenda.next(at: now) {
      happen(item)
    } else if var running = launcher, let due = running.nextDeadline, due <= now {
      running.deadlineReached(&processes, at: now)
      launcher = running
    } else {
      deadlineCount += 1
      if deadlineCount > 100 { check("the engine has one deadline again and again") }
      deliver(.deadlineReached)
    }
    follow()
  }

  mutating func check(_ text: String?) {
    guard let text, violations.isEmpty else { return }
    violations.append("\(now.nanoseconds / 1_000_000) ms: \(text)")
  }

  mutating func remark(_ text: @autoclosure () -> String) {
    transcribe?(Transcript.remark(now, text()))
  }

  // MARK: The daemon

  /// Delivers an event to the daemon, if it runs.
  mutating func deliver(_ event: Event) {
    guard isDaemonRunning, violations.isEmpty else { return }
    transcribe?(Transcript.line(now, event))
    check(ledger.delivered(event, at: now))
    effects.removeAll(keepingCapacity: true)
    engine.handle(event, at: now, into: &effects)
    check(ledger.ordered(effects, after: event, at: now))
    let all = effects
    for effect in all {
      transcribe?(Transcript.line(effect))
      perform(effect)
    }
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .receiver(.open(let speed)):
      isOpen = true
      later(
        .receiver(.opened(.init(kind: .pseudoTerminal, speed: speed))), after: .milliseconds(1))
    case .receiver(.close): isOpen = false
    case .receiver(.write): later(.receiver(.drained), after: .milliseconds(2))
    case .receiver(.setSpeed(let speed)):
      later(.receiver(.speedChanged(speed)), after: .milliseconds(2))
    case .client(let client, .phase(let phase)):
      guard crowd.isAwake(client, processes) else { return }
      carryOut(crowd.informed(client, of: phase))
    case .storage(.commit(let number, let changes)):
      later(state.commit(number, changes), after: .microseconds(500 + draw(40_000)))
    case .storage(.open): later(.storage(.read(state.open())), after: .zero)
    case .line(let line, let order):
      let at = now + .microseconds(100 + draw(4_000))
      guard case .set = order else {
        return agenda.add(.line(order, line, daemon: daemon), at: at)
      }
      if let event = panel.take(order, of: line) {
        agenda.add(.event(event, daemon: daemon), at: at)
      }
    case .launcher(let app, let order):
      let (request, refusal) = link.perform(order, about: app)
      if let request { send(.request(request, connection: link.number)) }
      if let refusal { later(refusal, after: .zero) }
    case .receiver(.attend), .client, .track, .watchAccelerometer, .log: return
    }
  }

  private mutating func later(_ event: Event, after wait: Interval) {
    agenda.add(.event(event, daemon: daemon), at: now + wait)
  }

  /// Sends a packet between the daemon and the launcher.
  mutating func send(_ item: Item) {
    wireAt = max(wireAt, now + .microseconds(50 + draw(1_500)))
    agenda.add(item, at: wireAt)
  }

  mutating func draw(_ max: Double) -> Int64 { Int64(max * random.unit()) }

  mutating func startDaemon() {
    guard !isDaemonRunning else { return }
    daemon += 1
    isDaemonRunning = true
    isOpen = false
    engine = firstEngine
    remark("the daemon starts")
    ledger.daemonStarted(at: now)
    deliver(.storage(.read(state.open())))
    deliver(.started)
    deliver(.wallClockRead(FixSource.time(at: now)))
    let tool = ClientScript.operatorPeer(processID: 1)
    deliver(.client(LifeLedger.witness, .connected(tool, program: "binnacle")))
    deliver(.client(LifeLedger.witness, .updatesOpened(SequenceID(number: 1), .default)))
    deliver(.client(LifeLedger.person, .connected(tool, program: "binnacle")))
    agenda.add(.connect, at: now + .microseconds(500))
    carryOut(crowd.daemonStarted())
  }

  /// The daemon has ended, by a signal or at the end of its stop.
  mutating func endDaemon(isPowerCut seed: UInt64? = nil) {
    guard isDaemonRunning else { return }
    isDaemonRunning = false
    ledger.daemonEnded(at: now)
    link.reset()
    launcher?.daemonLeft(&processes, at: now)
    unattendedSince = launcher == nil ? nil : now
    panel.released()
    connected = []
    crowd.daemonEnded()
    if let seed { state.cutPower(seed: seed) } else { state.killDaemon() }
  }

  /// From now on the daemon and the launcher run, and programs do what they should.
  mutating func mend() {
    crowd.calmDown()
    agenda.removeAll { if case .plan = $0 { true } else { false } }
    happen(.plan(.mendLamp))
    // A daemon that was ordered to stop ends in a moment.
    run(until: now + .seconds(1))
    let end = now + .seconds(200)
    while violations.isEmpty, now < end, !(isDaemonRunning && link.isAttended) {
      run(until: now + .seconds(1))
    }
    memoryShortUntil = .zero
    run(until: now + .seconds(5))
  }

  /// Ends all processes of an app.
  mutating func killAll(_ app: Int) {
    for process in processes.processes where process.app == app {
      processes.end(process.id, .killed(signal: 9))
    }
    follow()
  }

  /// A person starts an app, again if the launcher refuses; it may refuse several starts in a row.
  mutating func start(_ app: Int) {
    for _ in 0..<20 where violations.isEmpty && !processes.isLaunched(app) {
      command(.start(app: LifeCrowd.manifests[app].identifier))
      run(until: now + .milliseconds(500))
    }
  }

  /// A person gives a command.
  mutating func command(_ request: ConsentRequest) {
    requestNumber += 1
    deliver(.client(LifeLedger.person, .requested(requestNumber, .consent(request))))
    follow()
  }

  mutating func deliver(_ event: Event.Client, of client: ClientID) {
    switch event {
    case .connected: connected.append(client)
    case .disconnected:
      guard connected.contains(client) else { return }
      connected.removeAll { $0 == client }
    case _: guard connected.contains(client) else { return }
    }
    deliver(.client(client, event))
  }

  mutating func takeFix() {
    agenda.add(.fix, at: now + period)
    if isOpen { deliver(.receiver(.bytesArrived(FixSource.message(at: now)))) }
  }

  mutating func readMemory() {
    agenda.add(.memory, at: now + Engine.Outlook.memoryPeriod)
    guard isDaemonRunning, engine.outlook.isMemoryWatched else { return }
    deliver(.launcher(.memoryRead(availableBytes: now < memoryShortUntil ? 8 << 20 : 200 << 20)))
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog

@testable import LocationEngine

/// One history of the walk: an engine with one app, a launcher and a log that answer at once, and what the app must see.
///
/// The app does what an app of Apple's sample does: it makes its background session and its updates as soon as it runs.
struct LifeHistory {
  private static let app = LifeWalk.app
  private static let window = Interval.seconds(10)
  private static let epoch = UTCTime(secondsSince1970: 1_790_000_000)

  /// Where the app's background session is, by the rules of the page STATES.md.
  private enum Hold: Equatable {
    case none
    case held
    case away
    case back(until: Instant)
  }

  private var engine: Engine
  private var now = Instant.zero
  private var records = RecordSet()
  private var lampIsLit = false
  private var lastClient: UInt32 = 100
  private let defect: LifeWalk.Defect?

  // The processes.
  private var isRunning = false
  private var isFrozen = false
  private var startedAt = Instant.zero
  /// Whether the present process has made its session and opened its updates.
  private var hasBegun = false
  private var client: ClientID?
  private var isIterating = false

  // The rules.
  private var isAllowed = true
  private var isInFront = false
  /// Whether HOME can bring the app back: the daemon does not remember the foreground of an earlier run.
  private var wasInFront = false
  private var graceEnd: Instant?
  /// Until when the place of an ended process in the foreground is kept.
  private var keptUntil: Instant?
  private var isClosed = true
  private var hold = Hold.none
  private var hasUpdates = false
  /// The seconds of the locations that the app has a right to and has not got.
  private var owed: [Int64] = []
  private var lastSecond: Int64?
  private var wasNoticed = false
  /// The first rule that was broken.
  private(set) var brokenRule: String?

  init(_ defect: LifeWalk.Defect?) {
    self.defect = defect
    engine = Engine(configuration: LifeHistory.configuration, seed: 1)
    startDaemon()
    take(.allow)
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.panel.hasIndicator = true
    configuration.apps = [
      AppDeclaration(
        identifier: LifeWalk.identifier, hasBackgroundLocation: true, whenInUseText: "a")
    ]
    return configuration
  }

  // MARK: Events

  /// Lets the engine and the rules take an event; false if the event is not possible now.
  @discardableResult
  mutating func take(_ event: LifeWalk.Event) -> Bool {
    switch event {
    case .start:
      guard !isRunning else { return false }
      isClosed = false
      order(.start(app: LifeWalk.identifier))
      (isInFront, wasInFront, graceEnd) = (true, true, nil)
    case .quit:
      guard !isClosed else { return false }
      close()
      order(.quit(app: LifeWalk.identifier))
    case .home:
      guard isRunning, isInFront || wasInFront else { return false }
      if isInFront { graceEnd = now + .seconds(10) } else { graceEnd = nil }
      isInFront.toggle()
      order(.home)
    case .allow, .deny:
      isAllowed = event == .allow
      if !isAllowed { (hold, owed) = (.none, []) }
      let name = LifeWalk.identifier
      order(isAllowed ? .allow(app: name, .whenInUse) : .deny(app: name))
    case .begin:
      guard isRunning, !isFrozen, !isIterating else { return false }
      begin()
    case .crash, .exit:
      guard isRunning, !isFrozen else { return false }
      end(isClean: event == .exit)
    case .fix: fix()
    case .rest:
      wait(.seconds(25))
    case .restartDaemon: restartDaemon()
    case .restartLauncher:
      send(.launcher(.lost))
      connectLauncher()
    }
    beginSession()
    check()
    return true
  }

  /// An object of the app begins its session as soon as the app is allowed and in the foreground.
  private mutating func beginSession() {
    if isIterating, isAllowed, isInFront, hold == .none { hold = .held }
  }

  private mutating func order(_ request: ConsentRequest) {
    send(.client(ClientID(number: 1), .requested(7, .consent(request))))
  }

  private mutating func begin() {
    if client == nil { connect() }
    guard let client else { return }
    send(.client(client, .sessionOpened(SessionID(number: 1), .backgroundActivity)))
    switch hold {
    case .none, .away, .held: hold = isInFront && isAllowed ? .held : .none
    case .back: hold = isAllowed ? .held : .none
    }
    (isIterating, hasBegun) = (true, true)
    hasUpdates = true
    // A sequence begins with the last fix, if the fix is fresh and the app may have it.
    if isEntitled, owed.isEmpty, let second = lastSecond, second + 2 >= Int64((now - .zero).seconds)
    {
      owed = [second]
    }
    send(.client(client, .updatesOpened(SequenceID(number: 1), .default)))
    // The location may have reached the app before.
    owed = []
  }

  private mutating func connect() {
    lastClient += 1
    let id = ClientID(number: lastClient)
    client = id
    if hold == .away { hold = .back(until: now + LifeHistory.window) }
    let peer = Peer(userID: 1_001, processID: 5, app: LifeHistory.app, isLaunched: true)
    send(.client(id, .connected(peer, program: "walk")))
    send(.client(id, .phaseWatched))
  }

  private mutating func end(isClean: Bool) {
    let wasLaunching = now - startedAt < LifeHistory.window && !hasBegun
    hasBegun = false
    if isIterating || client == nil, hold == .held { hold = .away }
    if case .back = hold, !(isClean && wasLaunching) { hold = .away }
    if hold == .away, isClean, wasLaunching { hold = .back(until: now + LifeHistory.window) }
    let gone = client
    (isRunning, isFrozen, client, isIterating) = (false, false, nil, false)
    if let gone { send(.client(gone, .disconnected)) }
    graceEnd = nil
    keptUntil = isInFront ? now + LifeHistory.window : nil
    send(.launcher(.ended(LifeHistory.app, isClean ? .exited(status: 0) : .killed(signal: 11))))
  }

  private mutating func close() {
    (isClosed, hold, hasUpdates, owed) = (true, .none, false, [])
    (isInFront, graceEnd, keptUntil) = (false, nil, nil)
  }

  private mutating func fix() {
    wait(.seconds(1))
    let second = Int64((now - .zero).seconds)
    lastSecond = second
    if isEntitled, hasUpdates { owed.append(second) }
    let fix = Fix(
      latitude: 48, longitude: 11, horizontalAccuracy: 3, time: LifeHistory.epoch + .seconds(second)
    )
    var effects: [Effect] = []
    engine.deliver(fix, at: now, into: &effects)
    engine.settle(from: 0, at: now, into: &effects)
    carryOut(effects)
  }

  /// Whether the app may have the location of this moment.
  private var isEntitled: Bool {
    guard isAllowed else { return false }
    if client != nil, isInFront || graceEnd != nil { return true }
    return hold != .none
  }

  private mutating func restartDaemon() {
    let wasConnected = client != nil
    // Waiting locations are in memory.
    owed = []
    client = nil
    (isIterating, hasBegun) = (false, false)
    if hold != .none { hold = .away }
    (isInFront, wasInFront, graceEnd, keptUntil) = (false, false, nil, nil)
    startDaemon()
    if wasConnected, isRunning, !isFrozen { begin() }
  }

  private mutating func startDaemon() {
    engine = Engine(configuration: LifeHistory.configuration, seed: 1)
    lampIsLit = false
    send(.storage(.read(StateReading(records: records))))
    send(.started)
    send(.wallClockRead(LifeHistory.epoch + (now - .zero)))
    let peer = Peer(userID: 0, processID: 1, mayOperate: true, isOperator: true)
    send(.client(ClientID(number: 1), .connected(peer, program: "binnacle")))
    connectLauncher()
  }

  private mutating func connectLauncher() {
    let running = isRunning ? [Event.RunningApp(app: LifeHistory.app, isFrozen: isFrozen)] : []
    send(.launcher(.connected(running)))
  }

  // MARK: Time and answers

  private mutating func wait(_ time: Interval) {
    let end = now + time
    while let due = engine.nextDeadline, due <= end {
      now = max(now, due)
      lapse()
      send(.deadlineReached)
    }
    now = end
    lapse()
  }

  private mutating func lapse() {
    if let end = graceEnd, end <= now { graceEnd = nil }
    if let end = keptUntil, end <= now { (isInFront, keptUntil) = (false, nil) }
    if case .back(let end) = hold, end <= now { (hold, owed) = (.none, []) }
  }

  private mutating func send(_ event: Event) {
    var effects: [Effect] = []
    engine.handle(event, at: now, into: &effects)
    spoil(event, &effects)
    carryOut(effects)
  }

  private mutating func carryOut(_ effects: [Effect]) {
    var events: [Event] = []
    for effect in effects {
      switch effect {
      case .client(let client, .deliver(_, let update)) where client != ClientID(number: 1):
        delivered(update, to: client)
      case .client(_, .phase(let phase)): if phase == .suspending { wasNoticed = true }
      case .line(.indicator, let order): if let event = lamp(order) { events.append(event) }
      case .storage(.commit(let number, let changes)):
        for change in changes { records.apply(change) }
        let receipt = CommitReceipt(
          sequence: 1, bytesWritten: 4_096, flushCount: 1, isCompaction: false)
        events.append(.storage(.committed(number, receipt)))
      case .launcher(_, let order): events += launch(order)
      case .client, .receiver, .line, .watchAccelerometer, .storage, .track, .log: break
      }
    }
    for event in events { send(event) }
  }

  private mutating func lamp(_ order: Effect.Line) -> Event? {
    switch order {
    case .open: return .line(.indicator, .opened(isActive: false, isDebounced: false))
    case .set(let isActive): lampIsLit = isActive
    case .read: break
    }
    return .line(.indicator, .read(isActive: lampIsLit))
  }

  private mutating func launch(_ order: Effect.Launcher) -> [Event] {
    switch order {
    case .start(let isForLocation):
      if isForLocation, isClosed { fail("launched after a person had closed the app") }
      if isForLocation, hold == .none { fail("launched without a session") }
      (isRunning, isFrozen, startedAt, wasNoticed) = (true, false, now, false)
      keptUntil = nil
      return [.launcher(.started(LifeHistory.app))]
    case .freeze:
      if isInFront { fail("suspended in the foreground") }
      if client != nil, !wasNoticed { fail("suspended without a notice") }
      isFrozen = true
      return [.launcher(.frozen(LifeHistory.app))]
    case .thaw:
      (isFrozen, wasNoticed) = (false, false)
      let events: [Event] = [.launcher(.thawed(LifeHistory.app))]
      if client == nil, hasUpdates || hold != .none {
        for event in events { send(event) }
        begin()
        return []
      }
      return events
    case .end, .kill:
      let gone = client
      (isRunning, isFrozen, client, isIterating) = (false, false, nil, false)
      return (gone.map { [Event.client($0, .disconnected)] } ?? [])
        + [.launcher(.ended(LifeHistory.app, .killed(signal: 15)))]
    }
  }

  // MARK: Rules

  private mutating func delivered(_ update: Update, to client: ClientID) {
    if isFrozen { fail("delivered to a suspended app") }
    guard client == self.client, let fix = update.fix else { return }
    let second = Int64((fix.time - LifeHistory.epoch).seconds)
    guard owed.first == second else {
      return fail("delivered second \(second), which the app has no right to; due: \(owed)")
    }
    owed.removeFirst()
  }

  private mutating func check() {
    if isRunning, !isFrozen, isIterating, !owed.isEmpty {
      fail("a running app has not got the seconds \(owed)")
    }
    if engine.apps.sessions.isHeld(.background, by: LifeHistory.app), isClosed {
      fail("a closed app holds a session")
    }
  }

  private mutating func fail(_ rule: String) { brokenRule = brokenRule ?? rule }

  // MARK: Broken engines

  private mutating func spoil(_ event: Event, _ effects: inout [Effect]) {
    let app = LifeHistory.app
    switch defect {
    case nil: break
    case .closedAppComesBack:
      guard case .launcher(.ended) = event, isClosed else { return }
      effects.append(.launcher(app, .start(isForLocation: true)))
    case .waitingUpdatesAreLost:
      if engine.apps.lives[app] != nil {
        engine.apps.lives.change(app) { $0.queue = UpdateQueue() }
      }
    case .waitingUpdatesAreRepeated:
      guard case .launcher(.thawed) = event else { return }
      effects += effects.filter { if case .client(_, .deliver) = $0 { true } else { false } }
    case .denialKeepsWaitingUpdates:
      guard !isAllowed, let client, !isFrozen, isIterating, let second = lastSecond else { return }
      let fix = Fix(
        latitude: 48, longitude: 11, horizontalAccuracy: 3,
        time: LifeHistory.epoch + .seconds(second))
      effects.append(.client(client, .deliver([SequenceID(number: 1)], Update(fix: fix))))
    case .suspendsWithoutNotice:
      effects.removeAll { if case .client(_, .phase(.suspending)) = $0 { true } else { false } }
    }
  }
}

import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import TestSupport
import Testing

@testable import LocationEngine

/// An engine without a receiver, its log on a simulated disk, and apps that come and go.
struct OutstandingDesk {
  static let geometry = LogGeometry.ofFile
  static let tracker = AppID.listed("org.example.tracker")
  static let walker = AppID.unlisted(userID: 1_000, executable: "/usr/bin/walker")

  @Indirect var engine: Engine
  var now = Instant.zero
  var effects: [Effect] = []
  /// The commits that say something of live updates, oldest first, and what they cost.
  var commits: [[Change]] = []
  private(set) var flushCount = 0
  private(set) var bytesWritten = 0
  /// Whether the disk takes its time, until it is released.
  var holdsCommits = false
  private var held: [Event] = []
  private var log: StateLog<SimulatedDisk>?
  private var disk = SimulatedDisk(byteCount: geometry.byteCount)
  var configuration: Configuration
  private let allowsApps: Bool
  private var lastClient: UInt32 = 0

  /// The answer of the indicator's line to an order.
  enum Lamp: Equatable {
    case works
    /// The line reads back this level.
    case stuck(Bool)
    /// The line is lost.
    case lost
    /// The order is not answered.
    case silent
  }

  var lamp = Lamp.works
  var launcher = TestLauncher()
  var isButtonPressed = false
  /// The levels of the indicator, with their instants.
  private(set) var lampLevels: [(isLit: Bool, at: Instant)] = []

  /// - Parameters:
  ///   - allowsApps: whether a person has allowed each app with a manifest before it connects.
  ///   - adjust: changes the configuration.
  init(allowsApps: Bool = true, _ adjust: (inout Configuration) -> Void = { _ in }) {
    self.allowsApps = allowsApps
    var configuration = Configuration()
    adjust(&configuration)
    self.configuration = configuration
    engine = Engine(configuration: configuration, seed: 1)
    log = try? StateLog.create(on: disk, owner: 7, geometry: OutstandingDesk.geometry)
    killDaemon()
  }

  // MARK: Daemon and power

  /// The daemon dies at once and is started again.
  mutating func killDaemon() {
    if let log { disk = log.file }
    log = nil
    disk.reopen()
    start()
  }

  /// The power goes and comes back.
  mutating func cutPower(seed: UInt64 = 1) {
    if let log { disk = log.file }
    log = nil
    var choices = Choices(seed: seed)
    disk.cutPower(&choices)
    start()
  }

  private mutating func start() {
    let recovery = Recovery(of: &disk, owner: 7, expecting: OutstandingDesk.geometry)
    log = StateLog(continuing: recovery, on: disk)
    held = []
    effects = []
    commits = []
    // The lamp is on a GPIO line, which goes dark with the daemon.
    lampLevels = []
    engine = Engine(configuration: configuration, seed: 1)
    send(
      .storage(
        .read(
          StateReading(
            records: recovery.records, withheld: recovery.withheld,
            geometry: OutstandingDesk.geometry))))
    send(.started)
  }

  /// The calls of the disk that fail from now on; none when nil.
  mutating func failDisk(call: Int?) {
    log?.file.expect(
      call.map {
        .fail(SimulatedDisk.Failure(call: $0, fault: .inputOutput, damage: .nothing))
      } ?? .nothing)
  }

  /// Puts a record into the log behind the engine's back.
  mutating func plant(_ value: [UInt8], key: [UInt8]) throws {
    try plant(RecordTable.liveUpdates.change(key: key, to: value))
  }

  /// Makes a change in the log behind the engine's back.
  mutating func plant(_ change: Change) throws { _ = try log?.commit([change]) }

  // MARK: Apps

  mutating func connect(
    _ app: AppID, user: UInt32 = 1_000, hasTerminal: Bool = true, file: ProgramFile? = nil,
    isLaunched: Bool = false, isScript: Bool = false, processID: Int32 = 7
  ) -> ClientID {
    lastClient += 1
    let client = ClientID(number: lastClient)
    let peer = Peer(
      userID: user, processID: processID, app: app, hasTerminal: hasTerminal, file: file,
      isOperator: !app.hasManifest && [0, 1_000].contains(user), isLaunched: isLaunched,
      isScript: isScript)
    if allowsApps, app.hasManifest {
      engine.apps.setGrant(Grant(.whenInUse, by: .command), for: app)
    }
    send(.client(client, .connected(peer, program: "test")))
    return client
  }

  mutating func open(
    _ client: ClientID, _ sequence: UInt32 = 1, _ configuration: LiveConfiguration = .default
  ) {
    send(.client(client, .updatesOpened(SequenceID(number: sequence), configuration)))
  }

  mutating func close(_ client: ClientID, _ sequence: UInt32 = 1) {
    send(.client(client, .updatesClosed(SequenceID(number: sequence))))
  }

  mutating func end(_ client: ClientID) { send(.client(client, .disconnected)) }

  // MARK: Time

  mutating func send(_ event: Event) {
    let now = now
    process { engine, effects in engine.handle(event, at: now, into: &effects) }
  }

  /// The receiver has a fix.
  mutating func deliver(_ fix: Fix) {
    let now = now
    process { engine, effects in
      engine.deliver(fix, at: now, into: &effects)
      engine.settle(from: 0, at: now, into: &effects)
    }
  }

  /// Makes a step of the engine, and gives it the answers to its effects.
  private mutating func process(_ step: (inout Engine, inout [Effect]) -> Void) {
    var answers: [Effect] = []
    step(&engine, &answers)
    var events = carryOut(answers)
    while !events.isEmpty {
      var answers: [Effect] = []
      engine.handle(events.removeFirst(), at: now, into: &answers)
      events += carryOut(answers)
    }
  }

  /// Carries out effects; returns the answers.
  private mutating func carryOut(_ answers: [Effect]) -> [Event] {
    var events: [Event] = []
    effects += answers
    for case .line(.indicator, let order) in answers {
      if let answer = answer(of: order) { events.append(.line(.indicator, answer)) }
    }
    for case .line(.button(let number), .read) in answers {
      events.append(.line(.button(number), .read(isActive: isButtonPressed)))
    }
    for case .storage(.commit(let number, let changes)) in answers {
      let answer = commit(number, changes)
      if changes.contains(where: { $0.name.kind == RecordTable.liveUpdates.number }) {
        commits.append(changes)
        if case .storage(.committed(_, let receipt)) = answer {
          flushCount += receipt.flushCount
          bytesWritten += receipt.bytesWritten
        }
      }
      if holdsCommits { held.append(answer) } else { events.append(answer) }
    }
    for case .launcher(let app, let order) in answers {
      events += launcher.take(order, for: app).map { .launcher($0) }
    }
    return events
  }

  private mutating func answer(of order: Effect.Line) -> Event.Line? {
    switch (lamp, order) {
    case (.lost, _): return .lost(LineFault(.busy, "another program holds the line"))
    case (.stuck(let level), .open): return .opened(isActive: level, isDebounced: false)
    case (_, .open): return .opened(isActive: false, isDebounced: false)
    case (.silent, _): return nil
    case (.stuck(let level), .set), (.stuck(let level), .read): return .read(isActive: level)
    case (.works, .set(let isActive)):
      lampLevels.append((isActive, now))
      return .read(isActive: isActive)
    case (.works, .read): return .read(isActive: lampLevels.last?.isLit ?? false)
    }
  }

  mutating func release() {
    let events = held
    held = []
    for event in events { send(event) }
  }

  private mutating func commit(_ number: UInt32, _ changes: [Change]) -> Event {
    do throws(CommitFailure) {
      guard let receipt = try log?.commit(changes) else {
        return .storage(.commitFailed(number, .closed("no log")))
      }
      return .storage(.committed(number, receipt))
    } catch {
      return .storage(.commitFailed(number, error))
    }
  }

  mutating func wait(_ seconds: Int64) {
    let end = now + .seconds(seconds)
    var count = 0
    while let due = engine.nextDeadline, due <= end {
      // A deadline that remains would keep the daemon busy for good.
      count = due <= now ? count + 1 : 0
      if count > 100 {
        Issue.record("the engine has a deadline in the past")
        break
      }
      now = max(now, due)
      send(.deadlineReached)
    }
    now = end
  }

  // MARK: What is seen

  /// The state that the log would contain after a power cut.
  func kept(_ app: AppID) -> LiveUpdatesRecord? {
    guard var file = log?.file, let name = app.recordKey.flatMap(RecordTable.liveUpdates.named)
    else { return nil }
    file.reopen()
    let recovery = Recovery(of: &file, owner: 7, expecting: OutstandingDesk.geometry)
    return recovery.records[name].flatMap { try? LiveUpdatesRecord(decoding: $0) }
  }

  var lines: [String] {
    effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
  }

  var updates: [Update] {
    effects.compactMap { if case .client(_, .deliver(_, let update)) = $0 { update } else { nil } }
  }

  /// A number of the report.
  mutating func count(_ name: String) -> Int64? {
    if case .integer(let count) = report()[name] { count } else { nil }
  }

  mutating func report() -> Report {
    send(.client(ClientID(number: 1), .requested(1, .status)))
    for case .client(_, .report(_, let report)) in effects.reversed() { return report }
    return Report()
  }
}

extension LiveUpdatesRecord {
  /// So many of each.
  init(_ counts: [LiveConfiguration: Int]) {
    self.init()
    for (configuration, count) in counts { self[configuration] = count }
  }
}

import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The promises about the life of apps that the launcher runs, checked with every event and every order.
///
/// The ledger has ``RightsModel`` for the rights of apps and ``LifeAccount`` for their lives, and never asks the engine. A
/// client of an operator gets every location that the receiver has, so the ledger knows when there is one.
struct LifeLedger: Sendable {
  /// The client of an operator that gets every location.
  static let witness = ClientID(number: 1)
  /// The client through which a person gives commands.
  static let person = ClientID(number: 2)

  private struct Request: Sendable {
    let number: UInt32
    let request: ConsentRequest
    let at: Instant
  }

  private static let answerMax = Interval.seconds(15)
  /// The time that a closed app has to end before it is killed.
  private static let endTime = Interval.seconds(5)
  private static let shortMax = Interval.milliseconds(800)

  let settings: LifeSettings
  let window: Interval
  var model: RightsModel
  var accounts: [LifeAccount]
  var lamp = LampLedger()
  private var records = GrantLedger()
  private var awaitsReading = true
  private var requests: [Request] = []
  private var homePressedAt: Instant?
  /// Since when the launcher is connected.
  var connectedAt: Instant?
  private(set) var isLauncherStopped = false
  var daemonStartedAt = Instant.zero
  private var daemonEndedAt = Instant.zero
  /// The last location of the receiver.
  var last: (time: UTCTime, at: Instant)?
  /// The available memory, during the event that reports it.
  var isMemoryShort = false
  var counts: LifeCounts

  init(_ model: RightsModel, _ settings: LifeSettings) {
    self.model = model
    self.settings = settings
    window = model.window
    counts = LifeCounts(apps: model.apps.count)
    accounts = model.apps.map {
      LifeAccount(waitsForGood: $0.manifest?.hasBackgroundLocation == true)
    }
  }

  // MARK: Events

  mutating func delivered(_ event: Event, at now: Instant) -> String? {
    model.timePasses(to: now)
    for index in accounts.indices { accounts[index].timePasses(to: now) }
    isMemoryShort = false
    var wrong: String?
    switch event {
    case .storage(.read(let reading)): wrong = read(reading, at: now)
    case .storage(.committed(let number, _)): settled(number, isKept: true)
    case .storage(.commitFailed(let number, _)): settled(number, isKept: false)
    case .client(LifeLedger.person, .requested(let number, .consent(let request))):
      requests.append(Request(number: number, request: request, at: now))
      carryOut(request, at: now)
    case .client(LifeLedger.witness, _), .client(LifeLedger.person, _): break
    case .client(let client, let event): wrong = delivered(event, of: client, at: now)
    case .line(.indicator, let event): lamp.delivered(event)
    case .line(SimulatedPanel.home, .edge(let isActive, _)): homeChanged(isActive, at: now)
    case .launcher(let event): delivered(event, at: now)
    case .storage(.markChanged), .line, .receiver, .accelerometer, .track, .appsRead,
      .consentSettingsRead, .wallClockRead, .started, .stopRequested, .deadlineReached:
      break
    }
    return wrong
  }

  private mutating func delivered(
    _ event: Event.Client, of client: ClientID, at now: Instant
  ) -> String? {
    if case .connected(let peer, _) = event {
      guard let app = model.index(of: peer.app) else { return nil }
      if case .frozen = accounts[app].process, peer.isLaunched, areFreezesInForce {
        return "a suspended app connects"
      }
      let keepsRunning = peer.isLaunched && model.hasAbsentSession(app)
      model.connected(client, app, hasTerminal: peer.hasTerminal, file: peer.file, at: now)
      accounts[app].connected(at: now, window: window, isLaunched: peer.isLaunched)
      if keepsRunning { accounts[app].keepRunning(until: now + window) }
      accounts[app].clients.append(.init(id: client, isLaunched: peer.isLaunched))
      accounts[app].isRecalled = false
      if !peer.isLaunched { accounts[app].startedByPerson() }
      return nil
    }
    guard let (app, place) = place(of: client) else { return nil }
    let isAllowed = model.isAllowed(app, file: nil)
    if case .disconnected = event {
      accounts[app].left(place, at: now, window: window)
      model.disconnected(client, at: now)
      return nil
    }
    accounts[app].notesOpening(event, by: place)
    switch event {
    case .updatesOpened(let id, let configuration, _):
      model.opened(id, of: client)
      accounts[app].opened(id, configuration, by: place, isAllowed: isAllowed)
    case .updatesClosed(let id):
      model.closed(id, of: client)
      accounts[app].closed(id, by: place, at: now)
    case .sessionOpened(let id, let session): model.made(id, session, of: client)
    case .sessionClosed(let id): model.invalidated(id, of: client)
    case .phaseWatched: accounts[app].clients[place].watchesSince = now
    case .connected, .disconnected, .requested, .authorizationWatched, .skyWatched,
      .buttonsWatched, .pinChecked, .terminalLost:
      break
    }
    let isLaunched = accounts[app].clients[place].isLaunched
    if case .frozen = accounts[app].process, isLaunched, areFreezesInForce {
      return "a suspended app acts"
    }
    return nil
  }

  /// The launcher has ended by itself: all apps go on, and the daemon is informed of that later.
  mutating func launcherStopped() { isLauncherStopped = true }

  private var areFreezesInForce: Bool { connectedAt != nil && !isLauncherStopped }

  /// The app of a client, and the place of the client among those of the app.
  func place(of client: ClientID) -> (app: Int, client: Int)? {
    for (app, account) in accounts.enumerated() {
      if let place = account.clients.firstIndex(where: { $0.id == client }) { return (app, place) }
    }
    return nil
  }

  private mutating func carryOut(_ request: ConsentRequest, at now: Instant) {
    func index(_ name: String) -> Int? { model.apps.firstIndex { "\($0.id)" == name } }
    switch request {
    case .foreground(let name):
      guard let app = index(name), !accounts[app].isUnended else { return }
      model.bring(app, at: now)
      accounts[app].isBroughtBack = model.front == app
    case .background(let name):
      if let app = index(name), model.isRunning(app), model.front == app {
        model.sendAway(at: now)
      }
    case .home: pressHome(at: now)
    case .start(let name):
      guard let app = index(name), accounts[app].isRunning, !accounts[app].isUnended else { return }
      model.bring(app, at: now)
      accounts[app].closedAt = nil
    // The disk answers, or the log has the outcome.
    case .allow, .deny, .reset, .quit: break
    case .apps, .grants, .prompts, .watchPrompts, .who, .audit, .why, .output: break
    }
  }

  private mutating func homeChanged(_ isActive: Bool, at now: Instant) {
    let since = homePressedAt
    homePressedAt = isActive ? now : nil
    if !isActive, let since, now - since < LifeLedger.shortMax { pressHome(at: now) }
  }

  /// HOME does not bring back an app that is about to end.
  private mutating func pressHome(at now: Instant) {
    if model.front == nil, let last = model.last, accounts[last].isUnended { return }
    model.pressHome(at: now)
    if let front = model.front { accounts[front].isBroughtBack = true }
  }

  /// A person has closed the app.
  mutating func closed(_ app: Int, at now: Instant) {
    counts.closed += 1
    model.closed(app)
    accounts[app].closedAt = now
    accounts[app].isBroughtBack = false
    accounts[app].isRecalled = false
    accounts[app].endUpdates()
    if accounts[app].process == .starting(byPerson: true) {
      accounts[app].process = .starting(byPerson: false)
    }
    // Without a launcher the app may have a process that the daemon does not know.
    guard accounts[app].process != .absent || connectedAt == nil else { return }
    accounts[app].killDue = now + LifeLedger.endTime
    accounts[app].isEnding = true
  }

  // MARK: The launcher

  private mutating func delivered(_ event: Event.Launcher, at now: Instant) {
    switch event {
    case .connected(let running):
      (connectedAt, isLauncherStopped) = (now, false)
      for (index, app) in model.apps.enumerated() {
        if let one = running.first(where: { $0.app == app.id }) {
          found(index, isFrozen: one.isFrozen, at: now)
        } else if accounts[index].process != .absent || accounts[index].isEnding {
          ended(index, .unknown, at: now)
        }
        // The launcher gets the order again.
        if let due = accounts[index].killDue, due > now {
          accounts[index].killDue = now + LifeLedger.endTime
        }
      }
    case .lost: connectedAt = nil
    case .started(let id):
      guard let app = model.index(of: id) else { return }
      if case .starting(let byPerson) = accounts[app].process {
        started(app, byPerson: byPerson, at: now)
      }
    case .frozen(let id):
      guard let app = model.index(of: id), accounts[app].isRunning else { return }
      accounts[app].process = .frozen(since: now)
      counts.suspended += 1
    case .thawed(let id):
      guard let app = model.index(of: id), accounts[app].isRunning else { return }
      resumed(app, at: now)
    case .refused(let id, let order, _):
      guard let app = model.index(of: id) else { return }
      refused(app, order, at: now)
    case .memoryRead(let bytes): isMemoryShort = bytes < settings.memoryReserveBytes
    case .ended(let id, let ending):
      if let app = model.index(of: id) { ended(app, ending, at: now) }
    }
  }

  private mutating func started(_ app: Int, byPerson: Bool, at now: Instant) {
    accounts[app].started(at: now, window: window)
    model.started(app, byPerson: byPerson, at: now)
  }

  private mutating func found(_ app: Int, isFrozen: Bool, at now: Instant) {
    accounts[app].isRecalled = false
    switch (accounts[app].process, isFrozen) {
    case (.frozen, true), (.running, false): return
    case (_, true): accounts[app].process = .frozen(since: now)
    case (.absent, false), (.starting, false):
      accounts[app].process = .running
      accounts[app].startedAt = now
    case (_, false): return resumed(app, at: now)
    }
    if !model.launched.contains(app) { model.found(app) }
    if accounts[app].startedAt == nil { accounts[app].startedAt = now }
  }

  private mutating func resumed(_ app: Int, at now: Instant) {
    accounts[app].process = .running
    accounts[app].busyUntil = max(accounts[app].busyUntil, now + settings.runTime)
    counts.resumed += 1
  }

  private mutating func refused(_ app: Int, _ order: Effect.Launcher, at now: Instant) {
    switch (order, accounts[app].process) {
    case (.start, .starting):
      accounts[app].process = .absent
      accounts[app].launches.wasRefused(at: now)
      (accounts[app].isEnding, accounts[app].killDue) = (false, nil)
    case (.freeze, .freezing): accounts[app].process = .running
    case (.thaw, .thawing): accounts[app].process = .frozen(since: now)
    case (_, _): break
    }
  }

  private mutating func ended(_ app: Int, _ ending: Event.AppEnding, at now: Instant) {
    let start = accounts[app].startedAt ?? .zero
    let hasRefused =
      ending == .exited(status: 0) && now - start < window && !accounts[app].hasOpened
    accounts[app].launches.ended(after: now - start)
    accounts[app].process = .absent
    (accounts[app].busyUntil, accounts[app].killDue) = (.zero, nil)
    accounts[app].ended(hasRefused: hasRefused, at: now, window: window)
    let isElsewhere = accounts[app].clients.contains { !$0.isLaunched }
    model.ended(app, hasRefused: hasRefused, isElsewhere: isElsewhere, at: now)
    guard accounts[app].closedAt != nil else { return }
    model.closed(app)
    accounts[app].endUpdates()
  }

  // MARK: The disk

  private mutating func read(_ reading: StateReading, at now: Instant) -> String? {
    guard awaitsReading else { return nil }
    awaitsReading = false
    var wrong = records.restarted(with: reading)
    let answers = model.apps.map { app in
      LifeLedger.name(RecordTable.grant, app.id).flatMap { reading.records[$0] }
        .flatMap { RightsModel.Answer(record: $0) }
    }
    let sessions = model.apps.map { app -> [RightsModel.Kind] in
      let value = LifeLedger.name(RecordTable.sessions, app.id).flatMap { reading.records[$0] }
      guard let bits = value?.last else { return [] }
      return RightsModel.Kind.allCases.filter { bits & 1 << $0.rawValue != 0 }
    }
    let isEnding = model.apps.map { app in
      LifeLedger.name(RecordTable.pendingClose, app.id).map { reading.records[$0] != nil } == true
    }
    let last = reading.records[RecordName(kind: RecordTable.lastApp.number)]
      .flatMap { AppID(recordKey: $0) }.flatMap(model.index)
    model.restarted(answers: answers, sessions: sessions, last: last, isOn: true)
    for app in accounts.indices {
      if isEnding[app] {
        recallClose(of: app, at: now)
        continue
      }
      accounts[app].isRecalled = !sessions[app].isEmpty
      let value = LifeLedger.name(RecordTable.liveUpdates, model.apps[app].id)
        .flatMap { reading.records[$0] }
      let record = value.flatMap { try? LiveUpdatesRecord(decoding: $0) } ?? LiveUpdatesRecord()
      for configuration in LiveConfiguration.allCases where record[configuration] > 0 {
        accounts[app].away.append(
          .init(configuration: configuration, wait: .away(until: now + window)))
      }
      guard let closedAt = accounts[app].closedAt else { continue }
      if accounts[app].wasUnended {
        // The daemon may end before the close is on the disk. The process of the app goes on then.
        if daemonEndedAt - closedAt > LifeAccount.keepingMax {
          wrong = wrong ?? "the close of an app that has not ended is lost: \(model.apps[app].id)"
        }
        accounts[app].closedAt = nil
        continue
      }
      guard !sessions[app].isEmpty else { continue }
      // The power may fail before the end of the sessions is on the disk.
      if daemonEndedAt - closedAt > LifeAccount.keepingMax, !accounts[app].isBroughtBack {
        wrong =
          wrong ?? "a session of an app that a person has closed is back: \(model.apps[app].id)"
      }
      accounts[app].closedAt = nil
    }
    return wrong
  }

  /// The record of a pending close outlasts sessions and updates that were on the disk before it.
  private mutating func recallClose(of app: Int, at now: Instant) {
    model.closed(app)
    accounts[app].endUpdates()
    accounts[app].closedAt = accounts[app].closedAt ?? now
    accounts[app].isRecalled = false
    (accounts[app].isEnding, accounts[app].killDue) = (true, now)
  }

  private static func name(_ kind: RecordKind, _ app: AppID) -> RecordName? {
    app.recordKey.flatMap { RecordName(kind: kind.number, key: $0) }
  }

  private mutating func settled(_ number: UInt32, isKept: Bool) {
    for outcome in records.settled(number, isKept: isKept)
    where isKept && outcome.name.kind == RecordTable.grant.number {
      guard
        let app = model.apps.indices.first(where: {
          LifeLedger.name(RecordTable.grant, model.apps[$0].id) == outcome.name
        })
      else { continue }
      let wasAllowed = model.isAllowed(app, file: nil)
      model.answered(app, RightsModel.Answer(record: outcome.value))
      let isAllowed = model.isAllowed(app, file: nil)
      if !isAllowed { accounts[app].forgetLocations() }
      guard isAllowed != wasAllowed else { continue }
      accounts[app].set(outstanding: isAllowed)
    }
  }

  mutating func ordered(_ number: UInt32, _ changes: [Change]) {
    records.ordered(number, changes)
  }

  /// The power was cut, or the daemon has ended; the next reading of the log begins anew.
  mutating func daemonEnded(at now: Instant) {
    awaitsReading = true
    daemonEndedAt = now
    lamp.released()
    requests = []
    homePressedAt = nil
    connectedAt = nil
    last = nil
    for index in accounts.indices { accounts[index].daemonEnded(at: now) }
  }

  mutating func daemonStarted(at now: Instant) { daemonStartedAt = now }

  // MARK: Requests

  mutating func answered(_ number: UInt32) { requests.removeAll { $0.number == number } }

  var hasRequestOfPerson: Bool { !requests.isEmpty }

  func overdueRequest(at now: Instant) -> String? {
    // A closed app is reported as ended by the launcher, so the answer waits for a launcher that was killed.
    guard let first = requests.first, let connectedAt,
      now - max(first.at, connectedAt) > LifeLedger.answerMax
    else { return nil }
    return "a request of a person has no answer: \(first.request)"
  }
}

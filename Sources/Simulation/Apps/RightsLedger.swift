import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The rights of the apps of a crowd: what may be delivered, when the lamp must be lit, and what a person may be asked.
///
/// The ledger follows the events and the acknowledged commits with ``RightsModel``, and never asks the engine.
struct RightsLedger: Sendable {
  private struct Progress: Sendable {
    /// When the sequence was opened, or got its last update.
    var toldAt: Instant
    var isPaused = false
    var isUnavailableTold = false
    var fixCount = 0
  }

  private struct Request: Sendable {
    let number: UInt32
    let request: ConsentRequest
    let at: Instant
    /// Whether an earlier answer for the same app was not settled.
    let isBehind: Bool
  }

  /// The time within which a sequence of an entitled app gets an update: 5 s, a period, and damage of the line.
  private static let updateMax = Interval.seconds(10)
  private static let answerMax = Interval.seconds(5)
  private static let shortMax = Interval.milliseconds(800)
  /// The time from the beginning of a session to its record, and from its end, on a disk that works.
  private static let keepingMax = Interval.seconds(2)
  private static let burst = 5

  var model: RightsModel
  private(set) var lamp = LampLedger()
  private var records = GrantLedger()
  private var awaitsReading = true
  /// Apps whose last answer was not kept, or is lost.
  private var unsure: Set<Int> = []
  /// Apps about which a person has answered since; the answer may count without a commit.
  private(set) var doubtful: Set<Int> = []
  private var progress: [ClientID: [SequenceID: Progress]] = [:]
  /// Since when a process gets all updates.
  private var flowingSince: [ClientID: Instant] = [:]
  /// Processes whose right has lapsed by the time of the event; the event itself may have given it again since.
  private var lapsed: Set<ClientID> = []
  /// Whether services went off in this step; they may be on again since.
  private var wentOff = false
  private var requests: [Request] = []
  private var pressedAt: [LineID: Instant] = [:]
  /// Since when the records of an app's sessions differ from its sessions.
  private var differingSince: [Int: Instant] = [:]
  private(set) var fixCount = 0
  private(set) var backgroundFixCount = 0
  var promptCount = 0

  init(_ model: RightsModel) {
    self.model = model
  }

  /// The fixes that a client has got.
  func fixCount(of client: ClientID) -> Int {
    progress[client]?.values.reduce(0) { $0 + $1.fixCount } ?? 0
  }

  // MARK: Events

  mutating func delivered(_ event: Event, at now: Instant) -> String? {
    let entitled = model.processes.filter(model.mayReceive)
    model.timePasses(to: now)
    lapsed = Set(
      entitled.map(\.client).filter { model.process($0).map(model.mayReceive) == false })
    defer { settle(at: now) }
    switch event {
    case .storage(.read(let reading)): return read(reading, at: now)
    case .storage(.committed(let number, _)): settled(number, isKept: true)
    case .storage(.commitFailed(let number, _)): settled(number, isKept: false)
    case .client(let client, let event) where AppCrowd.isMember(client):
      delivered(event, of: client, at: now)
    case .line(.indicator, let event): lamp.delivered(event)
    case .line(let line, let event): return delivered(event, of: line, at: now)
    case .client, .storage(.markChanged), .receiver, .accelerometer, .track, .launcher, .appsRead,
      .consentSettingsRead, .wallClockRead, .started, .stopRequested, .deadlineReached:
      break
    }
    return nil
  }

  private mutating func delivered(_ event: Event.Client, of client: ClientID, at now: Instant) {
    switch event {
    case .connected(let peer, _):
      guard let app = model.index(of: peer.app) else { return }
      model.connected(
        client, app, hasTerminal: peer.hasTerminal, file: peer.file, processID: peer.processID,
        at: now)
    case .disconnected:
      model.disconnected(client, at: now)
      progress[client] = nil
      flowingSince[client] = nil
    case .updatesOpened(let id, _, _):
      guard model.process(client) != nil else { return }
      model.opened(id, of: client)
      if progress[client]?[id] == nil { progress[client, default: [:]][id] = Progress(toldAt: now) }
    case .updatesClosed(let id):
      model.closed(id, of: client)
      progress[client]?[id] = nil
    case .sessionOpened(let id, let session): model.made(id, session, of: client)
    case .sessionClosed(let id): model.invalidated(id, of: client)
    case .terminalLost: model.terminalLost(client)
    case .requested(let number, .consent(let request)):
      let isBehind = requests.contains {
        $0.request.answeredApp.map { $0 == request.answeredApp } ?? false
      }
      requests.append(Request(number: number, request: request, at: now, isBehind: isBehind))
      carryOut(request, at: now)
    case .requested, .authorizationWatched, .skyWatched, .buttonsWatched, .phaseWatched,
      .pinChecked:
      return
    }
  }

  private mutating func carryOut(_ request: ConsentRequest, at now: Instant) {
    func index(_ name: String) -> Int? { model.apps.firstIndex { "\($0.id)" == name } }
    switch request {
    case .apps, .grants, .prompts, .watchPrompts, .who, .audit, .why: return
    case .allow(let name, _, let isReduced):
      guard let app = index(name) else { return }
      if unsure.contains(app) { doubtful.insert(app) }
      if isReduced == true { model.madeReduced(app) }
    case .deny(let name), .reset(let name):
      if let app = index(name), unsure.contains(app) { doubtful.insert(app) }
    case .foreground(let name):
      if let app = index(name) { model.bring(app, at: now) }
    case .background(let name):
      if let app = index(name), model.isRunning(app), model.front == app {
        model.sendAway(at: now)
      }
    case .home: model.pressHome(at: now)
    case .start, .quit, .output: return
    }
  }

  private mutating func delivered(
    _ event: Event.Line, of line: LineID, at now: Instant
  ) -> String? {
    guard line == SimulatedPanel.home || line == SimulatedPanel.allow else { return nil }
    switch event {
    case .edge(let isActive, _):
      let since = pressedAt[line]
      pressedAt[line] = isActive ? now : nil
      if isActive || line == SimulatedPanel.allow { doubtful.formUnion(unsure) }
      guard !isActive, line == SimulatedPanel.home, let since,
        now - since < RightsLedger.shortMax
      else { return nil }
      model.pressHome(at: now)
    case .opened, .lost: pressedAt[line] = nil
    case .read: doubtful.formUnion(unsure)
    }
    return nil
  }

  // MARK: The disk

  private mutating func read(_ reading: StateReading, at now: Instant) -> String? {
    let lost = reading.withheld.filter { $0.kind == RecordTable.grant.number }
      .compactMap { AppID(recordKey: $0.key).flatMap(model.index) }
    defer {
      for app in lost {
        model.answered(app, RightsModel.Answer(authorization: .denied))
        unsure.insert(app)
      }
    }
    guard awaitsReading else { return nil }
    awaitsReading = false
    let wrong = records.restarted(with: reading)
    let answers = model.apps.map { app in
      RightsLedger.name(RecordTable.grant, app.id).flatMap { reading.records[$0] }
        .flatMap { RightsModel.Answer(record: $0) }
    }
    let sessions = model.apps.map { app -> [RightsModel.Kind] in
      guard let name = RightsLedger.name(RecordTable.sessions, app.id),
        let value = reading.records[name], value.count == 2
      else { return [] }
      return RightsModel.Kind.allCases.filter { value[1] & 1 << $0.rawValue != 0 }
    }
    let last = reading.records[RecordName(kind: RecordTable.lastApp.number)]
      .flatMap { AppID(recordKey: $0) }.flatMap(model.index)
    model.restarted(
      answers: answers, sessions: sessions, last: last, isOn: model.isOn,
      processes: model.processRecords(in: reading.records), at: now)
    // The record of a pending close outlasts sessions that were on the disk before it.
    for app in model.apps.indices {
      guard let name = RightsLedger.name(RecordTable.pendingClose, model.apps[app].id),
        reading.records[name] != nil
      else { continue }
      model.closed(app)
    }
    return wrong
  }

  private static func name(_ kind: RecordKind, _ app: AppID) -> RecordName? {
    if case .unresolved(let userID) = app {
      return RecordName(kind: kind.number, key: Array("\(userID):".utf8))
    }
    return app.recordKey.flatMap { RecordName(kind: kind.number, key: $0) }
  }

  /// Whether a button gave the answer in a record, so that no request waits for it.
  private static func isByButton(_ grant: [UInt8]?) -> Bool {
    grant?.dropFirst(2).first == Grant.Source.button.rawValue
  }

  private mutating func settled(_ number: UInt32, isKept: Bool) {
    for outcome in records.settled(number, isKept: isKept)
    where outcome.name.kind == RecordTable.grant.number {
      guard
        let app = model.apps.indices.first(where: {
          RightsLedger.name(RecordTable.grant, model.apps[$0].id) == outcome.name
        })
      else { continue }
      let answer = RightsModel.Answer(record: outcome.value)
      if isKept {
        model.answered(app, answer)
        unsure.remove(app)
        doubtful.remove(app)
      } else {
        // A denial, and an answer that gives less than before, counts even if the disk has failed.
        let isGiven = answer.map { !$0.takesAway(from: model.apps[app].answer) } ?? false
        if !isGiven { model.answered(app, answer) }
        unsure.insert(app)
        // A further answer has waited for this one, and may count without a commit of its own. An answer that has waited for
        // another one counts as one that gives, although it may be less than the other one.
        let answers = requests.filter { $0.request.answeredApp == "\(model.apps[app].id)" }
        let isOne = answers.count <= (RightsLedger.isByButton(outcome.value) ? 0 : 1)
        if !isOne || answers.contains(where: \.isBehind) { doubtful.insert(app) }
      }
    }
  }

  /// The power was cut, or the daemon has ended; the next reading of the log begins anew.
  mutating func daemonEnded() {
    awaitsReading = true
    lamp.released()
    progress = [:]
    flowingSince = [:]
    requests = []
    pressedAt = [:]
    unsure = []
    doubtful = []
    differingSince = [:]
  }

  mutating func servicesSet(_ isOn: Bool, at now: Instant) {
    guard isOn != model.isOn else { return }
    model.servicesSet(isOn)
    settle(at: now)
  }

  /// Notes what counts from now on.
  private mutating func settle(at now: Instant) {
    for process in model.processes {
      let flows =
        model.mayReceive(process) && model.isInFront(process.app)
        && !model.isReduced(process.app) && !doubtful.contains(process.app)
      flowingSince[process.client] = flows ? flowingSince[process.client] ?? now : nil
    }
    for (index, app) in model.apps.enumerated() where app.manifest != nil {
      let bits = RightsModel.Kind.allCases.filter { $0.isRejoined && app.isHeld($0) }
        .reduce(UInt8(0)) { $0 | 1 << $1.rawValue }
      let kept =
        RightsLedger.name(RecordTable.sessions, app.id).flatMap { records.kept($0) }?.last ?? 0
      let name = RightsLedger.name(RecordTable.processSessions, app.id)
      let keptHolders = RightsModel.holders(record: name.flatMap { records.kept($0) })
      let isKept = bits == kept && model.holders(of: index) == keptHolders
      differingSince[index] = isKept ? nil : differingSince[index] ?? now
    }
  }

  // MARK: Effects

  /// Checks the effects of an event.
  mutating func ordered(_ effects: [Effect], at now: Instant) -> String? {
    var wrong: String?
    wentOff = effects.contains { effect in
      if case .log(_, "location services: off") = effect { true } else { false }
    }
    for effect in effects {
      switch effect {
      case .client(let client, .deliver(let ids, let update)) where AppCrowd.isMember(client):
        wrong = wrong ?? delivered(update, to: client, ids, at: now)
      case .client(AppCrowd.person, .rows(let number, let rows)):
        if takeRequest(number) == .prompts { wrong = wrong ?? checkPrompts(rows) }
      case .client(AppCrowd.person, .answer(let number, _)),
        .client(AppCrowd.person, .consentRefusal(let number, _)):
        _ = takeRequest(number)
      case .line(.indicator, let order): lamp.ordered(order)
      case .storage(.commit(let number, let changes)): records.ordered(number, changes)
      case .log(_, let text): wrong = wrong ?? logged(text)
      case .client, .receiver, .line, .watchAccelerometer, .storage(.open), .track, .launcher: break
      }
    }
    lamp.compare(isDue: isLampDue, at: now)
    return wrong
  }

  /// Whether the lamp must be lit; nil: an app in the background has an answer that may count without a commit.
  private var isLampDue: Bool? {
    let isDoubtful = model.processes.contains {
      doubtful.contains($0.app) && !model.isInFront($0.app)
    }
    return isDoubtful ? nil : model.isLampDue
  }

  private mutating func delivered(
    _ update: Update, to client: ClientID, _ ids: [SequenceID], at now: Instant
  ) -> String? {
    guard let process = model.process(client) else { return "an update for a process that is gone" }
    for id in ids {
      guard process.sequences.contains(id) else { return "an update for a sequence that is closed" }
      progress[client]?[id]?.toldAt = now
      progress[client]?[id]?.isPaused = update.flags.contains(.stationary)
      progress[client]?[id]?.isUnavailableTold = update.flags.contains(.locationUnavailable)
      if update.fix != nil { progress[client]?[id]?.fixCount += 1 }
    }
    if doubtful.contains(process.app) { return nil }
    guard update.fix != nil else { return refused(process, update.flags) }
    fixCount += 1
    let app = model.apps[process.app].id
    guard model.mayReceive(process) else {
      if !model.isOn { return "a location while services are off: \(app)" }
      return model.isAllowed(process.app, file: process.file)
        ? "a location for an app that is not in use: \(app)"
        : "a location for an app that no person has allowed: \(app)"
    }
    if !model.isInFront(process.app) {
      backgroundFixCount += 1
      if !lamp.isSeenLit { return "a location in the background while the lamp is dark: \(app)" }
    }
    if model.isReduced(process.app), !update.flags.contains(.accuracyLimited) {
      return "the exact location for an app with reduced accuracy: \(app)"
    }
    return nil
  }

  /// Checks the reason for a missing location.
  private func refused(_ process: RightsModel.Process, _ flags: Update.Flags) -> String? {
    let app = model.apps[process.app].id
    let reasons: Update.Flags = [
      .authorizationDenied, .authorizationDeniedGlobally, .authorizationRestricted,
      .authorizationRequestInProgress, .insufficientlyInUse, .serviceSessionRequired,
    ]
    guard !flags.isDisjoint(with: reasons), !lapsed.contains(process.client) else { return nil }
    if wentOff, flags.contains(.authorizationDeniedGlobally) { return nil }
    if model.isInFront(process.app), model.mayReceive(process) {
      return "no location for an app that is entitled in the foreground: \(app)"
    }
    if flags.contains(.authorizationRequestInProgress),
      model.answer(process.app, file: process.file) != nil
    {
      return "an app is told that it asks for an answer that it has: \(app)"
    }
    return nil
  }

  private mutating func takeRequest(_ number: UInt32) -> ConsentRequest? {
    requests.firstIndex { $0.number == number }.map { requests.remove(at: $0).request }
  }

  // MARK: Time

  /// Checks what must have happened by now.
  func overdue(at now: Instant) -> String? {
    if let wrong = lamp.overdue(at: now) { return wrong }
    for process in model.processes {
      guard let since = flowingSince[process.client] else { continue }
      for id in process.sequences {
        guard let one = progress[process.client]?[id] else { continue }
        if !one.isPaused, !one.isUnavailableTold,
          now - max(since, one.toldAt) > RightsLedger.updateMax
        {
          return "an entitled app in the foreground got nothing: \(model.apps[process.app].id)"
        }
      }
    }
    if let request = requests.first, now - request.at > RightsLedger.answerMax {
      return "a request about the rights of apps has no answer: \(request.request)"
    }
    guard !records.hasDiskFailed else { return nil }
    let differing = differingSince.sorted { $0.key < $1.key }
    for (app, since) in differing where now - since > RightsLedger.keepingMax {
      let orderCount = [RecordTable.sessions, RecordTable.processSessions]
        .compactMap { RightsLedger.name($0, model.apps[app].id) }
        .reduce(0) { $0 + records.orderCount($1) }
      if orderCount >= RightsLedger.burst { continue }
      return "the record of an app's sessions is old: \(model.apps[app].id)"
    }
    return nil
  }
}

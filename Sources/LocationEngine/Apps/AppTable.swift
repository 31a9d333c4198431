import BinnacleBasics
import BinnacleModel
import StateLog

/// The apps: connected apps, absent apps with outstanding updates or sessions, and the answers of persons about them.
///
/// ``entitlement(of:)`` is the only place that decides what an app may receive. Every component that delivers to an
/// app, keeps the receiver on for the app, or reports on the app uses this function.
struct AppTable: Equatable, Codable, Sendable {
  /// Connected clients in the order of their connection.
  private(set) var clients: [Client] = []
  /// Updates that an app has begun and not ended.
  var outstanding: OutstandingUpdates
  /// Whether location services are on.
  var services = ServiceSwitch()
  /// The answers of persons to the requests of apps.
  private(set) var grants = GrantTable()
  /// The programs that run on after a newer file at their path was allowed.
  private(set) var replaced = ReplacedPrograms()
  /// The open requests of apps.
  var prompts: PromptQueue
  /// Full accuracy that persons have given for a while.
  var temporaryAccuracy = TemporaryAccuracy()
  /// The sessions of apps.
  var sessions: SessionTable
  /// The app of the manifests in the foreground.
  var foreground: ForegroundMachine
  /// The processes that do not bring their app to the foreground by connecting again.
  private(set) var away = AwayProcesses()
  /// Whether the numbers of processes are known to be of this boot.
  private let knowsProcesses: Bool
  /// The apps with a manifest.
  private(set) var declarations: [AppDeclaration]
  /// Whether a manifest could not be used at the start, and the manifests were not read again since.
  private var hasUnreadManifests: Bool
  /// The processes that the launcher runs.
  var lives: LifeTable
  /// The state of the indicator, without which no app in the background gets locations.
  var light = IndicatorState.dark
  /// Connections beyond `clientsMax`, and repeated connections.
  private(set) var ignoredCount = 0
  /// The doors of the board's profile.
  let doors: [DoorSettings]
  /// `Restricted`: the apps that get no locations, whatever a person answers.
  private(set) var restricted: ConsentSettings.Restriction

  /// A connected client.
  struct Client: Equatable, Codable, Sendable {
    let id: ClientID
    fileprivate(set) var peer: Peer
    let program: String
  }

  /// A client beyond this number gets no updates.
  ///
  /// The doors admit clients: operators and each app with a manifest have places of their own. This number is `LimitNOFILE=` of the
  /// daemon's unit, so that the doors never admit a client that the engine ignores.
  static let clientsMax = 4_096

  init(_ configuration: Configuration) {
    doors = configuration.doors
    knowsProcesses = !configuration.bootID.isEmpty
    restricted = configuration.consent.restricted
    declarations = configuration.apps
    hasUnreadManifests = configuration.hasUnreadManifests
    prompts = PromptQueue(timeout: configuration.consent.promptTimeout)
    foreground = ForegroundMachine(
      grace: configuration.consent.backgroundGrace, window: configuration.clients.rejoinWindow)
    sessions = SessionTable(
      window: max(.milliseconds(1), configuration.clients.rejoinWindow),
      bootID: configuration.bootID)
    outstanding = OutstandingUpdates(configuration)
    lives = LifeTable(
      configuration.life, window: max(.milliseconds(1), configuration.clients.rejoinWindow))
  }

  /// Whether a process gets locations without the answer of a person.
  ///
  /// Only an operator's tool needs no answer.
  func isServedAlways(_ peer: Peer) -> Bool { peer.isOperator }

  /// Whether the user of a peer may see an app and take away its rights: all apps for operators, else the user's own apps.
  func mayManage(_ app: AppID, _ peer: Peer) -> Bool {
    peer.mayOperate || (app.userID ?? declaration(of: app)?.userID) == peer.userID
  }

  /// The manifest of an app; nil without a manifest.
  func declaration(of app: AppID) -> AppDeclaration? {
    declarationIndex(of: app).map { declarations[$0] }
  }

  /// The place of an app's manifest; each epoch asks for one property, and a copy of the whole manifest would cost more.
  func declarationIndex(of app: AppID) -> Int? {
    guard case .listed(let identifier) = app else { return nil }
    return declarations.firstIndex { $0.identifier == identifier }
  }

  /// Whether the manifest of an app may be one that could not be used.
  ///
  /// Such an app gets nothing, but it is not ended, and its sessions and updates wait for the next reading.
  func mayHaveUnreadManifest(_ app: AppID) -> Bool {
    hasUnreadManifests && app.hasManifest && declarationIndex(of: app) == nil
  }

  // MARK: Answers

  /// Takes the answers and the sessions of earlier runs.
  ///
  /// Sessions continue only if the log is read at the start; the records of a log that opens later are removed.
  mutating func adoptGrants(
    _ reading: StateReading, isFirst: Bool, at now: Instant, into effects: inout [Effect]
  ) {
    let isLate = !isFirst && !grants.isRead && reading.obstacle == nil
    grants.adopt(reading, isFirst: isFirst, into: &effects)
    if isFirst { sessions.adopt(reading, at: now, into: &effects) }
    if isLate { sessions.adoptLate(reading) }
  }

  /// Sets the answer of a person; nil removes the answer.
  ///
  /// The same answer again changes nothing. Another answer ends full accuracy that was given for a while.
  mutating func setGrant(_ grant: Grant?, for app: AppID) {
    let isSame = grants[app].map { before in grant?.isSameAnswer(as: before) ?? false } ?? false
    replaced.answered(grant, after: grants[app], for: app, clients)
    grants.set(grant, for: app)
    if !isSame {
      if grant?.isReduced == true {
        temporaryAccuracy.useEnded(app)
      } else {
        temporaryAccuracy.forget(app)
      }
    }
    if grant != nil { prompts.remove { $0.app == app } }
  }

  /// An operator has accepted a loss of state.
  mutating func lossAccepted() { grants.lossAccepted() }

  /// A person has chosen reduced accuracy, which answers the present requests of the app for full accuracy.
  mutating func refuseFullAccuracy(to app: AppID) {
    temporaryAccuracy.useEnded(app)
    for purpose in sessions.objects(of: app).compactMap(\.session.fullAccuracyPurpose) {
      temporaryAccuracy.answered(app, purpose, isGiven: false)
    }
  }

  mutating func forgetGrants() {
    grants.removeAll()
    replaced.removeAll()
    temporaryAccuracy = TemporaryAccuracy()
  }

  // MARK: App states

  /// The state of an app.
  func state(of app: AppID) -> AppState {
    // The tool of an operator is not its program's app: it neither runs the app nor brings it to the foreground.
    func isConnected(_ isMeant: (Peer) -> Bool = { _ in true }) -> Bool {
      clients.contains { $0.peer.app == app && !$0.peer.isOperator && isMeant($0.peer) }
    }
    guard isConnected() || lives.isRunning(app) else { return .notRunning }
    switch app {
    case .listed:
      if foreground.app == app { return .foreground }
      return lives.isSuspended(app) ? .suspended : .background
    case .unlisted, .unresolved:
      return isConnected(\.hasTerminal) ? .foreground : .background
    case .door: return .background
    }
  }

  func isInFront(_ app: AppID) -> Bool { state(of: app) == .foreground }

  mutating func bringToForeground(_ app: AppID, at now: Instant) {
    changeForeground(at: now) { $0.bring(app, at: now) }
  }

  mutating func sendForegroundAway(at now: Instant) {
    changeForeground(at: now) { $0.sendAway(at: now) }
  }

  /// Changes the foreground by an order of a person, and notes the processes that are in the background then.
  mutating func changeForeground(
    at now: Instant, _ change: (inout ForegroundMachine) -> Void
  ) {
    let before = foreground.app
    change(&foreground)
    guard knowsProcesses, foreground.app != before else { return }
    away.foregroundChanged(
      from: before, to: foreground.app, peers: clients.map(\.peer), window: lives.window, at: now)
  }

  /// The processes that a person has left in the background before the daemon's start are known, or erased.
  mutating func recalled(_ processes: AwayProcesses, at now: Instant) {
    away = processes
    away.daemonStarted(at: now)
  }

  // MARK: Clients

  mutating func connected(_ id: ClientID, _ peer: Peer, program: String, at now: Instant) {
    guard clients.count < AppTable.clientsMax, client(id) == nil else {
      ignoredCount &+= 1
      return
    }
    clients.append(Client(id: id, peer: peer, program: program))
    if case .listed = peer.app, !peer.isOperator {
      away.connected(peer)
      foreground.connected(peer.app, hasTerminal: peer.hasTerminal && !away.contains(peer))
      if let front = foreground.app { away.cameToFront(front) }
    }
    let isTool = peer.isOperator && peer.app.hasManifest
    // RejoinWindow begins with the connection, also for a launched app that connects late.
    if peer.isLaunched, !isTool, sessions.isAway(peer.app) || outstanding.isAwaited(peer.app) {
      let end = now + lives.window
      lives.change(peer.app) { $0.keepRunning(until: end) }
    }
    if !isTool { outstanding.connected(peer.app, at: now) }
    // A script that the launcher has not started may only read.
    if !peer.isOperator, !peer.isUnlaunchedScript { sessions.connected(peer.app, at: now) }
    if !peer.isOperator, lives[peer.app] != nil {
      lives.change(peer.app) { life in
        if peer.isLaunched { life.recalledUntil = nil } else { life.appearedByItself() }
      }
    }
  }

  /// A client has left.
  ///
  /// - Parameters:
  ///   - id: the client.
  ///   - sequences: the client's sequences that stay outstanding.
  ///   - now: the instant.
  mutating func disconnected(
    _ id: ClientID, leaving sequences: [LiveSequence], at now: Instant
  ) {
    guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
    let peer = clients.remove(at: index).peer
    let app = peer.app
    replaced.clientsLeft(clients)
    let isRunning = hasProcess(app)
    sessions.clientLeft(id, isScript: peer.isUnlaunchedScript, isRunning: isRunning, at: now)
    if !isRunning { sessions.lastProcessLeft(app) }
    if !clients.contains(where: { $0.peer.app == app && $0.peer.processID == peer.processID }) {
      away.disconnected(peer, at: now)
    }
    if lives[app] != nil {
      lives.change(app) { life in
        life.queue.clientLeft(id) { id in sequences.first { $0.id == id }?.configuration }
      }
    }
    appLeft(app, at: now)
    outstanding.left(app, sequences, at: now)
    dropLapsedUpdates(of: app)
  }

  /// Whether a process is connected that takes up the sessions of its app; a script that the launcher has not started keeps
  /// sessions of its own.
  func hasProcess(_ app: AppID, where isMeant: (Peer) -> Bool = { _ in true }) -> Bool {
    clients.contains {
      $0.peer.app == app && !$0.peer.isOperator && !$0.peer.isUnlaunchedScript && isMeant($0.peer)
    }
  }

  /// A process of an app has ended, or has closed its connection; what needs a process ends with the last one.
  mutating func appLeft(_ app: AppID, at now: Instant) {
    guard state(of: app) == .notRunning else { return }
    foreground.ended(app, at: now)
    temporaryAccuracy.forget(app)
  }

  /// The terminal of a client's process was closed: an app without a manifest that has no other terminal leaves the
  /// foreground.
  mutating func terminalLost(_ id: ClientID) {
    guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
    clients[index].peer.hasTerminal = false
  }

  /// A connected client; nil if the client is unknown.
  func client(_ id: ClientID) -> Client? { clients.first { $0.id == id } }

  // MARK: Outstanding updates

  /// Outstanding updates that an app may take up soon, and for which it would get locations.
  var awaited: [OutstandingApp.Absent] {
    guard outstanding.nextLapse != nil || (lives.isConnected && outstanding.hasAbsent) else {
      return []
    }
    return outstanding.apps.filter { !$0.absent.isEmpty && entitlement(ofAbsent: $0.id).isGranted }
      .filter { !mayHaveUnreadManifest($0.id) }
      .flatMap { app in
        let isRelaunchable = isRelaunchable(app.id)
        return app.absent.filter { $0.wait.end != nil || isRelaunchable }
      }
  }

  /// When outstanding updates or sessions lapse, or an app is no longer in use; nil without such a time.
  var nextDeadline: Instant? {
    earlier(
      earlier(outstanding.nextLapse, sessions.nextLapse),
      earlier(foreground.nextDeadline, livesDeadline))
  }

  /// An app begins updates; returns the outstanding updates that the app takes up.
  mutating func updatesOpened(
    _ app: AppID, _ configuration: LiveConfiguration, at now: Instant
  ) -> OutstandingApp.Absent? {
    outstanding.opened(app, configuration, at: now)
  }

  /// An app ends updates.
  mutating func updatesClosed(_ app: AppID, _ configuration: LiveConfiguration, at now: Instant) {
    outstanding.closed(app, configuration, at: now)
  }

  /// Adopts the outstanding updates of an earlier run.
  mutating func adopt(
    _ reading: StateReading, _ rest: RestRecord?, at now: Instant, into effects: inout [Effect]
  ) {
    outstanding.adopt(reading, rest, at: now, into: &effects)
  }

  /// Ends outstanding updates that no app took up in time; returns whether there were any.
  mutating func lapse(at now: Instant, into effects: inout [Effect]) -> Bool {
    outstanding.deadlineReached(at: now, into: &effects)
  }

  /// Ends the use of apps that have left the foreground, and sessions that no app took up.
  ///
  /// - Returns: whether the rights of an app may have changed.
  mutating func lapseRights(at now: Instant, into effects: inout [Effect]) -> Bool {
    let hasLapsed = sessions.lapse(at: now, into: &effects)
    return foreground.lapse(at: now) || hasLapsed
  }

  /// The records that the log of state must hold now.
  mutating func takeNotes(
    at now: Instant, into effects: inout [Effect]
  ) -> [OutstandingUpdates.Note] {
    outstanding.takeNotes(at: now, into: &effects)
  }

  /// The records of sessions that the log of state must hold now.
  mutating func takeSessionNotes(at now: Instant) -> [SessionTable.Note] {
    sessions.takeNotes(at: now, isStopping: outstanding.isStopping)
  }

  /// Forgets the outstanding updates and the sessions of all apps.
  mutating func forgetOutstanding() {
    outstanding.forget()
    sessions.erase()
  }

  mutating func appsRead(_ declarations: [AppDeclaration], at now: Instant) {
    self.declarations = declarations
    hasUnreadManifests = false
    foreground.declared { app in declarations.contains { $0.app == app } }
    outstanding.appsRead(
      background: declarations.filter(\.hasBackgroundLocation).map(\.identifier), at: now)
  }

  /// Takes `[Location]` of the profile, which was read again, into effect.
  mutating func consentSettingsRead(_ settings: ConsentSettings, at now: Instant) {
    restricted = settings.restricted
    prompts.timeout = settings.promptTimeout
    foreground.grace = settings.backgroundGrace
    _ = foreground.lapse(at: now)
  }

  mutating func stopRequested() { outstanding.stopRequested() }
}

import BinnacleBasics
import BinnacleModel
import StateLog

/// The apps: connected apps, absent apps with outstanding updates, and the answers of persons about them.
///
/// ``entitlement(of:)`` is the only place that decides what an app may receive. Every component that delivers to an
/// app, keeps the receiver on for the app, or reports on the app uses this function.
struct AppTable: Equatable, Codable, Sendable {
  /// Connected clients in the order of their connection.
  private(set) var clients: [Client] = []
  /// Updates that an app has begun and not ended.
  private(set) var outstanding: OutstandingUpdates
  /// Whether location services are on.
  var services = ServiceSwitch()
  /// The answers of persons to the requests of apps.
  private(set) var grants = GrantTable()
  /// The open requests of apps.
  private(set) var prompts: PromptQueue
  /// The app of the manifests in the foreground.
  private(set) var foreground: ForegroundMachine
  /// The apps with a manifest.
  private(set) var declarations: [AppDeclaration]
  /// Connections beyond `clientsMax`, and repeated connections.
  private(set) var ignoredCount = 0
  private let daemonUserID: UInt32
  private let restricted: ConsentSettings.Restriction

  /// A connected client.
  struct Client: Equatable, Codable, Sendable {
    let id: ClientID
    let peer: Peer
    let program: String
  }

  /// The limit is greater than the daemon's own limit; a client beyond this number gets no updates.
  static let clientsMax = 256

  init(_ configuration: Configuration) {
    daemonUserID = configuration.daemonUserID
    restricted = configuration.consent.restricted
    declarations = configuration.apps
    prompts = PromptQueue(timeout: configuration.consent.promptTimeout)
    foreground = ForegroundMachine(
      grace: configuration.consent.backgroundGrace, window: configuration.clients.rejoinWindow)
    outstanding = OutstandingUpdates(configuration)
  }

  // MARK: Entitlement

  /// The entitlement of a peer's app now.
  ///
  /// The answer changes with events only, so the function needs no instant. Time limits are handled by
  /// ``lapse(at:into:)``, which runs before every event.
  func entitlement(of peer: Peer) -> Entitlement {
    let isAuthorized =
      isServedAlways(peer) || authorization(of: peer.app, file: peer.file).isGiven
    guard services.isOn else {
      return Entitlement(obstacles: .servicesOff, isAuthorized: isAuthorized)
    }
    let obstacle = isServedAlways(peer) ? nil : obstacle(to: peer)
    return Entitlement(
      obstacles: obstacle ?? [], isAuthorized: isAuthorized,
      isReduced: !isServedAlways(peer) && isReduced(peer.app))
  }

  /// The entitlement that an absent app would have if it connected now.
  ///
  /// An absent app has outstanding updates only if it had authorization while it was connected.
  func entitlement(ofAbsent app: AppID) -> Entitlement {
    var obstacles: Entitlement.Obstacles = services.isOn ? [] : .servicesOff
    if restricted.covers(app) { obstacles.insert(.restricted) }
    if grants[app]?.authorization == .denied { obstacles.insert(.denied) }
    return Entitlement(
      obstacles: obstacles, isAuthorized: obstacles.isDisjoint(with: [.restricted, .denied]))
  }

  /// Whether a process gets locations without the answer of a person: root, the daemon's own user, and every door.
  ///
  /// The board's profile has opened the door, and the mode of the door's file determines which users may read there.
  private func isServedAlways(_ peer: Peer) -> Bool {
    if case .door = peer.app { return true }
    return peer.userID == 0 || peer.userID == daemonUserID
  }

  private func obstacle(to peer: Peer) -> Entitlement.Obstacles? {
    switch authorization(of: peer.app, file: peer.file) {
    case .restricted: .restricted
    case .denied: .denied
    case .notDetermined:
      if prompts.contains(peer.app) || isInFront(peer.app) && canAsk(peer.app) {
        .requestInProgress
      } else {
        canAsk(peer.app) ? .insufficientlyInUse : .denied
      }
    case .whenInUse, .always: isInUse(peer.app) ? nil : .insufficientlyInUse
    }
  }

  // MARK: Authorization

  /// Judges the answer of a person for an app.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - file: the program's file; the grant of an app without a manifest is bound to the file.
  /// - Returns: the authorization of the app.
  func authorization(of app: AppID, file: ProgramFile?) -> Authorization {
    if restricted.covers(app) { return .restricted }
    guard let grant = grants[app] else { return .notDetermined }
    if case .unlisted = app, grant.authorization != .denied, grant.file != file {
      return .notDetermined
    }
    return grant.authorization
  }

  /// Whether an app has reduced accuracy: by the answer of a person, else by its manifest.
  func isReduced(_ app: AppID) -> Bool {
    if let grant = grants[app], grant.authorization.isGiven { return grant.isReduced }
    return declaration(of: app)?.isAccuracyReduced ?? false
  }

  /// Whether an app may ask a person: an app with a manifest needs a usage text.
  private func canAsk(_ app: AppID) -> Bool {
    switch app {
    case .listed: declaration(of: app)?.whenInUseText != nil
    case .unlisted, .unresolved: true
    case .door: false
    }
  }

  /// The manifest of an app; nil without a manifest.
  func declaration(of app: AppID) -> AppDeclaration? { declarations.first { $0.app == app } }

  /// A program file of an app, if a process of the app is connected and the file is known.
  func file(of app: AppID) -> ProgramFile? {
    clients.lazy.filter { $0.peer.app == app }.compactMap(\.peer.file).first
  }

  mutating func adoptGrants(
    _ reading: StateReading, isFirst: Bool, into effects: inout [Effect]
  ) {
    grants.adopt(reading, isFirst: isFirst, into: &effects)
  }

  /// Sets the answer of a person; nil removes the answer.
  mutating func setGrant(_ grant: Grant?, for app: AppID) {
    grants.set(grant, for: app)
    if grant != nil { prompts.remove { $0 == app } }
  }

  mutating func forgetGrants() { grants.removeAll() }

  // MARK: App states

  /// The state of an app.
  func state(of app: AppID) -> AppState {
    let own = clients.filter { $0.peer.app == app }
    if own.isEmpty { return .notRunning }
    switch app {
    case .listed: return foreground.app == app ? .foreground : .background
    case .unlisted, .unresolved:
      return own.contains(where: \.peer.hasTerminal) ? .foreground : .background
    case .door: return .background
    }
  }

  func isInFront(_ app: AppID) -> Bool { state(of: app) == .foreground }

  /// Whether an app is in use: in the foreground, or until a short time ago.
  func isInUse(_ app: AppID) -> Bool { isInFront(app) || foreground.isInGrace(app) }

  mutating func bringToForeground(_ app: AppID, at now: Instant) {
    foreground.bring(app, at: now)
  }

  mutating func sendForegroundAway(at now: Instant) { foreground.sendAway(at: now) }

  // MARK: Prompts

  /// Raises a prompt for each app that may ask, and withdraws the prompts of all other apps.
  ///
  /// - Parameters:
  ///   - isWanting: whether an app wants locations that it does not get.
  ///   - time: the time of new requests; nil if the time is unknown.
  ///   - now: the instant.
  /// - Returns: the prompt that is shown from now on; nil if the shown prompt has not changed.
  mutating func settlePrompts(
    isWanting: (AppID) -> Bool, time: UTCTime?, at now: Instant
  ) -> Prompt? {
    var asking: [AppID] = []
    for client in clients where !isServedAlways(client.peer) && isWanting(client.peer.app) {
      let app = client.peer.app
      guard authorization(of: app, file: client.peer.file) == .notDetermined, canAsk(app) else {
        continue
      }
      asking.append(app)
      if isInFront(app) { _ = prompts.add(app, .whenInUse, time: time) }
    }
    prompts.remove { !asking.contains($0) }
    let inFront = asking.filter(isInFront)
    return prompts.settle(isInFront: inFront.contains, at: now)
  }

  // MARK: Clients

  mutating func connected(_ id: ClientID, _ peer: Peer, program: String, at now: Instant) {
    guard clients.count < AppTable.clientsMax, client(id) == nil else {
      ignoredCount &+= 1
      return
    }
    clients.append(Client(id: id, peer: peer, program: program))
    if case .listed = peer.app { foreground.connected(peer.app, hasTerminal: peer.hasTerminal) }
    outstanding.connected(peer.app, at: now)
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
    let app = clients.remove(at: index).peer.app
    if state(of: app) == .notRunning { foreground.ended(app, at: now) }
    outstanding.left(app, sequences, at: now)
  }

  /// A connected client; nil if the client is unknown.
  func client(_ id: ClientID) -> Client? { clients.first { $0.id == id } }

  // MARK: Outstanding updates

  /// Outstanding updates that an app may take up soon, and for which it would get locations.
  var awaited: [OutstandingApp.Absent] {
    guard outstanding.nextLapse != nil else { return [] }
    return outstanding.apps.filter { entitlement(ofAbsent: $0.id).isGranted }
      .flatMap { $0.absent.filter { $0.wait.end != nil } }
  }

  /// When outstanding updates lapse, or an app is no longer in use; nil without such a time.
  var nextDeadline: Instant? { earlier(outstanding.nextLapse, foreground.nextDeadline) }

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

  /// Ends the use of apps that have left the foreground; returns whether there were any.
  mutating func lapseForeground(at now: Instant) -> Bool { foreground.lapse(at: now) }

  /// The records that the log of state must hold now.
  mutating func takeNotes(
    at now: Instant, into effects: inout [Effect]
  ) -> [OutstandingUpdates.Note] {
    outstanding.takeNotes(at: now, into: &effects)
  }

  /// Forgets the outstanding updates of all apps.
  mutating func forgetOutstanding() { outstanding.forget() }

  mutating func appsRead(_ declarations: [AppDeclaration], at now: Instant) {
    self.declarations = declarations
    foreground.declared { app in declarations.contains { $0.app == app } }
    outstanding.appsRead(
      background: declarations.filter(\.hasBackgroundLocation).map(\.identifier), at: now)
  }

  mutating func stopRequested() { outstanding.stopRequested() }
}

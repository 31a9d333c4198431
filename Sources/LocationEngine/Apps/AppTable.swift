import BinnacleBasics
import BinnacleModel

/// The apps: those that are connected, and those that are away and have outstanding updates.
///
/// ``entitlement(of:)`` is the only place that decides what an app may have. Whatever delivers to an app, keeps the
/// receiver on for it, or reports on it asks there.
struct AppTable: Equatable, Codable, Sendable {
  /// Connected clients in the order of their connection.
  private(set) var clients: [Client] = []
  /// Updates that were begun and not ended.
  private(set) var outstanding: OutstandingUpdates
  /// Whether location services are on.
  var services = ServiceSwitch()
  /// Connections beyond `clientsMax`, and those that were there already.
  private(set) var ignoredCount = 0
  private let daemonUserID: UInt32

  /// A connected client.
  struct Client: Equatable, Codable, Sendable {
    let id: ClientID
    let peer: Peer
    let program: String
  }

  /// More clients than the daemon ever lets in; a client beyond this number gets no updates.
  static let clientsMax = 256

  init(_ configuration: Configuration) {
    daemonUserID = configuration.daemonUserID
    outstanding = OutstandingUpdates(configuration)
  }

  // MARK: Entitlement

  /// What a peer's app may have now.
  ///
  /// The answer changes with events only, so it needs no instant: whatever ends at an instant is ended by ``lapse(at:into:)``,
  /// which comes before every event.
  func entitlement(of peer: Peer) -> Entitlement {
    entitlement(of: peer.app, userID: peer.userID)
  }

  /// What an app that is away would have if it came back now.
  func entitlement(ofAbsent app: AppID) -> Entitlement {
    entitlement(of: app, userID: nil)
  }

  /// What an app may have now; without the user of its process for an app that is away.
  ///
  /// Such an app has outstanding updates only if it had authorization when it was here.
  private func entitlement(of app: AppID, userID: UInt32?) -> Entitlement {
    var obstacles: Entitlement.Obstacles = []
    if !services.isOn { obstacles.insert(.servicesOff) }
    if let userID, !isAuthorized(app, userID: userID) { obstacles.insert(.denied) }
    return Entitlement(obstacles: obstacles)
  }

  /// Root and the daemon's own user have authorization, and so has a door: the board's profile has opened it, and the mode
  /// of its file says which users may read there.
  private func isAuthorized(_ app: AppID, userID: UInt32) -> Bool {
    if case .door = app { return true }
    return userID == 0 || userID == daemonUserID
  }

  // MARK: Clients

  mutating func connected(_ id: ClientID, _ peer: Peer, program: String, at now: Instant) {
    guard clients.count < AppTable.clientsMax, client(id) == nil else {
      ignoredCount &+= 1
      return
    }
    clients.append(Client(id: id, peer: peer, program: program))
    outstanding.connected(peer.app, at: now)
  }

  /// A client has left.
  ///
  /// - Parameters:
  ///   - id: the client.
  ///   - sequences: those of its sequences that stay outstanding.
  ///   - now: the instant.
  mutating func disconnected(
    _ id: ClientID, leaving sequences: [LiveSequence], at now: Instant
  ) {
    guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
    outstanding.left(clients.remove(at: index).peer.app, sequences, at: now)
  }

  /// A connected client; nil for an unknown one.
  func client(_ id: ClientID) -> Client? { clients.first { $0.id == id } }

  // MARK: Outstanding updates

  /// Outstanding updates that an app may take up soon and would get locations for.
  var awaited: [OutstandingApp.Absent] {
    guard outstanding.nextLapse != nil else { return [] }
    return outstanding.apps.filter { entitlement(ofAbsent: $0.id).isGranted }
      .flatMap { $0.absent.filter { $0.wait.end != nil } }
  }

  /// When outstanding updates end that no app takes up; nil while none can end.
  var nextDeadline: Instant? { outstanding.nextLapse }

  /// An app begins updates; answers the outstanding updates that it takes up.
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

  /// Ends what was not taken up in time; answers whether something was.
  mutating func lapse(at now: Instant, into effects: inout [Effect]) -> Bool {
    outstanding.deadlineReached(at: now, into: &effects)
  }

  /// What the log of state is to hold now.
  mutating func takeNotes(
    at now: Instant, into effects: inout [Effect]
  ) -> [OutstandingUpdates.Note] {
    outstanding.takeNotes(at: now, into: &effects)
  }

  /// Forgets the outstanding updates of all apps.
  mutating func forgetOutstanding() { outstanding.forget() }

  mutating func appsRead(background: [String], at now: Instant) {
    outstanding.appsRead(background: background, at: now)
  }

  mutating func stopRequested() { outstanding.stopRequested() }
}

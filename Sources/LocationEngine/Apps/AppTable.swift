import BinnacleBasics
import BinnacleModel

/// The apps: connected apps, and absent apps with outstanding updates.
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
  /// Connections beyond `clientsMax`, and repeated connections.
  private(set) var ignoredCount = 0
  private let daemonUserID: UInt32

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
    outstanding = OutstandingUpdates(configuration)
  }

  // MARK: Entitlement

  /// The entitlement of a peer's app now.
  ///
  /// The answer changes with events only, so the function needs no instant. Time limits are handled by
  /// ``lapse(at:into:)``, which runs before every event.
  func entitlement(of peer: Peer) -> Entitlement {
    entitlement(of: peer.app, userID: peer.userID)
  }

  /// The entitlement that an absent app would have if it connected now.
  func entitlement(ofAbsent app: AppID) -> Entitlement {
    entitlement(of: app, userID: nil)
  }

  /// The entitlement of an app now; `userID` is nil for an absent app.
  ///
  /// An absent app has outstanding updates only if it had authorization while it was connected.
  private func entitlement(of app: AppID, userID: UInt32?) -> Entitlement {
    var obstacles: Entitlement.Obstacles = []
    if !services.isOn { obstacles.insert(.servicesOff) }
    if let userID, !isAuthorized(app, userID: userID) { obstacles.insert(.denied) }
    return Entitlement(obstacles: obstacles)
  }

  /// Whether a process has authorization: root, the daemon's own user, and every door.
  ///
  /// The board's profile has opened the door, and the mode of the door's file determines which users may read there.
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
  ///   - sequences: the client's sequences that stay outstanding.
  ///   - now: the instant.
  mutating func disconnected(
    _ id: ClientID, leaving sequences: [LiveSequence], at now: Instant
  ) {
    guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
    outstanding.left(clients.remove(at: index).peer.app, sequences, at: now)
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

  /// When outstanding updates lapse if no app takes them up; nil if none can lapse.
  var nextDeadline: Instant? { outstanding.nextLapse }

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

  /// The records that the log of state must hold now.
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

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire

/// Turns away new connections whose peers are not identified.
///
/// These are the connections of users that connect too often, and connections without a message
/// whose peer has hung up. Turning a connection away costs a few system calls. The identification
/// of a peer reads files, and may ask the launcher.
struct ArrivalFilter {
  /// The time for which the reserved users are not looked up again.
  static let lookUpPeriod = Interval.seconds(1)

  private let operators: Operators
  private var pace: ConnectionPace
  /// The users that manifests name.
  private var usersOfApps: Set<UInt32> = []
  /// The group of the operators; nil: there is no such group.
  private var operatorsGroup: UInt32?
  /// The time of the last look-up of users and group; nil: they are to be looked up.
  ///
  /// A look-up for each connection would cost more than its refusal.
  private var lookedUpAt: Instant?
  /// The number of connections of users that connect too often.
  private(set) var refusedCount = 0

  init(_ operators: Operators, pace: ConnectionPace = ConnectionPace()) {
    self.operators = operators
    self.pace = pace
  }

  /// Looks up the users of new manifests at the next connection.
  mutating func manifestsChanged() { lookedUpAt = nil }

  /// The reason for the refusal of a user that connects too often.
  static func reason(_ userID: UInt32) -> String {
    let perSecond = 1_000_000_000 / ConnectionPace.interval.nanoseconds
    return "user \(userID) connects more than \(perSecond) times a second, which is the limit"
  }

  /// The reason for a refusal if all ordinary users together connect too often.
  static var reasonOfAll: String {
    let perSecond = 1_000_000_000 / ConnectionPace.intervalOfAll.nanoseconds
    return "ordinary users together connect more than \(perSecond) times a second, "
      + "which is the limit"
  }

  /// Judges a new connection.
  ///
  /// - Parameters:
  ///   - socket: the connection.
  ///   - apps: the manifests, whose users the limit of all users does not concern.
  ///   - now: the instant.
  ///   - outcomes: gets the lines for the log.
  /// - Returns: the arrival of a peer to identify; nil if the connection is turned away.
  mutating func arrival(
    of socket: LocalSocket, among apps: AppRegistry, at now: Instant,
    into outcomes: inout [ClientTable.Outcome]
  ) -> PeerIdentification.Arrival? {
    let peer: LocalSocket.Peer
    do throws(Errno) {
      peer = try socket.peer
    } catch {
      outcomes.append(
        .log(
          .warning, "clients: a peer without credentials was sent away: \(error)", from: .clients))
      return nil
    }
    // No loop of another user may keep out root and the daemon's own user.
    if !operators.containNumber(peer.userID) {
      let userID = peer.userID
      lookUp(apps, at: now)
      let isReserved =
        usersOfApps.contains(userID) || operatorsGroup.map(socket.isPeerMember(ofGroup:)) == true
      switch pace.verdict(on: userID, isReserved: isReserved, at: now) {
      case .admitted: break
      case .refused(let isFirst):
        refuse(
          socket, of: userID, ArrivalFilter.reason(userID), isFirst ? LogSource.user(userID) : nil,
          into: &outcomes)
        return nil
      case .refusedWithAll(let isFirst):
        // The lines share a source, so that many users do not fill the log.
        refuse(
          socket, of: userID, ArrivalFilter.reasonOfAll, isFirst ? LogSource.clients : nil,
          into: &outcomes)
        return nil
      }
    }
    if socket.isAbandoned { return nil }
    return PeerIdentification.Arrival(socket: socket, credentials: peer)
  }

  /// Looks up the reserved users if the last look-up is too old.
  private mutating func lookUp(_ apps: AppRegistry, at now: Instant) {
    if let lookedUpAt, now - lookedUpAt < ArrivalFilter.lookUpPeriod { return }
    lookedUpAt = now
    usersOfApps = apps.userIDs
    operatorsGroup = operators.currentGroup
  }

  /// Refuses a connection.
  ///
  /// - Parameters:
  ///   - socket: the connection.
  ///   - userID: the user of the peer.
  ///   - reason: the reason for the peer and the log.
  ///   - source: the source of the line in the log; nil: no line.
  ///   - outcomes: gets the line.
  private mutating func refuse(
    _ socket: LocalSocket, of userID: UInt32, _ reason: String, _ source: LogSource?,
    into outcomes: inout [ClientTable.Outcome]
  ) {
    refusedCount += 1
    if !socket.isAbandoned {
      socket.sendRefusal(.clientsTooMany, reason)
      socket.hangUp()
    }
    guard let source else { return }
    outcomes.append(
      .log(.warning, "clients: user \(userID) was refused: \(reason)", from: source))
  }
}

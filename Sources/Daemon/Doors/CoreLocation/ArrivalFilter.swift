import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire

/// Turns away new connections whose peers are not identified.
///
/// These are the connections of a user that connects too often, and connections without a message
/// whose peer has hung up. They cost a few system calls. The identification of a peer reads files,
/// and may ask the launcher.
struct ArrivalFilter {
  private let operators: Operators
  private var pace = ConnectionPace()
  /// The number of connections of users that connect too often.
  private(set) var refusedCount = 0

  init(_ operators: Operators) { self.operators = operators }

  /// The reason for the refusal of a user that connects too often.
  static func reason(_ userID: UInt32) -> String {
    let perSecond = 1_000_000_000 / ConnectionPace.interval.nanoseconds
    return "user \(userID) connects more than \(perSecond) times a second, which is the limit"
  }

  /// Judges a new connection.
  ///
  /// - Parameters:
  ///   - socket: the connection.
  ///   - now: the instant.
  ///   - outcomes: gets the lines for the log.
  /// - Returns: the arrival of a peer to identify; nil if the connection is turned away.
  mutating func arrival(
    of socket: LocalSocket, at now: Instant, into outcomes: inout [ClientTable.Outcome]
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
    if !operators.containNumber(peer.userID),
      case .refused(let isFirst) = pace.verdict(on: peer.userID, at: now)
    {
      refuse(socket, of: peer.userID, isFirst: isFirst, into: &outcomes)
      return nil
    }
    if socket.isAbandoned { return nil }
    return PeerIdentification.Arrival(socket: socket, credentials: peer)
  }

  private mutating func refuse(
    _ socket: LocalSocket, of userID: UInt32, isFirst: Bool,
    into outcomes: inout [ClientTable.Outcome]
  ) {
    refusedCount += 1
    let reason = ArrivalFilter.reason(userID)
    if !socket.isAbandoned {
      socket.tell(.clientsTooMany, reason)
      socket.hangUp()
    }
    guard isFirst else { return }
    outcomes.append(
      .log(.warning, "clients: user \(userID) was refused: \(reason)", from: .user(userID)))
  }
}

import BinnacleModel
import BinnaclePosix

/// The identity and the place of a new client.
extension ClientTable {
  /// The peer of a connection, as the engine knows it.
  func peer(of arrival: PeerIdentification.Arrival, _ finding: AppRegistry.Finding) -> Peer {
    let (userID, processID) = (arrival.credentials.userID, arrival.credentials.processID)
    return Peer(
      userID: userID, processID: processID, app: finding.app,
      hasTerminal: PeerProcess.hasTerminal(processID) ?? false,
      // A launched app is known by its group, whatever its program is.
      file: finding.isLaunched
        ? nil
        : finding.program.map {
          ProgramFile(
            device: $0.file.device, number: $0.file.number,
            changeTimeNanoseconds: $0.version.changeTimeNanoseconds)
        },
      // A member of the operators' group by mistake is a console all the same.
      mayOperate: !consoleUsers.contain(userID)
        && operators.contain(userID) { arrival.socket.isPeerMember(ofGroup: $0) },
      isLaunched: finding.isLaunched)
  }

  /// The places that count the clients of a peer.
  func place(of peer: Peer) -> ClientPlaces.Place {
    if peer.mayOperate { return .operator(userID: peer.userID) }
    if case .listed(let identifier) = peer.app { return .app(identifier) }
    return apps.hasApp(of: peer.userID) ? .userOfApp(peer.userID) : .shared(userID: peer.userID)
  }
}

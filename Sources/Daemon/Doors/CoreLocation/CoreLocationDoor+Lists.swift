import BinnacleBasics
import BinnacleModel
import BinnacleWire

/// The lists of apps, their rights and their uses.
extension CoreLocationDoor {
  /// Sends a list, after an announcement if it has only the apps of the client's user.
  ///
  /// Such a list makes no statement about the apps of other users, also if it is empty. Earlier
  /// versions of the protocol have no announcement.
  func sendList(
    _ rows: [Report], _ request: UInt32, to id: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    if let client = clients.client(id), client.peer.seesOwnAppsOnly,
      let version = client.machine.version, version >= WireLimits.ownAppsVersionMin
    {
      put(.ownApps(request: request), to: id, at: now, into: &outcomes)
    }
    put(rows, request, to: id, at: now, into: &outcomes)
  }
}

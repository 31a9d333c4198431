import BinnacleBasics
import BinnacleModel
import BinnacleWire

/// The messages about the rights of a client's app.
extension CoreLocationDoor {
  /// Whether an update may still be sent: an app without a manifest and without a terminal gets no location, and no process
  /// gets the locations of a process that has ended.
  ///
  /// The engine gets an event when a terminal is lost, and sends the app the reason. An update without a location is
  /// always sent.
  func mayDeliver(
    _ update: Update, to id: ClientID, at now: Instant, into outcomes: inout [DoorOutcome]
  ) -> Bool {
    guard let client = clients.client(id) else { return false }
    var taken: [ClientTable.Outcome] = []
    if client.isProcessCheckDue(at: now), !clients.keepsProcess(client, at: now, into: &taken) {
      settle(taken, at: now, into: &outcomes)
      return false
    }
    let keepsTerminal = clients.keepsTerminal(client, at: now, into: &taken)
    if !taken.isEmpty { settle(taken, at: now, into: &outcomes) }
    return keepsTerminal || update.fix == nil
  }

  /// Sends the authorization of the client's app.
  ///
  /// Version 6 of the protocol has no message with the app's manifest.
  func sendAuthorization(
    _ state: AuthorizationState, to id: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    var state = state
    if let version = clients.client(id)?.machine.version, version < 7 {
      state.hasBackgroundMode = nil
    }
    put(.authorization(state), to: id, at: now, into: &outcomes)
  }
}

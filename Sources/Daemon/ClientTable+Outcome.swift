import BinnacleModel
import BinnacleWire
import LocationEngine

extension ClientTable {
  /// What happened, for the loop.
  enum Outcome: Equatable {
    case event(Event)
    case bulkRequested(ClientID, request: UInt32, Client.Bulk)
    case statusRequested(ClientID, request: UInt32)
    case log(LogLevel, String, from: LogSource)
  }
}

extension ClientTable.Outcome {
  /// What a request of a client comes to.
  init(_ request: ServerConnectionMachine.Request, from client: Client) {
    self =
      switch request {
      case .connected(let program):
        .event(.client(client.id, .connected(client.peer, program: program)))
      case .opened(let sequence, let configuration):
        .event(.client(client.id, .updatesOpened(sequence, configuration)))
      case .closed(let sequence):
        .event(.client(client.id, .updatesClosed(sequence)))
      case .requested(let number, .status): .statusRequested(client.id, request: number)
      case .requested(let number, .trace):
        .bulkRequested(client.id, request: number, .trace)
      case .requested(let number, .state(.read)):
        .bulkRequested(client.id, request: number, .state)
      case .requested(let number, let request):
        .event(.client(client.id, .requested(number, request)))
      }
  }
}

extension ServerConnectionMachine.Request {
  /// Why a peer may not have this; nil when it may.
  ///
  /// A trace holds every position, and a report says which other clients are served.
  func refusal(for peer: Peer, isOperator: Bool) -> ServerMessage.Refusal? {
    let text: String
    switch self {
    // A program may have taken over the daemon's own user.
    case .requested(_, .state(.accept)):
      if peer.userID == 0 { return nil }
      text = "only root may accept what is lost"
    case .requested(_, .status), .requested(_, .trace), .requested(_, .setServices),
      .requested(_, .state):
      if isOperator { return nil }
      text = "only root and the daemon's own user may look inside or change anything"
    // The engine judges a request for satellites, as all that is a location.
    case .connected, .opened, .closed, .requested(_, .openDefaults), .requested(_, .setDefaults),
      .requested(_, .sky):
      return nil
    }
    return ServerMessage.Refusal(reason: .notPermitted, text: text)
  }
}

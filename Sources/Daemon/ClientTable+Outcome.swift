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
        .event(.clientConnected(client.id, client.peer, program: program))
      case .opened(let sequence, let configuration):
        .event(.updatesOpened(client.id, sequence, configuration))
      case .closed(let sequence):
        .event(.updatesClosed(client.id, sequence))
      case .statusRequested(let request):
        .statusRequested(client.id, request: request)
      case .traceRequested(let request):
        .bulkRequested(client.id, request: request, .trace)
      case .stateWished(let request, .read):
        .bulkRequested(client.id, request: request, .state)
      case .stateWished(let request, let wish):
        .event(.stateWished(client.id, request: request, wish))
      case .defaultsRequested(let request):
        .event(.defaultsRequested(client.id, request: request))
      case .defaultsSet(let request, let isLast, let entries):
        .event(.defaultsSet(client.id, request: request, isLast: isLast, entries))
      case .servicesRequested(let request, let isOn):
        .event(.servicesRequested(client.id, request: request, isOn: isOn))
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
    case .stateWished(_, .accept):
      if peer.userID == 0 { return nil }
      text = "only root may accept what is lost"
    case .statusRequested, .traceRequested, .servicesRequested, .stateWished:
      if isOperator { return nil }
      text = "only root and the daemon's own user may look inside or change anything"
    case .connected, .opened, .closed, .defaultsRequested, .defaultsSet: return nil
    }
    return ServerMessage.Refusal(reason: .notPermitted, text: text)
  }
}

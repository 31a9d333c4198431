import BinnacleModel
import BinnacleWire
import LocationEngine

extension ClientTable {
  /// An outcome for the door.
  enum Outcome: Equatable {
    case event(Event)
    case bulkRequested(ClientID, request: UInt32, Bulk)
    case statusRequested(ClientID, request: UInt32)
    case logRequested(ClientID, request: UInt32, LogLevel, isFollowed: Bool)
    case settingsRequested(ClientID, request: UInt32)
    case log(LogLevel, String, from: LogSource)
  }
}

extension ClientTable.Outcome {
  /// The outcome of a client's request.
  init(_ request: ServerConnectionMachine.Request, from client: Client) {
    self =
      switch request {
      case .connected(let program, _):
        .event(.client(client.id, .connected(client.peer, program: program)))
      case .opened(let sequence, let configuration, let options):
        .event(.client(client.id, .updatesOpened(sequence, configuration, options)))
      case .closed(let sequence):
        .event(.client(client.id, .updatesClosed(sequence)))
      case .sessionOpened(let id, let session):
        .event(.client(client.id, .sessionOpened(id, session)))
      case .sessionClosed(let id): .event(.client(client.id, .sessionClosed(id)))
      case .authorizationWatched: .event(.client(client.id, .authorizationWatched))
      case .buttonsWatched: .event(.client(client.id, .buttonsWatched))
      case .phaseWatched: .event(.client(client.id, .phaseWatched))
      case .requested(let number, .status): .statusRequested(client.id, request: number)
      case .requested(let number, .log(let level, let isFollowed)):
        .logRequested(client.id, request: number, level, isFollowed: isFollowed)
      case .requested(let number, .settings): .settingsRequested(client.id, request: number)
      case .requested(let number, .trace):
        .bulkRequested(client.id, request: number, .trace)
      case .requested(let number, .state(.read)):
        .bulkRequested(client.id, request: number, .state)
      case .requested(let number, let request):
        .event(.client(client.id, .requested(number, request)))
      }
  }
}

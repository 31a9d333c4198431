import BinnacleModel
import LocationEngine

/// The cause of a line of the log, whose budget the line takes.
enum LogSource: Equatable {
  /// The board, the daemon itself, or an order of an operator.
  case board
  /// The clients of one user.
  case user(UInt32)
  /// Clients whose user is not known any more.
  case clients

  /// How the log names it.
  var inWords: String {
    switch self {
    case .board: "of the board"
    case .user(let userID): "that clients of user \(userID) caused"
    case .clients: "that clients caused"
    }
  }
}

extension Event {
  /// The client that caused the event; nil when the board did.
  var client: ClientID? {
    switch self {
    case .clientConnected(let client, _, program: _), .clientDisconnected(let client),
      .updatesOpened(let client, _, _), .updatesClosed(let client, _),
      .servicesRequested(let client, request: _, isOn: _),
      .defaultsRequested(let client, request: _),
      .defaultsSet(let client, request: _, isLast: _, _), .stateWished(let client, request: _, _),
      .statusRequested(let client, request: _):
      client
    case .started, .stateRead, .committed, .commitFailed, .wallClockRead, .receiverOpened,
      .receiverOpenFailed, .receiverBytesArrived, .receiverDrained, .receiverSpeedChanged,
      .receiverSpeedRefused, .receiverLost, .appsRead, .lineOpened, .lineEdge, .lineRead, .lineLost,
      .accelerometer, .track, .stopRequested, .deadlineReached:
      nil
    }
  }
}

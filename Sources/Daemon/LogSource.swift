import BinnacleModel
import LocationEngine

/// The cause of a log line; the cause decides which budget the line takes.
enum LogSource: Equatable {
  /// The board, the daemon itself, or an order of an operator.
  case board
  /// The clients of one user.
  case user(UInt32)
  /// Clients of several users, and clients whose user is unknown because they have disconnected.
  case clients

  /// The name of the source in the log.
  var inWords: String {
    switch self {
    case .board: "of the board"
    case .user(let userID): "that clients of user \(userID) caused"
    case .clients: "that clients caused"
    }
  }
}

extension Event {
  /// The client that caused the event; nil for an event of the board.
  var client: ClientID? {
    if case .client(let client, _) = self { client } else { nil }
  }
}

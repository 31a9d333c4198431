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
    if case .client(let client, _) = self { client } else { nil }
  }
}

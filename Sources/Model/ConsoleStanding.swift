/// The rights of a client that belongs to a console.
public enum ConsoleStanding: Equatable, Codable, Sendable {
  /// The client reads the state of the service, and may change nothing.
  case viewer
  /// The client has the rights of an operator, because this console is unlocked.
  case unlocked(by: ClientID)
}

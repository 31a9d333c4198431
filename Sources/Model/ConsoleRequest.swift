/// A request of a console about its own rights.
public enum ConsoleRequest: Equatable, Codable, Sendable {
  /// Lift the rights of the console for a while, if this is the board's PIN.
  ///
  /// Without a PIN the console is unlocked if a person has just made the gesture of `Presence`.
  case unlock(Secret)
  /// End the lift of the console.
  case lock
}

/// A request of a console about its own rights.
public enum ConsoleRequest: Equatable, Codable, Sendable {
  /// Lift the rights of the console for a while, if this is the board's PIN.
  case unlock(Secret)
  /// Lift the rights of the console for a while, if a person has just made the gesture of `Presence`.
  case unlockByPresence
  /// Report what unlocks consoles: a PIN, a gesture, both or neither.
  case describeLock
  /// End the lift of the console.
  case lock
}

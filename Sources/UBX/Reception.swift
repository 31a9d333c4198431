/// What a stream decoder found next.
public enum Reception: Equatable, Sendable {
  /// A frame whose checksum is right, typed where the daemon has a use for it.
  case message(Message)
  /// An epoch's navigation solution; it comes after the message that completed it.
  case solution(NavigationSolution)
}

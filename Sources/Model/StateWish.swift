/// What a person at the board wants of what it keeps.
public enum StateWish: Equatable, Codable, Sendable {
  /// All records, as they are in the log.
  case read
  /// Records to be erased.
  case erase(EraseSubject)
  /// What was written, by hour and class.
  case writes
  /// The loss that is told as `state.damage` is accepted: what is left counts from now on.
  case accept
}

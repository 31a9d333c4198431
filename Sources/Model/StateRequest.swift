/// A request about the stored records.
public enum StateRequest: Equatable, Codable, Sendable {
  /// All records, as they are in the log.
  case read
  /// Records to be erased.
  case erase(EraseSubject)
  /// What was written, by hour and class.
  case writes
  /// The loss that is told as `state.damage` is accepted: what is left counts from now on.
  case accept
}

/// A request about the stored records.
public enum StateRequest: Equatable, Codable, Sendable {
  /// Read all records of the log.
  case read
  /// Erase records.
  case erase(EraseSubject)
  /// Read the written bytes by hour and class.
  case writes
  /// Accept the loss in `state.damage`: the remaining records become valid.
  case accept
}

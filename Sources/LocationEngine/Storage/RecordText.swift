public import StateLog

/// The text of a record, for a person who may look at everything.
public enum RecordText {
  /// - Parameters:
  ///   - entry: the record.
  ///   - showsPlaces: whether positions are shown.
  /// - Returns: nil when the type has no text, the value is damaged, or it is a position that is not to be shown.
  public static func words(for entry: RecordSet.Entry, showsPlaces: Bool) -> String? {
    RecordTable.kind(entry.name.kind)?.text(entry.value, showsPlaces)
  }
}

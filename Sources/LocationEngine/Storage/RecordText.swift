public import StateLog

/// The text of a record, for an operator with access to all records.
public enum RecordText {
  /// - Parameters:
  ///   - entry: the record.
  ///   - showsPlaces: whether positions are shown.
  /// - Returns: nil if the type has no text, the value is damaged, or positions are not shown.
  public static func words(for entry: RecordSet.Entry, showsPlaces: Bool) -> String? {
    RecordTable.kind(entry.name.kind)?.text(entry.value, showsPlaces)
  }
}

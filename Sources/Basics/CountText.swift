/// A number and its noun, as in a sentence.
public enum CountText {
  /// The number, and the form of the noun for this number.
  ///
  /// - Parameters:
  ///   - count: the number.
  ///   - singular: the noun for 1, also with further words such as `line was`.
  ///   - plural: the form for other numbers; nil: the singular with an `s`.
  /// - Returns: such as `1 line` or `2 lines`.
  public static func words(
    _ count: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }
}

/// The width of a text in terminal columns.
enum TextColumns {
  static let screenMax = 80

  /// The largest possible width of a text in columns.
  ///
  /// Each character beyond Latin, Greek, Cyrillic and neighboring blocks counts as two columns, like wide characters
  /// (Unicode Standard Annex 11).
  static func count(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
  }

  /// The text truncated to a width, behind a whole word of the second half if there is one; `...` replaces the end.
  static func clipped(_ text: String, to columns: Int) -> String {
    if count(text) <= columns { return text }
    var clipped = ""
    var sum = 0
    for character in text {
      sum += count(String(character))
      if sum > columns - 3 { break }
      clipped.append(character)
    }
    let half = clipped.index(clipped.startIndex, offsetBy: clipped.count / 2)
    if let blank = clipped[half...].lastIndex(of: " ") { return clipped[..<blank] + " ..." }
    return clipped + "..."
  }
}

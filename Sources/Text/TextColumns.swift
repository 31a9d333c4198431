/// Columns of a terminal that a text takes.
enum TextColumns {
  static let screenMax = 80

  /// An upper limit: every character beyond Latin, Greek, Cyrillic and their neighbors counts as two columns, as wide ones
  /// do (Unicode Standard Annex 11).
  static func count(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
  }

  /// A text that fits; `...` stands for the end that does not.
  static func clipped(_ text: String, to columns: Int) -> String {
    if count(text) <= columns { return text }
    var clipped = ""
    var sum = 0
    for character in text {
      sum += count(String(character))
      if sum > columns - 3 { break }
      clipped.append(character)
    }
    return clipped + "..."
  }
}

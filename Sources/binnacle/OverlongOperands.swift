import BinnacleBasics

/// Overlong words of the command line in the text of an error, which must stay readable on a console.
enum OverlongOperands {
  /// The largest number of characters of a word that an error repeats.
  static let lengthMax = 200

  /// The text with each overlong operand cut off; `...` replaces the end.
  ///
  /// - Parameters:
  ///   - text: one line, as `PlainText.line` returns it.
  ///   - words: the words of the command line.
  /// - Returns: the text.
  static func shortened(_ text: String, words: some Sequence<String>) -> String {
    var operands: [[Unicode.Scalar]] = []
    for word in words {
      let scalars = Array(PlainText.line(word).unicodeScalars)
      operands.append(scalars)
      // The value of an option may follow `=`.
      if let sign = scalars.firstIndex(of: "=") { operands.append(Array(scalars[(sign + 1)...])) }
    }
    // A long word may contain a shorter one.
    let overlong = operands.filter { $0.count > lengthMax }.sorted { $0.count > $1.count }
    if overlong.isEmpty { return text }
    var scalars = Array(text.unicodeScalars)
    for word in overlong { scalars = cutting(word, in: scalars) }
    var line = String.UnicodeScalarView()
    line.append(contentsOf: scalars)
    return String(line)
  }

  private static func cutting(
    _ word: [Unicode.Scalar], in text: [Unicode.Scalar]
  ) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var rest = text[...]
    while let scalar = rest.first {
      if rest.starts(with: word) {
        result += word.prefix(lengthMax) + Array("...".unicodeScalars)
        rest = rest.dropFirst(word.count)
      } else {
        result.append(scalar)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

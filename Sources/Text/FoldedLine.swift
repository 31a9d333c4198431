/// A line folded to the 80 columns of a serial console.
enum FoldedLine {
  static let columnsMax = 80

  /// Breaks a line at its blanks, and splits a word that is longer than a piece.
  ///
  /// - Parameters:
  ///   - line: a line without control characters.
  ///   - hang: the number of blanks at the start of each piece except the first.
  /// - Returns: the pieces.
  static func pieces(_ line: String, hang: Int) -> [String] {
    var pieces: [String] = []
    var rest = Substring(line)
    while !rest.isEmpty || pieces.isEmpty {
      let margin = pieces.isEmpty ? "" : String(repeating: " ", count: hang)
      let room = columnsMax - margin.count
      guard rest.count > room else { return pieces + [margin + rest] }
      let window = rest.prefix(room + 1)
      // The text before the hang of the first piece is a title, and a piece must not consist of the title alone.
      let titleEnd = window.index(window.startIndex, offsetBy: pieces.isEmpty ? hang : 0)
      let blank = window[titleEnd...].lastIndex(of: " ")
      let end = blank ?? window.index(before: window.endIndex)
      pieces.append(margin + rest[..<end])
      rest = rest[end...].drop { $0 == " " }
    }
    return pieces
  }
}

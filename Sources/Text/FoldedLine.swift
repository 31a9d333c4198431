/// A line folded to the columns of a screen, which are 80 on a serial console.
public enum FoldedLine {
  public static let columnsMax = 80

  /// Breaks a line at its blanks, and splits a word that is longer than a piece.
  ///
  /// - Parameters:
  ///   - line: a line without control characters.
  ///   - hang: the number of blanks at the start of each piece except the first.
  ///   - columns: the width of a piece; a piece is at least a few columns wider than `hang`.
  /// - Returns: the pieces.
  public static func pieces(
    _ line: String, hang: Int, columns: Int = columnsMax
  ) -> [String] {
    let columns = max(columns, hang + 8)
    var pieces: [String] = []
    var rest = Substring(line)
    while !rest.isEmpty || pieces.isEmpty {
      let margin = pieces.isEmpty ? "" : String(repeating: " ", count: hang)
      let room = columns - margin.count
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

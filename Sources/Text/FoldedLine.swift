/// A line as a serial console shows it whole: that has 80 columns.
enum FoldedLine {
  static let columnsMax = 80

  /// Breaks a line at its blanks, and cuts a word that fits in no piece.
  ///
  /// - Parameters:
  ///   - line: without control characters.
  ///   - hang: how many blanks all pieces but the first begin with.
  /// - Returns: pieces that fit.
  static func pieces(_ line: String, hang: Int) -> [String] {
    var pieces: [String] = []
    var rest = Substring(line)
    while !rest.isEmpty || pieces.isEmpty {
      let margin = pieces.isEmpty ? "" : String(repeating: " ", count: hang)
      let room = columnsMax - margin.count
      guard rest.count > room else { return pieces + [margin + rest] }
      let window = rest.prefix(room + 1)
      // What stands before the hang of the first piece is its title, which is of no use alone.
      let titleEnd = window.index(window.startIndex, offsetBy: pieces.isEmpty ? hang : 0)
      let blank = window[titleEnd...].lastIndex(of: " ")
      let end = blank ?? window.index(before: window.endIndex)
      pieces.append(margin + rest[..<end])
      rest = rest[end...].drop { $0 == " " }
    }
    return pieces
  }
}

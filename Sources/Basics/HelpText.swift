/// Text of `--help` as a serial console and a manual page show it whole: both have 80 columns.
public enum HelpText {
  /// Columns of the narrowest terminal.
  public static let columnsMax = 80

  /// A paragraph, filled; a no-break space keeps two words on one line.
  public static func paragraph(_ text: String, indent: Int = 0, hang: Int = 0) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > columnsMax {
        lines.append(line)
        line = String(repeating: " ", count: hang)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).map { String($0.map { $0 == "\u{a0}" ? " " : $0 }) }
  }

  /// Rows of two columns; a left part that is too wide has a line of its own.
  public static func columns(_ rows: [(left: String, right: String)]) -> [String] {
    let widthMax = 30
    let fitting = rows.map(\.left.count).filter { $0 <= widthMax }
    let column = 2 + (fitting.max() ?? 0) + 2
    return rows.flatMap { row -> [String] in
      let left = "  " + row.left
      let filled = paragraph(row.right, indent: column, hang: column)
      guard left.count + 2 <= column, let first = filled.first else { return [left] + filled }
      return [left + first.dropFirst(left.count)] + filled.dropFirst()
    }
  }
}

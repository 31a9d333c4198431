/// Text of `--help` as a serial console and a manual page show it whole: both have 80 columns.
public enum HelpText {
  /// Columns of the narrowest terminal.
  public static let columnsMax = 80

  /// Breaks the lines that are too long at their blanks.
  ///
  /// A line and those below it that are indented to its description are one paragraph. A paragraph that fits stays as it
  /// is; another one is filled anew. A line that begins with the program's name, the text's first word, is a synopsis and
  /// a paragraph of its own.
  public static func folded(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let program = text.prefix { $0 != ":" && $0 != " " }
    var folded: [String] = []
    var index = 0
    while index < lines.count {
      let hang = HelpText.hang(of: lines[index])
      let isSynopsis = HelpText.isSynopsis(lines[index], of: program)
      var end = index + 1
      while end < lines.count, !isSynopsis, !lines[index].isEmpty,
        !HelpText.isSynopsis(lines[end], of: program), belongs(lines[end], below: hang)
      { end += 1 }
      let paragraph = lines[index..<end]
      let fits = paragraph.allSatisfy { $0.count <= columnsMax }
      folded += fits ? Array(paragraph) : fill(paragraph, hang: hang, margin: isSynopsis ? 4 : hang)
      index = end
    }
    return folded.joined(separator: "\n")
  }

  private static func isSynopsis(_ line: String, of program: Substring) -> Bool {
    !program.isEmpty && line.hasPrefix(program + " ")
  }

  /// The column where a line's description begins: behind two blanks, or where the line itself begins.
  private static func hang(of line: String) -> Int {
    let letters = Array(line)
    let start = letters.firstIndex { $0 != " " } ?? 0
    guard start > 0 else { return 0 }
    for index in letters.indices.dropFirst(start + 1)
    where letters[index] != " " && letters[index - 2..<index] == [" ", " "] { return index }
    return start
  }

  /// Whether a line goes on with the description above it: it begins in its column and has no second column.
  private static func belongs(_ line: String, below hang: Int) -> Bool {
    line.prefix { $0 == " " }.count == hang && HelpText.hang(of: line) == hang && !line.isEmpty
  }

  private static func fill(_ paragraph: ArraySlice<String>, hang: Int, margin: Int) -> [String] {
    let first = paragraph.first ?? ""
    let words =
      first.dropFirst(hang).split(separator: " ")
      + paragraph.dropFirst().flatMap { $0.split(separator: " ") }
    var filled: [String] = []
    var line = String(first.prefix(hang))
    var isEmpty = true
    for word in words {
      if !isEmpty, line.count + 1 + word.count > columnsMax {
        filled.append(line)
        line = String(repeating: " ", count: margin)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return filled + [line]
  }

  // MARK: Text from rows

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

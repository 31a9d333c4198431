/// The part of a board's page that comes from its profile: the picture and the table of wires.
struct BoardPage {
  let wiring: Wiring

  static let start = "<!-- by \"make drawings\": -->"
  static let end = "<!-- :by \"make drawings\" -->"

  /// The text between the marks.
  var generated: String {
    let table = wiring.rows.sorted { $0.pin < $1.pin }.map { row in
      "| \(row.pin) | \(row.isPower ? row.line : "`\(row.line)`") | \(row.uses.joined(separator: ", ")) |"
    }
    return """

      ![The header of the \(BoardDrawing.title(wiring)) with its wires](\(wiring.name).svg)

      | pin | line | goes to |
      |---|---|---|
      \(table.joined(separator: "\n"))


      """
  }

  /// The page with this part anew; nil when the marks are missing.
  func renewed(_ page: String) -> String? {
    let halves = page.split(separator: BoardPage.start, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let rest = halves[1].split(separator: BoardPage.end, omittingEmptySubsequences: false)
    guard rest.count == 2 else { return nil }
    return halves[0] + BoardPage.start + "\n" + generated + BoardPage.end + rest[1]
  }
}

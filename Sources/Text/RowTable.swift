import BinnacleBasics
public import BinnacleModel

/// A list as a table for a person: one line for each row, one column for each key.
public struct RowTable {
  private let rows: [Report]
  private let keys: [ReportCatalog.Entry]

  /// - Parameters:
  ///   - rows: the rows.
  ///   - keys: the keys of the list in the order of the columns; other keys of the rows follow.
  public init(_ rows: [Report], keys: [ReportCatalog.Entry] = []) {
    self.rows = rows
    self.keys = keys
  }

  /// The table, or without room for it a paragraph for each row.
  ///
  /// - Parameter columns: the width of the screen; nil: any width is right.
  /// - Returns: the lines without a line feed at the end.
  public func text(columns: Int?) -> String {
    let table = text
    guard let columns,
      table.split(separator: "\n").contains(where: { TextColumns.count($0) > columns })
    else { return table }
    return rows.flatMap { RowTable.paragraph($0, columns: columns) }.joined(separator: "\n")
  }

  /// The first value as the title, then the names with their values; a value stays on the line of its name.
  private static func paragraph(_ row: Report, columns: Int) -> [String] {
    let items = row.items
    guard let title = items.first else { return [] }
    let cells = items.dropFirst().map {
      "\(PlainText.line($0.name)) \(ReportText.value($0.value))"
    }
    var lines = FoldedLine.pieces(ReportText.value(title.value), hang: 0, columns: columns)
    var line = ""
    for cell in cells {
      let longer = line.isEmpty ? "  " + cell : line + ", " + cell
      if line.isEmpty || TextColumns.count(longer) < columns {
        line = longer
      } else {
        lines += FoldedLine.pieces(line + ",", hang: 4, columns: columns)
        line = "  " + cell
      }
    }
    if !line.isEmpty { lines += FoldedLine.pieces(line, hang: 4, columns: columns) }
    return lines
  }

  /// The lines without a line feed at the end; the first line has the names of the columns.
  var text: String {
    let items = rows.flatMap(\.items)
    // A key that no row has needs no column.
    var names = keys.map(\.name).filter { name in items.contains { $0.name == name } }
    for item in items where !names.contains(item.name) { names.append(item.name) }
    let title = names.map { PlainText.line($0) }
    let cells = [title] + rows.map { row in names.map { ReportText.value(row[$0]) } }
    let widths = names.indices.map { column in
      cells.map { TextColumns.count($0[column]) }.max() ?? 0
    }
    return cells.map { line($0, widths) }.joined(separator: "\n")
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      line += cell + String(repeating: " ", count: width - TextColumns.count(cell) + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

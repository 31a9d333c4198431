import BinnacleBasics
public import BinnacleModel

/// A list as a table for a person: one line for each row, one column for each key.
public struct RowTable {
  private let rows: [Report]

  public init(_ rows: [Report]) {
    self.rows = rows
  }

  /// The lines without a line feed at the end; the first line has the names of the columns.
  public var text: String {
    var names: [String] = []
    for item in rows.flatMap(\.items) where !names.contains(item.name) { names.append(item.name) }
    let cells = [names] + rows.map { row in names.map { ReportText.value(row[$0]) } }
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

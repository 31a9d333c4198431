/// `binnacle top` on a screen of any size.
public struct TopScreen: Sendable {
  private let page: TopPage
  private let isHeld: Bool

  /// - Parameters:
  ///   - snapshot: the values.
  ///   - columns: the width of the screen.
  ///   - isHeld: whether the person has stopped the view.
  public init(_ snapshot: BoardSnapshot, columns: Int, isHeld: Bool = false) {
    page = TopPage(snapshot, columns: columns)
    self.columns = columns
    self.isHeld = isHeld
  }

  private let columns: Int

  /// The total number of lines of a part that the next rows are for, by importance.
  ///
  /// Rows that a part does not need go to the next step. A small screen ends in the first steps.
  private static let steps: [(part: TopPage.Part, count: Int)] = [
    (.alerts, 1), (.fix, 1), (.apps, 1), (.requests, 3), (.power, 1), (.motion, 1), (.sky, 1),
    (.light, 1), (.log, 1), (.state, 1), (.apps, 2), (.alerts, 2), (.apps, 4), (.log, 2), (.sky, 5),
    (.receiver, 1), (.activity, 1), (.log, 3), (.sky, 6), (.alerts, 3), (.requests, 6), (.log, 4),
    (.apps, 6), (.sky, 8), (.log, 8), (.apps, 12), (.alerts, 8), (.sky, TopPage.barHeightMax + 2),
    (.requests, 12), (.apps, 40), (.log, CellGrid.rowsMax), (.apps, CellGrid.rowsMax),
  ]

  /// The whole screen.
  ///
  /// - Parameter rows: the height of the screen.
  /// - Returns: the cells.
  public func grid(rows: Int) -> CellGrid {
    var grid = CellGrid(columns: columns, rows: rows)
    putTitle(in: &grid)
    if grid.rows > 1 {
      grid.put([StyledText(keys, .bar)], row: grid.rows - 1)
      grid.fill(row: grid.rows - 1, .bar)
    }
    var row = 1
    for (part, lines) in parts(room: grid.rows - 2) {
      for (index, line) in lines.enumerated() {
        let style: CellStyle = part == .alerts ? .bad : .strong
        if index == 0 || part == .alerts { grid.put([StyledText(part.name, style)], row: row) }
        grid.put(line, row: row, column: TopPage.nameWidth)
        row += 1
      }
    }
    return grid
  }

  private func putTitle(in grid: inout CellGrid) {
    let (left, right) = page.title
    let end = grid.put([StyledText(left, .bar)], row: 0)
    let start = grid.columns - GlyphWidth.columns(of: right) - 1
    if start >= end + 2 { grid.put([StyledText(right, .bar)], row: 0, column: start) }
    grid.fill(row: 0, .bar)
  }

  private var keys: String {
    (isHeld ? "HELD  " : "") + "q quits  p \(isHeld ? "goes on" : "holds")  r redraws  "
      + "Ctrl-Z suspends"
  }

  /// The lines of each part, as many as the rows hold.
  private func parts(room: Int) -> [(TopPage.Part, [TopPage.Line])] {
    var granted: [TopPage.Part: Int] = [:]
    var needs: [TopPage.Part: Int] = [:]
    var left = room
    for (part, wanted) in TopScreen.steps {
      let need = needs[part] ?? page.lines(of: part).count
      needs[part] = need
      let given = granted[part] ?? 0
      let further = min(wanted, need) - given
      // The picture of the sky has rows for columns and for names, or is not there.
      guard further > 0, further <= left || part != .sky else { continue }
      granted[part] = given + min(further, left)
      left -= min(further, left)
    }
    return TopPage.Part.allCases.compactMap { part in
      let lines = page.lines(of: part, atMost: granted[part] ?? 0)
      return lines.isEmpty ? nil : (part, lines)
    }
  }
}

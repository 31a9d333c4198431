/// Brings a terminal from the grid that it shows to another one, in pieces that fit a budget.
///
/// The sequences are those that the VT100 and the consoles of xterm, Linux, screen and tmux share: CUP, ED, EL and SGR
/// (ECMA-48, 8.3.21, 8.3.39, 8.3.41, 8.3.117; in terminfo `cup`, `clear`, `el`, `sgr0`, `bold`, `rev`, `setaf`). No mode of the
/// terminal is changed, so a view that is killed leaves nothing behind but text.
public struct GridPainter: Sendable {
  /// With a smaller budget nothing is painted: the way to a character, its look and a wide character need this much.
  public static let budgetMin = 64

  private let hasColors: Bool
  private var columns = 0
  private var rows = 0
  /// The cells on the terminal.
  ///
  /// Half of a wide character that was broken stays here as it was. No grid has such a half, so the place is painted.
  private var shown: [Cell] = []
  private var mustClear = true
  /// The place that is painted first, so that places that change all the time keep no other place waiting.
  private var next = (row: 0, column: 0)

  private var pen = Pen()

  /// The place and the look of the next character.
  private struct Pen {
    /// nil: unknown, as behind the last column or behind a character beyond ASCII.
    var row: Int?
    var column = 0
    var style: CellStyle?
  }

  /// - Parameter hasColors: whether the terminal has colors.
  public init(hasColors: Bool) {
    self.hasColors = hasColors
  }

  /// Notes that the contents of the screen are unknown: the next painting clears the screen.
  public mutating func forget() { mustClear = true }

  /// Whether the terminal shows the grid.
  public func shows(_ grid: CellGrid) -> Bool {
    guard !mustClear, grid.columns == columns, grid.rows == rows else { return false }
    for row in 0..<rows {
      for column in 0..<paintedColumns(row) where at(row, column) != grid[row, column] {
        return false
      }
    }
    return true
  }

  /// Paints what differs.
  ///
  /// - Parameters:
  ///   - grid: the wanted contents.
  ///   - budget: the largest number of bytes.
  /// - Returns: the bytes; the cursor is then in the lower right corner.
  public mutating func paint(_ grid: CellGrid, budget: Int) -> [UInt8] {
    guard budget >= GridPainter.budgetMin, !shows(grid) else { return [] }
    pen = Pen(style: .plain)
    var output = Output(room: budget - GridPainter.closingMax)
    if mustClear || grid.columns != columns || grid.rows != rows { clear(for: grid, &output) }
    let start = next
    // The first row is looked at twice: from the start on, and at the end up to the start.
    for step in 0...rows {
      let row = (start.row + step) % rows
      let column = paint(row: row, from: step == 0 ? start.column : 0, of: grid, &output)
      guard let column else { continue }
      next = (row, column)
      break
    }
    return close(output)
  }

  /// The bytes that put the cursor below the picture, for the end of a view.
  ///
  /// - Parameter rows: the number of rows of the screen.
  /// - Returns: the bytes, with plain text from here on.
  public static func leaving(rows: Int) -> [UInt8] {
    Array("\u{1B}[m\u{1B}[\(min(max(rows, 1), CellGrid.rowsMax));1H\u{1B}[K".utf8)
  }

  // MARK: Pieces

  /// The bytes so far; a piece goes in as a whole or not at all.
  private struct Output {
    var bytes: [UInt8] = []
    let room: Int

    mutating func add(_ piece: String) -> Bool {
      guard bytes.count + piece.utf8.count <= room else { return false }
      bytes += piece.utf8
      return true
    }
  }

  /// SGR and CUP at the end of each painting.
  private static let closingMax = 3 + 10

  private mutating func clear(for grid: CellGrid, _ output: inout Output) {
    (columns, rows) = (grid.columns, grid.rows)
    shown = Array(repeating: .blank, count: columns * rows)
    next = (0, 0)
    mustClear = false
    _ = output.add(CellStyle.plain.sequence(hasColors: hasColors) + "\u{1B}[2J")
    pen.style = .plain
  }

  private func close(_ output: Output) -> [UInt8] {
    guard !output.bytes.isEmpty else { return [] }
    let style = pen.style == .plain ? "" : CellStyle.plain.sequence(hasColors: hasColors)
    return output.bytes + (style + GridPainter.move(rows - 1, columns - 1)).utf8
  }

  private static func move(_ row: Int, _ column: Int) -> String {
    "\u{1B}[\(row + 1);\(column + 1)H"
  }

  private func at(_ row: Int, _ column: Int) -> Cell { shown[row * columns + column] }

  /// A character in the lower right corner would scroll some terminals, so this place stays empty.
  private func paintedColumns(_ row: Int) -> Int { row == rows - 1 ? columns - 1 : columns }

  // MARK: A row

  /// Paints a row; returns the column at which the budget was used up, nil if the row is as wanted.
  private mutating func paint(
    row: Int, from start: Int, of grid: CellGrid, _ output: inout Output
  ) -> Int? {
    let end = paintedColumns(row)
    var tail = end
    while tail > 0, grid[row, tail - 1] == .blank { tail -= 1 }
    var column = start
    while column < tail {
      let cell = grid[row, column]
      let isWide = cell.part == .wideStart
      let isShown =
        at(row, column) == cell && (!isWide || at(row, column + 1) == grid[row, column + 1])
      if !isShown, cell.part != .wideEnd {
        let isPainted =
          isWide
          ? paintWide(grid, row, column, &output) : paintNarrow(grid, row, column, &output)
        guard isPainted else { return column }
      }
      column += isWide ? 2 : 1
    }
    return erase(row, from: tail, to: end, &output) ? nil : tail
  }

  private mutating func erase(
    _ row: Int, from tail: Int, to end: Int, _ output: inout Output
  ) -> Bool {
    guard (tail..<end).contains(where: { at(row, $0) != .blank }) else { return true }
    // Some terminals erase with the look of the pen.
    guard output.add(way(row, tail) + change(to: .plain) + "\u{1B}[K") else { return false }
    pen = Pen(row: row, column: tail, style: .plain)
    for column in tail..<columns { shown[row * columns + column] = .blank }
    return true
  }

  private mutating func paintNarrow(
    _ grid: CellGrid, _ row: Int, _ column: Int, _ output: inout Output
  ) -> Bool {
    let cell = grid[row, column]
    let gap = unchanged(grid, row, column)
    let start = gap.map { "\($0)" } ?? way(row, column)
    let glyph = String(Character(cell.scalar))
    guard output.add(start + change(to: cell.style) + glyph) else { return false }
    shown[row * columns + column] = cell
    pen = Pen(row: cell.scalar.isASCII ? row : nil, column: column + 1, style: cell.style)
    if column + 1 == columns { pen.row = nil }
    return true
  }

  /// Paints a wide character: blanks first, because a terminal that takes it for narrow leaves the second place as it was.
  private mutating func paintWide(
    _ grid: CellGrid, _ row: Int, _ column: Int, _ output: inout Output
  ) -> Bool {
    let cell = grid[row, column]
    let glyph = String(Character(cell.scalar))
    guard
      output.add(
        way(row, column) + change(to: cell.style) + "  " + GridPainter.move(row, column) + glyph)
    else { return false }
    shown[row * columns + column] = cell
    shown[row * columns + column + 1] = grid[row, column + 1]
    pen = Pen(row: nil, column: 0, style: cell.style)
    return true
  }

  /// The few characters between the pen and a column, if printing them is shorter than a sequence.
  private func unchanged(_ grid: CellGrid, _ row: Int, _ column: Int) -> String? {
    guard pen.row == row, pen.column < column, column - pen.column <= 4 else { return nil }
    var text = ""
    for place in pen.column..<column {
      let cell = grid[row, place]
      guard at(row, place) == cell, cell.part == .narrow, cell.scalar.isASCII,
        cell.style == pen.style
      else { return nil }
      text.unicodeScalars.append(cell.scalar)
    }
    return text
  }

  private func way(_ row: Int, _ column: Int) -> String {
    pen.row == row && pen.column == column ? "" : GridPainter.move(row, column)
  }

  private func change(to style: CellStyle) -> String {
    pen.style == style ? "" : style.sequence(hasColors: hasColors)
  }
}

/// A place of a screen for one narrow character, or for half of a wide one.
public struct Cell: Equatable, Sendable {
  public enum Part: UInt8, Sendable {
    case narrow
    case wideStart
    /// The right half of the wide character in the cell before.
    case wideEnd
  }

  public var scalar: Unicode.Scalar
  public var part: Part
  public var style: CellStyle

  public init(_ scalar: Unicode.Scalar, part: Part = .narrow, style: CellStyle = .plain) {
    self.scalar = scalar
    self.part = part
    self.style = style
  }

  public static let blank = Cell(" ")
}

/// A text in one look.
public struct StyledText: Equatable, Sendable {
  public var text: String
  public var style: CellStyle

  public init(_ text: String, _ style: CellStyle = .plain) {
    self.text = text
    self.style = style
  }
}

/// The contents of a screen, as wide and as high as the screen.
public struct CellGrid: Equatable, Sendable {
  /// Terminals that call themselves larger get a grid of this size.
  public static let columnsMax = 400
  public static let rowsMax = 150

  public let columns: Int
  public let rows: Int
  private var cells: [Cell]

  /// Makes an empty grid; sizes are limited to 1 and the largest.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), CellGrid.columnsMax)
    self.rows = min(max(rows, 1), CellGrid.rowsMax)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  public subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// Writes texts from a column on, up to the end of the row.
  ///
  /// The lower right corner stays empty, because a character there would scroll some terminals.
  ///
  /// - Parameters:
  ///   - texts: the texts, one behind the other.
  ///   - row: the row; a row below the screen shows nothing.
  ///   - column: the first column.
  /// - Returns: the column behind the last character.
  @discardableResult
  public mutating func put(_ texts: [StyledText], row: Int, column: Int = 0) -> Int {
    var column = column
    guard (0..<rows).contains(row), column >= 0 else { return column }
    for text in texts {
      for scalar in text.text.unicodeScalars {
        let (shown, isWide) = GlyphWidth.shown(scalar)
        guard column + (isWide ? 2 : 1) <= usedColumns(row) else { return column }
        set(Cell(shown, part: isWide ? .wideStart : .narrow, style: text.style), row, column)
        column += 1
        guard isWide else { continue }
        set(Cell(shown, part: .wideEnd, style: text.style), row, column)
        column += 1
      }
    }
    return column
  }

  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
    separate(row, column)
    cells[row * columns + column] = cell
  }

  /// Removes the other half of a wide character of which one half is replaced.
  private mutating func separate(_ row: Int, _ column: Int) {
    let index = row * columns + column
    switch cells[index].part {
    case .narrow: break
    case .wideStart: if column + 1 < columns { cells[index + 1] = .blank }
    case .wideEnd: if column > 0 { cells[index - 1] = .blank }
    }
  }

  /// Gives a whole row one look.
  public mutating func fill(row: Int, _ style: CellStyle) {
    guard (0..<rows).contains(row) else { return }
    for column in 0..<usedColumns(row) { cells[row * columns + column].style = style }
  }

  private func usedColumns(_ row: Int) -> Int { row == rows - 1 ? columns - 1 : columns }

  /// The rows as text, without blanks at their ends.
  public var lines: [String] {
    (0..<rows).map { row in
      var text = ""
      for cell in cells[(row * columns)..<((row + 1) * columns)] where cell.part != .wideEnd {
        text.unicodeScalars.append(cell.scalar)
      }
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

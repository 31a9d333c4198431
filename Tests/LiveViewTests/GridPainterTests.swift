import BinnacleBasics
import TestSupport
import Testing

@testable import LiveView

struct GridPainterTests {
  /// Texts of random letters, of which some are wide, some are Cyrillic, and some may not be shown.
  private static func randomText(_ random: inout Random) -> StyledText {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "7", " ", " ", "ä", "я", "漢", "カ", "\u{1B}", "\u{301}", "😀",
    ]
    var text = ""
    for _ in 0..<Int(random.next() % 30) {
      text.unicodeScalars.append(alphabet[Int(random.next() % UInt64(alphabet.count))])
    }
    let style = CellStyle(rawValue: UInt8(random.next() % UInt64(CellStyle.allCases.count)))
    return StyledText(text, style ?? .plain)
  }

  private static func change(_ grid: inout CellGrid, _ random: inout Random) {
    for _ in 0..<Int(random.next() % 12) {
      grid.put(
        [randomText(&random), randomText(&random)], row: Int(random.next() % UInt64(grid.rows)),
        column: Int(random.next() % UInt64(grid.columns)))
    }
    if random.next() % 4 == 0 { grid.fill(row: Int(random.next() % UInt64(grid.rows)), .bar) }
  }

  private static func look(_ style: CellStyle) -> String {
    style.sequence(hasColors: true).dropFirst(2).dropLast().split(separator: ";")
      .filter { $0 != "0" }.joined(separator: ";")
  }

  /// The places of a terminal that differ from a grid; the lower right corner does not count.
  private static func differences(_ terminal: TestGrid, _ grid: CellGrid) -> [String] {
    var found: [String] = []
    for row in 0..<grid.rows {
      for column in 0..<grid.columns
      where row < grid.rows - 1 || column < grid.columns - 1 {
        let cell = grid[row, column]
        let wanted = TestGrid.Place(
          text: cell.part == .wideEnd ? "" : String(Character(cell.scalar)),
          look: look(cell.style))
        if terminal[row, column] != wanted {
          found.append("\(row),\(column): \(terminal[row, column]) is not \(wanted)")
        }
      }
    }
    return found
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func theTerminalShowsTheGridAfterAnyCuts(seed: UInt64) {
    var random = Random(seed: seed)
    let columns = 1 + Int(random.next() % 90)
    let rows = 1 + Int(random.next() % 30)
    var terminal = TestGrid(columns: columns, rows: rows)
    terminal.resize(columns: columns, rows: rows)
    var painter = GridPainter(hasColors: true)
    var grid = CellGrid(columns: columns, rows: rows)
    for _ in 0..<12 {
      // Some grids are replaced before they are painted to their end.
      Self.change(&grid, &random)
      for _ in 0..<Int(random.next() % 5) {
        let budget = Int(random.next() % 300)
        let bytes = painter.paint(grid, budget: budget)
        #expect(bytes.count <= budget)
        terminal.take(bytes)
      }
      if random.next() % 8 == 0 { painter.forget() }
    }
    var count = 0
    while !painter.shows(grid), count < 20_000 {
      terminal.take(painter.paint(grid, budget: GridPainter.budgetMin + Int(random.next() % 200)))
      count += 1
    }
    #expect(painter.shows(grid))
    #expect(Self.differences(terminal, grid) == [])
    #expect(terminal.unknown == [] && terminal.scrolledCount == 0)
    #expect(terminal.pen == "")
    #expect(painter.paint(grid, budget: 1_000) == [], "nothing has changed")
  }

  @Test func anotherSizeIsPaintedAnew() {
    var random = Random(seed: 9)
    var painter = GridPainter(hasColors: true)
    var terminal = TestGrid(columns: 80, rows: 24)
    for (columns, rows) in [(80, 24), (120, 40), (60, 15), (1, 1), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      var grid = CellGrid(columns: columns, rows: rows)
      Self.change(&grid, &random)
      while !painter.shows(grid) { terminal.take(painter.paint(grid, budget: 500)) }
      #expect(Self.differences(terminal, grid) == [])
    }
  }

  @Test func oneFigureThatChangesCostsFewBytes() {
    var painter = GridPainter(hasColors: true)
    var grid = CellGrid(columns: 80, rows: 24)
    for row in 0..<24 { grid.put([StyledText("row \(row) 0.5 s old")], row: row) }
    while !painter.shows(grid) { _ = painter.paint(grid, budget: 1_000) }
    grid.put([StyledText("row 7 0.6 s old")], row: 7)
    let bytes = painter.paint(grid, budget: 1_000)
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[8;9H6\u{1B}[24;80H")
  }

  @Test func rowsThatChangeAllTheTimeDoNotDelayOtherRows() {
    var painter = GridPainter(hasColors: false)
    var terminal = TestGrid(columns: 80, rows: 24)
    var grid = CellGrid(columns: 80, rows: 24)
    var count = 0
    grid.put([StyledText("the last row")], row: 23)
    while terminal.lines[23] != "the last row", count < 100 {
      // 23 rows of 80 characters change between any two paintings, of which each has room for three rows.
      for row in 0..<23 {
        grid.put(
          [StyledText(String(repeating: "\((count + row) % 10)", count: 80))], row: row)
      }
      terminal.take(painter.paint(grid, budget: 300))
      count += 1
    }
    #expect(count < 15)
  }

  @Test func aTerminalThatTakesWideCharactersForNarrowKeepsTheOtherPlaces() {
    var painter = GridPainter(hasColors: false)
    var terminal = TestGrid(columns: 40, rows: 3, isWide: { _ in false })
    terminal.resize(columns: 40, rows: 3)
    var grid = CellGrid(columns: 40, rows: 3)
    grid.put([StyledText("漢字カナ and letters behind")], row: 0)
    while !painter.shows(grid) { terminal.take(painter.paint(grid, budget: 70)) }
    #expect(terminal.lines[0] == "漢 字 カ ナ  and letters behind")
    grid = CellGrid(columns: 40, rows: 3)
    grid.put([StyledText("a漢")], row: 0)
    while !painter.shows(grid) { terminal.take(painter.paint(grid, budget: 70)) }
    #expect(terminal.lines[0] == "a漢")
  }

  @Test func withoutColorsThereIsOnlyBoldAndReverse() {
    for style in CellStyle.allCases {
      let sequence = style.sequence(hasColors: false)
      #expect(!sequence.contains("3"))
      #expect(CellStyle.plain == style || style == .good || sequence != "\u{1B}[m")
    }
  }

  @Test func theLowerRightCornerStaysEmpty() {
    var grid = CellGrid(columns: 10, rows: 2)
    grid.put([StyledText(String(repeating: "x", count: 20))], row: 1)
    grid.fill(row: 1, .bar)
    #expect(grid[1, 9] == .blank)
    #expect(grid[1, 8] == Cell("x", style: .bar))
    grid.put([StyledText("漢")], row: 1, column: 8)
    #expect(grid[1, 8] == Cell("x", style: .bar))
  }

  @Test func aTerminalThatCallsItselfHugeGetsALimitedGrid() {
    let grid = CellGrid(columns: 65_535, rows: 65_535)
    #expect(grid.columns == CellGrid.columnsMax && grid.rows == CellGrid.rowsMax)
    #expect(CellGrid(columns: 0, rows: -3).lines == [""])
  }
}

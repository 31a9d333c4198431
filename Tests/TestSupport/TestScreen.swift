/// The screen of a terminal of the VT100 family, as far as the console and libedit use it.
public struct TestScreen {
  private let columns: Int
  private var cells: [[Character]] = [[]]
  private var row = 0
  private var column = 0
  private var sequence: String?
  /// The number of escape sequences that have come.
  public private(set) var escapeCount = 0
  /// Sequences that this screen does not know.
  public private(set) var unknown: [String] = []

  public init(columns: Int = 80) { self.columns = columns }

  /// All rows since the start, without blanks at their ends; also those that have left the window.
  public var rows: [String] {
    cells.map { row in
      var text = String(row)
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  public var text: String { rows.joined(separator: "\n") }

  /// The row of the cursor.
  public var currentRow: String { rows[row] }

  public mutating func take(_ bytes: [UInt8]) {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { take(scalar) }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    if let begun = sequence { return take(scalar, behind: begun) }
    switch scalar.value {
    case 0x1B:
      sequence = ""
      escapeCount += 1
    case 0x0D: column = 0
    case 0x0A: down()
    case 0x08: column = max(0, column - 1)
    case 0...0x1F, 0x7F: break
    default:
      if column == columns {
        column = 0
        down()
      }
      put(Character(scalar))
    }
  }

  private mutating func down() {
    row += 1
    if row == cells.count { cells.append([]) }
  }

  private mutating func put(_ character: Character) {
    while cells[row].count <= column { cells[row].append(" ") }
    cells[row][column] = character
    column += 1
  }

  private mutating func take(_ scalar: Unicode.Scalar, behind begun: String) {
    let whole = begun + String(Character(scalar))
    let isFinal = begun.isEmpty ? scalar != "[" : (0x40...0x7E).contains(scalar.value)
    guard isFinal else {
      sequence = whole
      return
    }
    sequence = nil
    obey(whole)
  }

  private mutating func obey(_ text: String) {
    let count = max(1, Int(text.dropFirst().dropLast()) ?? 1)
    switch text.last {
    case "K" where text == "[K": cells[row].removeSubrange(min(column, cells[row].count)...)
    case "K" where text == "[2K": cells[row] = []
    case "J" where text == "[J":
      cells[row].removeSubrange(min(column, cells[row].count)...)
      cells.removeSubrange((row + 1)...)
    case "A": row = max(0, row - count)
    case "B": row = min(cells.count - 1, row + count)
    case "C": column = min(columns - 1, column + count)
    case "D": column = max(0, column - count)
    case "m": break
    default: unknown.append(text)
    }
  }
}

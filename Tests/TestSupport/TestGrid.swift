/// A terminal with a screen of a fixed size, as far as full-screen views use one.
///
/// Wide characters take two places; a character that replaces half of a wide one leaves a blank for the other half. Behind
/// the last column the next character wraps, and below the last row the screen scrolls.
public struct TestGrid {
  public struct Place: Equatable {
    public var text: String
    /// The parameters of the last SGR sequence without zeros, such as `1;31`.
    public var look: String

    public init(text: String, look: String) {
      self.text = text
      self.look = look
    }
  }

  public private(set) var columns: Int
  public private(set) var rows: Int
  private var places: [[Place]]
  public private(set) var row = 0
  public private(set) var column = 0
  private var look = ""
  private var sequence: String?
  private let isWide: (Unicode.Scalar) -> Bool
  /// Bytes of a character that has not ended.
  private var open: [UInt8] = []
  /// Sequences that this terminal does not know.
  public private(set) var unknown: [String] = []
  /// The number of rows that have scrolled away.
  public private(set) var scrolledCount = 0

  public init(
    columns: Int, rows: Int, isWide: @escaping (Unicode.Scalar) -> Bool = TestGrid.isUsuallyWide
  ) {
    self.columns = columns
    self.rows = rows
    self.isWide = isWide
    places = Array(repeating: TestGrid.emptyRow(columns), count: rows)
  }

  /// Ideographs, kana and Hangul.
  public static func isUsuallyWide(_ scalar: Unicode.Scalar) -> Bool {
    (0x2E80...0xD7A3).contains(scalar.value) || (0xFF01...0xFF60).contains(scalar.value)
  }

  private static func emptyRow(_ columns: Int) -> [Place] {
    Array(repeating: Place(text: " ", look: ""), count: columns)
  }

  /// Another size; every place then has old contents.
  public mutating func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    places = Array(
      repeating: Array(repeating: Place(text: "x", look: "7"), count: columns), count: rows)
    (row, column) = (min(row, rows - 1), min(column, columns - 1))
  }

  public subscript(row: Int, column: Int) -> Place { places[row][column] }

  /// The look of the next character.
  public var pen: String { look }

  /// The rows without blanks at their ends.
  public var lines: [String] {
    places.map { row in
      var text = row.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  public var text: String { lines.joined(separator: "\n") }

  public mutating func take(_ bytes: [UInt8]) {
    for byte in bytes {
      open.append(byte)
      guard let text = String(validating: open, as: UTF8.self) else {
        if open.count >= 4 { open.removeAll() }
        continue
      }
      open.removeAll()
      for scalar in text.unicodeScalars { take(scalar) }
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    if let begun = sequence { return take(scalar, behind: begun) }
    switch scalar.value {
    case 0x1B: sequence = ""
    case 0x0D: column = 0
    case 0x0A: down()
    case 0x08: column = max(0, min(column, columns - 1) - 1)
    case 0...0x1F, 0x7F: break
    default: put(scalar)
    }
  }

  private mutating func down() {
    if row < rows - 1 {
      row += 1
    } else {
      places.removeFirst()
      places.append(TestGrid.emptyRow(columns))
      scrolledCount += 1
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = isWide(scalar) ? 2 : 1
    if column + width > columns {
      column = 0
      down()
    }
    for place in column..<(column + width) { separate(place) }
    places[row][column] = Place(text: String(Character(scalar)), look: look)
    if width == 2 { places[row][column + 1] = Place(text: "", look: look) }
    column += width
  }

  /// Blanks the other half of a wide character.
  private mutating func separate(_ column: Int) {
    if places[row][column].text.isEmpty, column > 0 { places[row][column - 1].text = " " }
    if column + 1 < columns, places[row][column + 1].text.isEmpty {
      places[row][column + 1].text = " "
    }
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
    let numbers = text.dropFirst().dropLast().split(
      separator: ";", omittingEmptySubsequences: false
    )
    .map { Int($0) }
    let first = max(1, numbers.first.flatMap(\.self) ?? 1)
    switch text.last {
    case "H":
      row = min(rows, first) - 1
      column = min(columns, max(1, numbers.count > 1 ? numbers[1] ?? 1 : 1)) - 1
    case "K" where text == "[K":
      let start = min(column, columns - 1)
      separate(start)
      for place in start..<columns { places[row][place] = Place(text: " ", look: "") }
    case "J" where text == "[2J":
      places = Array(repeating: TestGrid.emptyRow(columns), count: rows)
    case "m":
      look = numbers.compactMap(\.self).filter { $0 != 0 }.map(String.init).joined(separator: ";")
    case _: unknown.append(text)
    }
  }
}

import BinnacleBasics

/// Reads recordings of motion in pieces: comma-separated lines with a time, three accelerations and a speed.
///
/// An invalid line is reported with its number and left out. An invalid line never ends the reading.
public struct MotionSheet: Sendable {
  /// The result of a line.
  public enum Item: Equatable, Sendable {
    case row(MotionRow)
    case rejected(line: Int, Complaint)
    /// The header lacks these columns; no further items follow.
    case columnsMissing(line: Int, [String])
  }

  /// The reason why a line was left out.
  public enum Complaint: String, Equatable, CaseIterable, Sendable {
    case tooLong = "is longer than 1000 bytes"
    case tooShort = "has too few fields"
    case unreadable = "has a field that is no number"
    case timeMissing = "has no time"
    case timeBack = "goes back in time"
    case timeAhead = "is more than an hour ahead of its neighbors"
  }

  /// The columns of a recording; the raw value is the column's position in a line without a header.
  private enum Column: Int, CaseIterable {
    case time, x, y, z, label, speed

    var name: String {
      switch self {
      case .time: "t_s"
      case .x: "ax_g"
      case .y: "ay_g"
      case .z: "az_g"
      case .label: "label"
      case .speed: "gps_speed"
      }
    }
  }

  private static let lineMax = 1_000
  /// Times may count from 1970; times beyond 250 years do not fit into nanoseconds.
  private static let secondsMax = 8e9
  /// The next line must confirm a line that is farther ahead.
  private static let aheadMax = Interval.seconds(3_600)

  private let readsLabels: Bool
  /// The position of each column in a line; nil where the header lacks the column.
  private var places: [Int?] = Column.allCases.map(\.rawValue)
  private var partial: [UInt8] = []
  private var isTooLong = false
  /// Whether the next line that is not empty may be a header.
  private var isFirst = true
  /// Whether columns are missing, so that no line is usable.
  private var isHopeless = false
  private var lineNumber = 0
  private var last: Instant?
  /// A line whose time is not confirmed yet.
  private var held: MotionRow?
  /// The order of the rows, and the changes to that order.
  public private(set) var order = RowOrder()
  /// The number of lines that gave a row.
  public private(set) var rowCount = 0

  /// - Parameter readsLabels: whether the truth is read, for scores only.
  public init(readsLabels: Bool = false) {
    self.readsLabels = readsLabels
  }

  /// Takes bytes, and reports the items of the completed lines.
  public mutating func read(_ bytes: [UInt8], _ body: (Item) -> Void) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lineEnded(body)
      } else if partial.count < MotionSheet.lineMax {
        partial.append(byte)
      } else {
        isTooLong = true
      }
    }
  }

  /// Ends the reading: the last line may lack its line feed.
  public mutating func finish(_ body: (Item) -> Void) {
    if !partial.isEmpty { lineEnded(body) }
    if let row = held {
      held = nil
      // A single line has no neighbors.
      if last == nil { accept(row, body) } else { body(.rejected(line: row.line, .timeAhead)) }
    }
    var given: [MotionRow] = []
    order.finish(give: { given.append($0) }, reject: { body(.rejected(line: $0, .timeBack)) })
    give(given, body)
  }

  private mutating func lineEnded(_ body: (Item) -> Void) {
    lineNumber += 1
    defer {
      partial.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isHopeless { return }
    if isTooLong { return body(.rejected(line: lineNumber, .tooLong)) }
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    if partial.isEmpty { return }
    let fields = partial.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if isFirst {
      isFirst = false
      if isHeader(fields) {
        let missing = columnsMissing
        isHopeless = !missing.isEmpty
        if isHopeless { body(.columnsMissing(line: lineNumber, missing)) }
        return
      }
    }
    switch row(of: fields) {
    case .success(let row): take(row, body)
    case .failure(let refusal): body(.rejected(line: lineNumber, refusal.complaint))
    }
  }

  /// Reads the positions of the columns from a first line that contains the name of a column.
  private mutating func isHeader(_ fields: [ArraySlice<UInt8>]) -> Bool {
    let names = fields.map { String(decoding: $0.filter(MotionSheet.isOfName), as: UTF8.self) }
    guard Column.allCases.contains(where: { names.contains($0.name) }) else { return false }
    places = Column.allCases.map { names.firstIndex(of: $0.name) }
    return true
  }

  /// Blanks, quotation marks and the byte order mark at the beginning of a spreadsheet's file are not part of a name.
  private static func isOfName(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: " ") && byte < 0x7F && byte != UInt8(ascii: "\"")
  }

  /// The required columns that the header lacks: the time, and all axes or the speed.
  private var columnsMissing: [String] {
    let axes = [Column.x, .y, .z]
    let hasAxes = axes.contains { places[$0.rawValue] != nil }
    let hasSpeed = places[Column.speed.rawValue] != nil
    let needed = [.time] + (hasAxes || !hasSpeed ? axes : [])
    return needed.filter { places[$0.rawValue] == nil }.map(\.name)
  }

  /// A field without its surrounding blanks.
  private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var field = field
    while let first = field.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      field.removeFirst()
    }
    while let last = field.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      field.removeLast()
    }
    return field
  }

  private struct Refusal: Error {
    var complaint: Complaint
  }

  private func row(of fields: [ArraySlice<UInt8>]) -> Result<MotionRow, Refusal> {
    let placesNeeded = [Column.time, .x, .y, .z].compactMap { places[$0.rawValue] }
    guard let last = placesNeeded.max(), fields.count > last else {
      return .failure(Refusal(complaint: .tooShort))
    }
    func number(_ column: Column) -> Result<Double?, Refusal> {
      guard let place = places[column.rawValue], place < fields.count else {
        return .success(nil)
      }
      let field = MotionSheet.trimmed(fields[place])
      if field.isEmpty { return .success(nil) }
      guard let value = DecimalNumber.value(of: field) else {
        return .failure(Refusal(complaint: .unreadable))
      }
      return .success(value)
    }
    do throws(Refusal) {
      guard let seconds = try number(.time).get(), seconds.magnitude <= MotionSheet.secondsMax
      else { throw Refusal(complaint: .timeMissing) }
      var row = MotionRow(
        line: lineNumber, instant: Instant(nanoseconds: Int64((seconds * 1e9).rounded())))
      let axes = try (x: number(.x).get(), y: number(.y).get(), z: number(.z).get())
      if axes.x != nil || axes.y != nil || axes.z != nil {
        row.acceleration = (x: axes.x ?? .nan, y: axes.y ?? .nan, z: axes.z ?? .nan)
      }
      row.speed = try number(.speed).get()
      if readsLabels { row.label = Int(exactly: try number(.label).get() ?? -1) ?? -1 }
      return .success(row)
    } catch {
      return .failure(error)
    }
  }

  /// Accepts a row with a plausible time; a row far ahead waits for the next row, as the first row does.
  private mutating func take(_ row: MotionRow, _ body: (Item) -> Void) {
    if let held {
      self.held = nil
      let distance = (row.instant - held.instant).nanoseconds.magnitude
      if distance <= MotionSheet.aheadMax.nanoseconds.magnitude {
        accept(held, body)
      } else {
        body(.rejected(line: held.line, .timeAhead))
      }
    }
    guard let last else {
      held = row
      return
    }
    if row.instant - last > MotionSheet.aheadMax {
      held = row
    } else {
      accept(row, body)
    }
  }

  private mutating func accept(_ row: MotionRow, _ body: (Item) -> Void) {
    last = row.instant
    var given: [MotionRow] = []
    order.take(row, give: { given.append($0) }, reject: { body(.rejected(line: $0, .timeBack)) })
    give(given, body)
  }

  private mutating func give(_ rows: [MotionRow], _ body: (Item) -> Void) {
    rowCount += rows.count
    for row in rows { body(.row(row)) }
  }
}

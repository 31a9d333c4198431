import Basics

/// Reads recordings of motion as they come: comma-separated lines with a time, three accelerations and a speed.
///
/// A line that is no such line is told with its number and left out; it never ends the reading.
public struct MotionSheet: Sendable {
  /// What came out of a line.
  public enum Item: Equatable, Sendable {
    case row(MotionRow)
    case rejected(line: Int, Complaint)
  }

  /// Why a line was left out.
  public enum Complaint: String, Equatable, CaseIterable, Sendable {
    case tooLong = "is longer than 1000 bytes"
    case tooShort = "has too few fields"
    case unreadable = "has a field that is no number"
    case timeMissing = "has no time"
    case timeBack = "goes back in time"
    case timeAhead = "is more than an hour ahead of its neighbors"
  }

  /// The columns that are looked for; the place of each in a line without a header.
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
  /// Times beyond 30 years are no times of a recording, and have no place in nanoseconds.
  private static let secondsMax = 1e9
  /// A line that is farther ahead must be borne out by the next one.
  private static let aheadMax = Interval.seconds(3_600)

  private let readsLabels: Bool
  /// For each column its place in a line; nil where the header has none.
  private var places: [Int?] = Column.allCases.map(\.rawValue)
  private var partial: [UInt8] = []
  private var isTooLong = false
  private var lineNumber = 0
  private var last: Instant?
  /// A line whose time is not believed yet.
  private var held: MotionRow?
  /// Lines that came out as rows.
  public private(set) var rowCount = 0

  /// - Parameter readsLabels: whether the truth is wanted, for scores only.
  public init(readsLabels: Bool = false) {
    self.readsLabels = readsLabels
  }

  /// Takes bytes; what the lines in them come to.
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

  /// Ends the reading: the last line may lack its end.
  public mutating func finish(_ body: (Item) -> Void) {
    if !partial.isEmpty { lineEnded(body) }
    guard let row = held else { return }
    held = nil
    // The only line there is has no neighbors.
    if last == nil { accept(row, body) } else { body(.rejected(line: row.line, .timeAhead)) }
  }

  private mutating func lineEnded(_ body: (Item) -> Void) {
    lineNumber += 1
    defer {
      partial.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isTooLong { return body(.rejected(line: lineNumber, .tooLong)) }
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    if partial.isEmpty { return }
    let fields = partial.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if lineNumber == 1, isHeader(fields) { return }
    switch row(of: fields) {
    case .success(let row): take(row, body)
    case .failure(let refusal): body(.rejected(line: lineNumber, refusal.complaint))
    }
  }

  /// A first line with the name of the time in it tells the places of the columns.
  private mutating func isHeader(_ fields: [ArraySlice<UInt8>]) -> Bool {
    let names = fields.map { String(decoding: $0, as: UTF8.self) }
    guard names.contains(Column.time.name) else { return false }
    places = Column.allCases.map { names.firstIndex(of: $0.name) }
    return true
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
      guard let place = places[column.rawValue], place < fields.count, !fields[place].isEmpty
      else { return .success(nil) }
      guard let value = DecimalNumber.value(of: fields[place]) else {
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

  /// Lets a row pass when its time follows; one that is far ahead, like the first one, waits for the next.
  private mutating func take(_ row: MotionRow, _ body: (Item) -> Void) {
    if let held {
      self.held = nil
      if row.instant >= held.instant, row.instant - held.instant <= MotionSheet.aheadMax {
        accept(held, body)
      } else {
        body(.rejected(line: held.line, .timeAhead))
      }
    }
    guard let last else {
      held = row
      return
    }
    if row.instant < last {
      body(.rejected(line: row.line, .timeBack))
    } else if row.instant - last > MotionSheet.aheadMax {
      held = row
    } else {
      accept(row, body)
    }
  }

  private mutating func accept(_ row: MotionRow, _ body: (Item) -> Void) {
    last = row.instant
    rowCount += 1
    body(.row(row))
  }
}

import BinnacleBasics
import LaunchWire

/// The lines of an app's output: long lines are cut, and lines beyond the limit of a minute are counted.
struct OutputLines {
  /// A part of the output.
  enum Item: Equatable {
    case line(String)
    /// The number of lines that were dropped at this point.
    case lost(UInt32)
  }

  static let linesPerMinuteMax = 200
  static let minute = Interval.seconds(60)

  private var partial: [UInt8] = []
  private var minuteEnd: Instant?
  private var countOfMinute = 0
  private var lostCount: UInt32 = 0

  /// The end of a minute in which lines were dropped.
  var nextDeadline: Instant? { lostCount > 0 ? minuteEnd : nil }

  mutating func take(_ bytes: ArraySlice<UInt8>, at now: Instant) -> [Item] {
    var items = deadlineReached(at: now)
    for part in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() {
      if part.offset > 0 { endLine(at: now, into: &items) }
      append(part.element)
    }
    return items
  }

  /// Reports the dropped lines at the end of a minute.
  mutating func deadlineReached(at now: Instant) -> [Item] {
    guard let end = minuteEnd, end <= now else { return [] }
    minuteEnd = nil
    countOfMinute = 0
    return takeLost()
  }

  /// The rest at the end of the output.
  mutating func finish(at now: Instant) -> [Item] {
    var items: [Item] = []
    if !partial.isEmpty { endLine(at: now, into: &items) }
    return items + takeLost()
  }

  private mutating func takeLost() -> [Item] {
    guard lostCount > 0 else { return [] }
    defer { lostCount = 0 }
    return [.lost(lostCount)]
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    let room = LaunchReport.lineSizeMax - partial.count
    partial += bytes.prefix(room)
  }

  private mutating func endLine(at now: Instant, into items: inout [Item]) {
    let line = OutputLines.text(partial)
    partial.removeAll(keepingCapacity: true)
    if minuteEnd == nil { minuteEnd = now + OutputLines.minute }
    guard countOfMinute < OutputLines.linesPerMinuteMax else {
      lostCount = lostCount == .max ? .max : lostCount + 1
      return
    }
    countOfMinute += 1
    items.append(.line(line))
  }

  /// A line as UTF-8 text; bytes that are not UTF-8 are replaced, which may need more room.
  private static func text(_ bytes: [UInt8]) -> String {
    let withoutReturn = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
    var text = String(decoding: withoutReturn, as: UTF8.self)
    while text.utf8.count > LaunchReport.lineSizeMax { text.unicodeScalars.removeLast() }
    return text
  }
}

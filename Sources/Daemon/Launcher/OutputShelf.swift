import BinnacleBasics
import BinnacleModel

/// The latest output of each app of the launcher.
struct OutputShelf {
  /// The number of lines that are kept of an app.
  static let linesMax = 200

  private struct Entry {
    var time: UTCTime
    var output: LaunchedOutput
  }

  private var entries: [(identifier: String, latest: [Entry])] = []

  /// Keeps output, and returns it as rows.
  mutating func take(_ output: [LaunchedOutput], at time: UTCTime) -> [Report] {
    for piece in output { keep(Entry(time: time, output: piece)) }
    return output.map { OutputShelf.row(of: Entry(time: time, output: $0)) }
  }

  /// The rows of an app, oldest first.
  func rows(of identifier: String) -> [Report] {
    entries.first { $0.identifier == identifier }?.latest.map(OutputShelf.row) ?? []
  }

  private mutating func keep(_ entry: Entry) {
    let identifier = entry.output.identifier
    guard let index = entries.firstIndex(where: { $0.identifier == identifier }) else {
      entries.append((identifier, [entry]))
      return
    }
    entries[index].latest.append(entry)
    if entries[index].latest.count > OutputShelf.linesMax { entries[index].latest.removeFirst() }
  }

  private static func row(of entry: Entry) -> Report {
    var row = Report()
    row.add(.rowID, entry.output.identifier)
    row.add(.rowAt, entry.time.rfc3339(fractionDigits: 3))
    if let line = entry.output.line { row.add(.rowLine, line) }
    if entry.output.lostCount > 0 { row.add(.rowLostLines, Int64(entry.output.lostCount)) }
    return row
  }
}

import BinnacleBasics
import BinnacleModel

/// The latest lines of the log, for operators that have no journal at hand.
///
/// A class, because the log writes it and the clients' door reads it.
final class LogRing {
  /// The number of lines that are kept.
  static let linesMax = 1_000

  private struct Entry {
    var time: UTCTime
    var level: LogLevel
    var text: String
  }

  /// The lines; once the ring is full, the oldest is at `count` modulo the length.
  private var entries: [Entry] = []
  /// The number of lines since the start.
  private(set) var count = 0

  func append(_ text: String, level: LogLevel, at time: UTCTime) {
    let entry = Entry(time: time, level: level, text: text)
    if entries.count < LogRing.linesMax {
      entries.append(entry)
    } else {
      entries[count % LogRing.linesMax] = entry
    }
    count += 1
  }

  /// The rows of the lines from a number on, oldest first.
  ///
  /// - Parameters:
  ///   - number: the number of lines since the start that are left out.
  ///   - levelMax: the least urgent severity of a row.
  /// - Returns: a row for each line.
  func rows(from number: Int = 0, upTo levelMax: LogLevel) -> [Report] {
    (max(number, count - entries.count)..<count).compactMap { index in
      let entry = entries[index % LogRing.linesMax]
      guard entry.level <= levelMax else { return nil }
      var row = Report()
      row.add(.rowLoggedAt, entry.time.rfc3339(fractionDigits: 3))
      row.add(.rowPriority, "\(entry.level)")
      row.add(.rowLogText, entry.text)
      return row
    }
  }
}

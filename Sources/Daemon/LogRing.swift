import BinnacleBasics
import BinnacleModel

/// The latest lines of the log, for operators that have no journal at hand.
///
/// While clients have caused more than half of the lines of a full ring, a further line replaces the oldest of these
/// lines, so that no client pushes out the latest lines about the board.
///
/// A class, because the log writes it and the clients' door reads it.
final class LogRing {
  /// The number of lines that are kept.
  static let linesMax = 1_000
  /// The number of lines of clients above which a further line of a full ring replaces one of them.
  static let clientLinesMax = linesMax / 2

  private struct Entry {
    /// The number of lines before this one since the start.
    var number: Int
    var isOfClient: Bool
    var time: UTCTime
    var level: LogLevel
    var text: String
  }

  /// The lines, oldest first.
  private var entries: [Entry] = []
  /// The number of lines in the ring that clients have caused.
  private var clientLineCount = 0
  /// The number of lines since the start.
  private(set) var count = 0

  func append(
    _ text: String, level: LogLevel, from source: LogSource = .board, at time: UTCTime
  ) {
    if entries.count >= LogRing.linesMax { removeOne() }
    let isOfClient = source != .board
    entries.append(
      Entry(number: count, isOfClient: isOfClient, time: time, level: level, text: text))
    if isOfClient { clientLineCount += 1 }
    count += 1
  }

  /// Removes the oldest line of a client if clients have more than their share, else the oldest line.
  private func removeOne() {
    var index = 0
    if clientLineCount > LogRing.clientLinesMax {
      index = entries.firstIndex { $0.isOfClient } ?? 0
    }
    if entries.remove(at: index).isOfClient { clientLineCount -= 1 }
  }

  /// The rows of the lines from a number on, oldest first.
  ///
  /// - Parameters:
  ///   - number: the number of lines since the start that are left out.
  ///   - levelMax: the least urgent severity of a row.
  /// - Returns: a row for each line.
  func rows(from number: Int = 0, upTo levelMax: LogLevel) -> [Report] {
    entries.compactMap { entry in
      guard entry.number >= number, entry.level <= levelMax else { return nil }
      var row = Report()
      row.add(.rowLoggedAt, entry.time.rfc3339(fractionDigits: 3))
      row.add(.rowPriority, "\(entry.level)")
      row.add(.rowLogText, entry.text)
      return row
    }
  }
}

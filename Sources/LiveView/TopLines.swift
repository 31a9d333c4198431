public import BinnacleBasics
import BinnacleModel

/// `binnacle top` on a terminal that only prints lines: all parts at intervals, and what is new at once.
public struct TopLines: Sendable {
  /// The time between two pages.
  public static let period = Interval.seconds(10)
  /// A line with its end fits a screen of 80 columns.
  private static let columnsMax = 79
  /// The most lines of the log in one output; further lines are only counted.
  private static let logLinesMax = 20

  private var pageDueAt: Instant?
  private var shownLogCount = 0
  private var shownNews: [String] = []

  public init() {}

  /// When the next page is due; nil: as soon as each part has its answer.
  public var nextDeadline: Instant? { pageDueAt }

  /// The lines to print now; empty if nothing is due and nothing is new.
  public mutating func take(_ snapshot: BoardSnapshot, at now: Instant) -> [String] {
    let page = TopPage(snapshot, columns: TopLines.columnsMax)
    var lines = newLog(snapshot)
    let news = [TopPage.Part.alerts, .requests].flatMap { TopLines.lines(of: $0, page) }
    defer { shownNews = news }
    guard snapshot.isWhole else {
      pageDueAt = nil
      return lines + news.filter { !shownNews.contains($0) }
    }
    if let pageDueAt, pageDueAt > now { return lines + news.filter { !shownNews.contains($0) } }
    pageDueAt = now + TopLines.period
    let (left, right) = page.title
    lines.append("\(left)  \(right)")
    for part in TopPage.Part.allCases where part != .log {
      lines += TopLines.lines(of: part, page, atMost: part == .sky ? 1 : .max)
    }
    return lines
  }

  private mutating func newLog(_ snapshot: BoardSnapshot) -> [String] {
    let newCount = snapshot.logCount - shownLogCount
    shownLogCount = snapshot.logCount
    let rows = snapshot.log.suffix(min(newCount, TopLines.logLinesMax))
    let lines = rows.map { TopLines.text("log", TopPage.line(ofLog: $0)) }
    let leftOut = newCount - rows.count
    return (leftOut > 0 ? ["log      (\(CountText.words(leftOut, "earlier line")))"] : []) + lines
  }

  private static func lines(
    of part: TopPage.Part, _ page: TopPage, atMost count: Int = .max
  ) -> [String] {
    page.lines(of: part, atMost: count).enumerated().map { index, line in
      text(index == 0 || part == .alerts ? part.name : "", line)
    }
  }

  /// The grid clips the line and replaces characters that some terminals draw in another width.
  private static func text(_ name: String, _ line: TopPage.Line) -> String {
    var grid = CellGrid(columns: columnsMax + 1, rows: 1)
    grid.put([StyledText(name)], row: 0)
    grid.put(line, row: 0, column: TopPage.nameWidth)
    return grid.lines[0]
  }
}

import Simulation
import TestSupport
import Testing

/// The time from the first motion to the first update; `binnacle-sim departures` runs more departures.
@Suite struct DepartureTests {
  /// A row of the table, by the columns that `DepartureTable` prints.
  private struct Row {
    var count: Double
    var median: Double
    var percentile: Double
    var worst: Double
    var limit: Double?

    init?(_ line: Substring) {
      let cells = line.split(separator: " ").suffix(5).map { ($0, Double($0)) }
      guard cells.count == 5, let count = cells[0].1, let median = cells[1].1,
        let percentile = cells[2].1, let worst = cells[3].1
      else { return nil }
      self.count = count
      self.median = median
      self.percentile = percentile
      self.worst = worst
      limit = cells[4].1
      if limit == nil, cells[4].0 != "-" { return nil }
    }
  }

  private static func row(of text: String, _ row: DepartureTable.Row) -> Row? {
    let title = row.receiver.rawValue + " "
    return text.split(separator: "\n").first {
      $0.hasPrefix(title) && $0.contains(row.way.rawValue)
    }.flatMap { Row($0) }
  }

  /// The checked-in table has at least a hundred departures, among them these first twenty-four.
  @Test(.enabled(if: Sweep.isWanted, "a sweep of 'make check'"))
  func departuresAreReportedInTimeTheControlIsNotAndTheCheckedInTableReportsThat() throws {
    let file = try TestData.contents(ofFile: TestData.packageRoot + "/Docs/SCORE-motion.txt")
    let checkedIn = String(decoding: file, as: UTF8.self)
    let rows = DepartureTable.rows(count: 24)
    #expect(rows.count == 6)
    let text = DepartureTable.text(rows)
    for row in rows {
      #expect(row.isAsPromised, "\(row)")
      let new = try #require(DepartureTests.row(of: text, row))
      let old = try #require(DepartureTests.row(of: checkedIn, row), "\(row) is not in the table")
      #expect(old.count >= 100)
      #expect(old.limit == new.limit)
      #expect(old.median <= old.percentile && old.percentile <= old.worst)
      if let limit = old.limit {
        #expect((old.percentile <= limit) == (row.receiver != .forgetful), "\(row)")
      }
      // Hundredths, as in the printed table.
      #expect(new.worst <= old.worst, "make score: \(row)")
      let late = row.seconds.count { $0 > old.percentile + 0.005 }
      #expect(Double(late) <= 0.05 * old.count, "make score: \(row)")
      // Of twenty-four random departures, six to eighteen are later than the median.
      let later = row.seconds.count { $0 > old.median + 0.005 }
      #expect((6...18).contains(later), "make score: \(row)")
    }
  }
}

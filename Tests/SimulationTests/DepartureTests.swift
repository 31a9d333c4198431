import Simulation
import TestSupport
import Testing

/// From the first motion to the first update, through the whole engine; `binnacle-sim departures` has more of them.
@Suite struct DepartureTests {
  @Test func departuresAreToldInTimeAndTheControlIsNot() {
    let rows = DepartureTable.rows(count: 12)
    #expect(rows.count == 6)
    for row in rows { #expect(row.isAsPromised, "\(row)") }
  }

  @Test func theCheckedInTableKeepsTheLimits() throws {
    let kept = try TestData.contents(ofFile: TestData.packageRoot + "/Docs/SCORE-motion.txt")
    let rows = String(decoding: kept, as: UTF8.self).split(separator: "\n")
    for receiver in DepartureTrial.Receiver.allCases {
      for way in DepartureTrial.Way.allCases {
        let row = try #require(
          rows.first { $0.hasPrefix(receiver.rawValue + " ") && $0.contains(way.rawValue) })
        let cells = row.split(separator: " ").suffix(5).map { Double($0) }
        try #require(cells.count == 5)
        #expect(cells[0] ?? 0 >= 100)
        guard let limit = cells[4], let percentile = cells[2] else { continue }
        #expect((percentile <= limit) == (receiver != .forgetful), "\(row)")
      }
    }
  }
}

import BinnacleBasics
import BinnacleModel
import Testing

@testable import Daemon

struct LogRingTests {
  @Test func theLatestThousandLinesAreKeptInOrder() {
    let ring = LogRing()
    for number in 0..<1_234 {
      ring.append(
        "line \(number)", level: number % 2 == 0 ? .info : .debug,
        at: UTCTime(secondsSince1970: Int64(number), nanoseconds: 0))
    }
    let all = ring.rows(upTo: .debug)
    #expect(all.count == LogRing.linesMax && ring.count == 1_234)
    #expect(all.first?[.rowLogText] == "line 234" && all.last?[.rowLogText] == "line 1233")
    #expect(all.last?[.rowLoggedAt] == "1970-01-01T00:20:33.000Z")
    #expect(ring.rows(upTo: .info).count == 500)
    #expect(
      ring.rows(from: 1_232, upTo: .debug).map { $0[.rowLogText] } == ["line 1232", "line 1233"])
    #expect(ring.rows(from: 1_234, upTo: .debug).isEmpty)
  }
}

import BinnacleBasics
import Gzip
import TestSupport
import Testing

@testable import Simulation

/// Hours of rest, as real receivers and a real accelerometer tell of it, are one update and no path.
struct RestScoreTests {
  private static let desk = "motion/csv/mpu6050__unmoved-with-x-pointing-forward-10min.csv.gz"

  /// The receivers that wander most: one that has hardly found itself, one under a poor sky.
  private static let logs = ["gpsd-m10-spg510-glo.log", "gpsd-navisys-gr8013.log"]

  private static func tremor() throws -> RestTremor {
    var text: [UInt8] = []
    if var decoder = GzipDecoder() { try decoder.decode(try TestData.bytes(desk), into: &text) }
    var rows: [MotionRow] = []
    var sheet = MotionSheet(readsLabels: true)
    sheet.read(text) { if case .row(let row) = $0 { rows.append(row) } }
    return try #require(RestTremor(rows))
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"), arguments: logs)
  func hoursOfRestGiveOneUpdateAndTheFiguresOfTheTable(_ name: String) throws {
    let log = try TestData.bytes("ublox/logs/" + name)
    let rows = RestScore.rows(name, log, try Self.tremor())
    #expect(rows.count == 2)
    let kept = try TestData.contents(ofFile: TestData.packageRoot + "/Docs/SCORE-motion.txt")
    let lines = String(decoding: kept, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    for row in rows {
      #expect(row[4] == "1" && row[6] == "0.0", "\(row)")
      #expect((Double(row[7]) ?? 0) > 1_000, "\(row)")
      #expect(
        lines.contains(row.joined(separator: " ")), "look at what has changed with \"make score\"")
    }
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aRecordingIsPlayedToAndFroWithoutAStepThatWasNotRecorded() throws {
    let log = try TestData.bytes("ublox/logs/gpsd-neo-m8p.log")
    var jitter = try #require(RestJitter(log: log))
    #expect(jitter.solutionCount == 59 && jitter.period == .milliseconds(250))
    var solutions: [RecordedPVT] = []
    for _ in 0..<200 {
      let frames = RecordedFrame.frames(in: jitter.next())
      solutions.append(try #require(frames.first.flatMap(RecordedPVT.init)))
    }
    for (one, next) in zip(solutions, solutions.dropFirst()) {
      #expect(next.iTOW == one.iTOW + 250)
    }
    #expect(solutions[..<59].map(\.latitude) == solutions[58..<117].map(\.latitude).reversed())
    #expect(solutions[57].velocityNorth == -solutions[59].velocityNorth)
    #expect(Set(solutions.map(\.latitude)).count > 10)
  }
}

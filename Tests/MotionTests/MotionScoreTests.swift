import Gzip
import Simulation
import TestSupport
import Testing

/// The table of figures is the checked-in one: what costs quality shows in its diff.
struct MotionScoreTests {
  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func theFiguresAreThoseOfTheTable() throws {
    var score = MotionScore()
    for name in try TestData.names(in: "motion/csv") {
      guard var decoder = GzipDecoder() else {
        Issue.record("there is no memory")
        return
      }
      var text: [UInt8] = []
      try decoder.decode(try TestData.bytes("motion/csv/\(name)"), into: &text)
      let stem = try #require(name.split(separator: ".").first.map(String.init))
      var trial = MotionTrial(name: stem, settings: MotionScore.settings)
      var sheet = MotionSheet(readsLabels: true)
      let take: (MotionSheet.Item) -> Void = { item in
        guard case .row(let row) = item else {
          Issue.record("\(name): \(item)")
          return
        }
        trial.take(row)
      }
      sheet.read(text, take)
      sheet.finish(take)
      score.add(trial.finish())
    }
    let kept = try TestData.contents(ofFile: TestData.packageRoot + "/Docs/SCORE-motion.txt")
    #expect(
      String(decoding: kept, as: UTF8.self).hasPrefix(score.text + "\nSimulated journeys"),
      "look at what has changed with \"make score\"")
  }
}

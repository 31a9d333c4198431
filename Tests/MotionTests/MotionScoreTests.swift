import BinnacleBasics
import Gzip
import Motion
import TestSupport
import Testing

@testable import Simulation

/// The detector keeps its goals on recordings, and the table of figures is the checked-in one.
struct MotionScoreTests {
  /// The rows of a recording.
  private static func rows(_ name: String) throws -> [MotionRow] {
    var text: [UInt8] = []
    if var decoder = GzipDecoder() {
      try decoder.decode(try TestData.bytes("motion/csv/\(name)"), into: &text)
    }
    var sheet = MotionSheet(readsLabels: true)
    var rows: [MotionRow] = []
    let take: (MotionSheet.Item) -> Void = { item in
      guard case .row(let row) = item else {
        Issue.record("\(name): \(item)")
        return
      }
      rows.append(row)
    }
    sheet.read(text, take)
    sheet.finish(take)
    return rows
  }

  private static func score(_ names: [String]) throws -> MotionScore {
    var score = MotionScore()
    for name in names {
      let stem = try #require(name.split(separator: ".").first.map(String.init))
      var trial = ScoreTrial(name: stem)
      for row in try rows(name) { trial.take(row) }
      score.add(trial.finish())
    }
    return score
  }

  private static func keptTable() throws -> String {
    let kept = try TestData.contents(ofFile: TestData.packageRoot + "/Docs/SCORE-motion.txt")
    return String(decoding: kept, as: UTF8.self)
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    .enabled(if: Sweep.isWanted, "a sweep of 'make check'"))
  func theFiguresAreThoseOfTheTable() throws {
    let score = try Self.score(try TestData.names(in: "motion/csv"))
    #expect(
      try Self.keptTable().contains("\n\n" + score.text + "\nSimulated journeys"),
      "look at what has changed with \"make score\"")
  }

  /// Small sets, so that a changed rule shows without the sweep.
  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: ["balzer", "vicon"])
  func theFiguresOfASmallSetAreThoseOfTheTable(_ set: String) throws {
    let names = try TestData.names(in: "motion/csv").filter { $0.hasPrefix(set) }
    let kept = Set(Self.lines(of: set, in: try Self.keptTable()))
    let lines = Self.lines(of: set, in: try Self.score(names).text)
    #expect(lines.count > 10)
    for line in lines {
      #expect(kept.contains(line), "look at what has changed with \"make score\"")
    }
  }

  /// The lines that tell of a set, without the blanks that align them.
  private static func lines(of set: String, in table: String) -> [String] {
    table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      .filter { $0.contains(set + " ") }
  }

  /// A trip that begins with a stop of 106 s, its engine on: chip of 14 Hz and steps of 10 mg.
  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: [MotionReplay.Setting.Witnesses.both, .accelerometer])
  func aLongStopIsPausedSoonAndADriveIsNot(
    _ witnesses: MotionReplay.Setting.Witnesses
  ) throws {
    let setting = MotionReplay.Setting(dwell: .seconds(60), witnesses: witnesses)
    var trial = MotionTrial(name: "trip", settings: [setting], solutions: .hertz1)
    let rows = try Self.rows("freematics__2021-11-17_22-40-50.csv.gz")
    let first = try #require(rows.first).instant
    for row in rows where row.instant - first < .seconds(600) { trial.take(row) }
    let outcome = trial.finish()
    var figures = MotionFigures(dwellSeconds: 60)
    figures.add(labels: outcome.labels, verdicts: outcome.verdicts[0])
    #expect(figures.stopCount == 1 && figures.pausedStopCount == 1)
    #expect(figures.falsePauseCount == 0)
    #expect(try #require(figures.excessSeconds(percentile: 95)) <= 8)
  }

  /// These chips alias the engine's idle into the measured band, or their low-pass removes a part of the creeping.
  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: [
      ChipVariant(hertz: 25, lowPassHertz: nil), ChipVariant(hertz: 25, lowPassHertz: 10),
    ])
  func aCreepingCarIsNotJudgedStill(_ chip: ChipVariant) throws {
    var trial = MotionTrial(name: "creep", settings: MotionScore.chipSettings, chip: chip)
    for row in try Self.rows("wid_dot__02.csv.gz") { trial.take(row) }
    let outcome = trial.finish()
    var figures = MotionFigures(dwellSeconds: 0)
    figures.add(labels: outcome.labels, verdicts: outcome.verdicts[0])
    let (hops, wrong) = figures.scoredMoving
    #expect(hops > 100 && wrong * 100 <= hops, "\(wrong) of \(hops)")
  }
}

import BinnaclePosix
import Simulation

/// `binnacle-sim motion-score`: the table of figures for recordings with a known truth.
///
/// With `--curve` the output is the delay until a rest ends, and the rate of false ends, for a series of profiles.
struct MotionScoreCommand {
  private let paths: [String]
  private let isCurve: Bool
  private let hasJourneys: Bool

  init(_ arguments: Arguments) throws {
    paths = arguments.positionals
    isCurve = arguments.has("curve")
    hasJourneys = arguments.has("journeys")
    if paths.isEmpty, !hasJourneys { throw Arguments.UsageError("motion-score needs recordings") }
    if isCurve, hasJourneys {
      throw Arguments.UsageError("motion-score: --curve and --journeys are two tables")
    }
  }

  func run() throws {
    var score = MotionScore()
    var curve = MotionCurve()
    if isCurve {
      try judgeAll(
        { MotionTrial(name: $0, settings: MotionCurve.settings) }, take: { $0.take($1) },
        finish: { trial in
          let outcome = trial.finish()
          curve.add(outcome)
          return outcome
        })
    } else {
      try judgeAll(
        { ScoreTrial(name: $0) }, take: { $0.take($1) },
        finish: { trial in
          let outcome = trial.finish()
          score.add(outcome)
          return outcome.recorded
        })
    }
    if !paths.isEmpty {
      try Output.say(String((isCurve ? curve.text : score.text).dropLast()))
    }
    if hasJourneys {
      try Output.say("\n" + String(JourneyScore.shortText.dropLast()))
      try Output.say("\n" + String(JourneyScore.dayText.dropLast()))
    }
  }

  private func judgeAll<Trial>(
    _ begin: (String) -> Trial, take: (inout Trial, MotionRow) -> Void,
    finish: (inout Trial) -> MotionTrial.Outcome
  ) throws {
    for path in paths {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let stem = name.split(separator: ".").first.map(String.init) ?? name
      var rows: [MotionRow] = []
      var sheet = MotionSheet(readsLabels: true)
      var input = try RecordingInput(path)
      var complaint: String?
      func read(_ item: MotionSheet.Item) {
        switch item {
        case .row(let row): rows.append(row)
        case .rejected(let line, let reason):
          complaint = complaint ?? "line \(line) \(reason.rawValue)"
        case .columnsMissing(let line, let names):
          complaint = complaint ?? MotionCommand.text(line: line, missing: names)
        }
      }
      let damage = try input.readAll { sheet.read($0, read) }
      sheet.finish(read)
      // A score of a part would look like a score of the whole recording.
      if let complaint = damage.map({ $0 + "; a part is not scored" }) ?? complaint {
        Output.fail("\(path): \(complaint)", .dataDamaged)
      }
      if sheet.rowCount == 0 { Output.fail("\(path) \(MotionCommand.noSamples)", .dataDamaged) }
      var trial = begin(stem)
      for row in rows { take(&trial, row) }
      if !finish(&trial).hasTruth {
        Output.fail(
          "\(path) tells no truth; wanted are lines with label 0 or 1, for more than a second",
          .dataDamaged)
      }
    }
  }
}

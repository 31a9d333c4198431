import Posix
import Simulation

/// `binnacle-sim motion-score`: the table of figures for recordings with a known truth.
struct MotionScoreCommand {
  private let paths: [String]

  init(_ words: [String]) throws {
    paths = try Arguments(words, options: [], positionalsMax: 10_000).positionals
    if paths.isEmpty { throw Arguments.UsageError("motion-score needs recordings") }
  }

  func run() throws {
    var score = MotionScore()
    for path in paths {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let stem = name.split(separator: ".").first.map(String.init) ?? name
      var trial = MotionTrial(name: stem, settings: MotionScore.settings)
      var sheet = MotionSheet(readsLabels: true)
      var input: RecordingInput
      do {
        input = try RecordingInput(path)
      } catch {
        Output.fail("\(error)", .inputMissing)
      }
      var complaint: String?
      func take(_ item: MotionSheet.Item) {
        switch item {
        case .row(let row): trial.take(row)
        case .rejected(let line, let reason):
          complaint = complaint ?? "line \(line) \(reason.rawValue)"
        }
      }
      let damage = try input.readAll { sheet.read($0, take) }
      sheet.finish(take)
      // A score of a part would pass for one of the whole.
      if let complaint = damage ?? complaint { Output.fail("\(path): \(complaint)", .dataDamaged) }
      score.add(trial.finish())
    }
    try Output.say(String(score.text.dropLast()))
  }
}

import Posix
import Simulation

/// `binnacle-sim rest-score`: what an app gets for hours while a real receiver and a real accelerometer are at rest.
struct RestScoreCommand {
  private let motion: String
  private let logs: [String]

  init(_ words: [String]) throws {
    let arguments = try Arguments(words, options: [], positionalsMax: 10_000)
    guard let motion = arguments.positionals.first, arguments.positionals.count > 1 else {
      throw Arguments.UsageError("rest-score needs RECORDING.csv and logs of receivers")
    }
    self.motion = motion
    logs = Array(arguments.positionals.dropFirst())
  }

  func run() throws {
    var rows: [MotionRow] = []
    var sheet = MotionSheet(readsLabels: true)
    func read(_ item: MotionSheet.Item) {
      if case .row(let row) = item { rows.append(row) }
    }
    var input = try RecordingInput(motion)
    let damage = try input.readAll { sheet.read($0, read) }
    sheet.finish(read)
    if let damage { Output.fail("\(motion): \(damage)", .dataDamaged) }
    guard let tremor = RestTremor(rows) else {
      Output.fail(
        "\(motion) has no 1000 samples in a row at rest; wanted are lines with label 0",
        .dataDamaged)
    }
    var score = RestScore(tremor)
    for path in logs {
      var log: [UInt8] = []
      var input = try RecordingInput(path)
      if let damage = try input.readAll({ log += $0 }) {
        Output.fail("\(path): \(damage)", .dataDamaged)
      }
      guard score.add(path.split(separator: "/").last.map(String.init) ?? path, log) else {
        Output.fail("\(path) has hardly any solutions; wanted is NAV-PVT", .dataDamaged)
      }
    }
    try Output.say(String(score.text.dropLast()))
  }
}

import BinnaclePosix
import Simulation

/// `binnacle-sim rest-score`: an app's updates during hours in which a real receiver and accelerometer are at rest.
struct RestScoreCommand {
  private let motion: String
  private let logs: [String]

  init(_ arguments: Arguments) throws {
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
    var bareScore = BareSpeedScore(tremor)
    var usedCount = 0
    for path in logs {
      var log: [UInt8] = []
      var input = try RecordingInput(path)
      if let damage = try input.readAll({ log += $0 }) {
        Output.fail("\(path): \(damage)", .dataDamaged)
      }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if score.add(name, log) {
        bareScore.add(name, log)
        usedCount += 1
      } else {
        Output.complain("\(path) has hardly any solutions, left out; wanted is NAV-PVT")
      }
    }
    if usedCount == 0 { ExitStatus.dataDamaged.exit() }
    try Output.say(String(score.text.dropLast()))
    try Output.say("\n" + String(bareScore.text.dropLast()))
  }
}

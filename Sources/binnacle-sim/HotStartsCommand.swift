import BinnaclePosix
import Simulation

/// `binnacle-sim hot-starts`: the time to a fix of a receiver without memory, with the kept data and with controls.
struct HotStartsCommand {
  private let count: UInt64

  init(_ arguments: Arguments) throws {
    let text = arguments.positionals.first ?? "12"
    guard let count = UInt64(text), (1...100_000).contains(count) else {
      throw Arguments.UsageError("hot-starts needs a number from 1 to 100000")
    }
    self.count = count
  }

  func run() throws {
    let kinds = HotStartTrial.Kept.allCases
    var slowest = 0.0
    var quickest = Double.infinity
    try Output.say("seed  " + kinds.map(\.rawValue).joined(separator: "  "))
    for seed in 1...count {
      let trial = HotStartTrial(seed: seed)
      var cells: [String] = []
      for kept in kinds {
        let outcome = trial.run(kept)
        if let violation = outcome.violations.first {
          Output.fail("seed \(seed), \(kept.rawValue): \(violation)", .failure)
        }
        let seconds = outcome.seconds ?? .infinity
        cells.append("\(seconds)")
        if kept == .own {
          slowest = max(slowest, seconds)
        } else {
          quickest = min(quickest, seconds)
        }
      }
      let padded = zip(kinds, cells).map { kind, cell in
        cell + String(repeating: " ", count: max(0, kind.rawValue.count - cell.count))
      }
      let name = "\(seed)" + String(repeating: " ", count: max(0, 4 - "\(seed)".count))
      try Output.say("\(name)  \(padded.joined(separator: "  "))  \(trial.description)")
    }
    try Output.say("with its own: at most \(slowest) s; with anything else: at least \(quickest) s")
    if slowest > 15 || quickest < 30 { Output.fail("that is not as promised", .failure) }
  }
}

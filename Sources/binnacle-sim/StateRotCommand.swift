import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim state-rot`: damage to the state log.
struct StateRotCommand {
  private let count: Int
  private let seed: UInt64

  init(_ arguments: Arguments) throws {
    count = Int(try arguments.number("count", in: 1...1e9) ?? 1_000)
    seed = UInt64(try arguments.number("seed", in: 0...1e15) ?? 1)
  }

  func run() throws {
    let start = Clock.now
    var (told, unharmed, undetected) = (0, 0, 0)
    for number in seed..<seed + UInt64(count) {
      var trial = RotTrial(seed: number)
      switch trial.run() {
      case .told: told += 1
      case .unharmed: unharmed += 1
      case .violated(let text):
        try Output.say("rot, seed \(number): \(text)")
        ExitStatus.failure.exit()
      }
      var control = RotTrial(seed: number, hasMark: false)
      if case .violated = control.run() { undetected += 1 }
    }
    try Output.say(
      "rot: \(count) damaged logs, \(told) losses told, \(unharmed) without a loss, none silent "
        + "(without the mark \(undetected)), \((Clock.now - start).seconds) s")
  }
}

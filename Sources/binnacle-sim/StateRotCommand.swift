import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim state-rot`: damage to the state log.
struct StateRotCommand {
  private let count: Int
  private let seed: UInt64

  init(_ arguments: Arguments) throws {
    count = try arguments.integer("count", in: 1...1_000_000_000) ?? 1_000
    seed = UInt64(try arguments.number("seed", in: 0...1e15) ?? 1)
  }

  /// The number of logs that the controls also read.
  private static let controlsMax = 1_000

  func run() throws {
    let start = Clock.now
    var (told, unharmed, undetected, markCount) = (0, 0, 0, 0)
    var grants = GrantTrial.Counts()
    for number in seed..<seed + UInt64(count) {
      var trial = RotTrial(seed: number)
      switch trial.run() {
      case .told: told += 1
      case .unharmed: unharmed += 1
      case .violated(let text):
        try Output.say("rot, seed \(number): \(text)")
        ExitStatus.failure.exit()
      }
      grants += trial.grants
      if trial.isMarkDamaged { markCount += 1 }
      var control = RotTrial(seed: number, hasMark: false, reader: nil)
      if case .violated = control.run() { undetected += 1 }
    }
    try Output.say(
      "rot: \(count) damaged logs, \(markCount) with a damaged mark, \(told) losses told, "
        + "\(unharmed) without a loss, none silent (without the mark \(undetected)), "
        + "\((Clock.now - start).seconds) s")
    try Output.say(
      "grants: after the told losses \(grants.denied) apps are denied until a person answers or accepts the loss, "
        + "of them \(grants.lostDenials) whose denial is lost; \(grants.present) apps keep their last answer"
    )
    try runControls()
  }

  /// Readings of grants, and a mark, that break the rules and must be seen to do so.
  private func runControls() throws {
    let controls: [(name: String, trial: (UInt64) -> RotTrial)] = [
      ("a reading that ignores losses", { RotTrial(seed: $0, reader: .ignoresLosses) }),
      ("a reading that keeps older answers", { RotTrial(seed: $0, reader: .keepsOlderAnswers) }),
      ("a mark without the last decision", { RotTrial(seed: $0, namesAtOnce: false) }),
      ("a lost mark that is not noticed", { RotTrial(seed: $0, noticesLostMark: false) }),
    ]
    let seeds = seed..<seed + UInt64(min(count, StateRotCommand.controlsMax))
    for control in controls {
      let broken = seeds.count { number in
        var trial = control.trial(number)
        if case .violated = trial.run() { return true }
        return false
      }
      try Output.say(
        "control: \(control.name) breaks the rules in \(broken) of \(seeds.count) logs")
      if broken == 0, seeds.count >= 100 {
        try Output.say("rot: the trial does not see \(control.name)")
        ExitStatus.failure.exit()
      }
    }
  }
}

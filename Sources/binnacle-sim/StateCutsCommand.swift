import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim state-cuts`: power cuts during writes of the state log.
struct StateCutsCommand {
  private static let cutsPerLife = 100

  private let count: Int
  private let seed: UInt64
  private let length: Int

  init(_ arguments: Arguments) throws {
    count = try arguments.integer("count", in: 0...1_000_000_000) ?? 20_000
    seed = UInt64(try arguments.number("seed", in: 0...1e15) ?? 1)
    length = try arguments.integer("length", in: 0...4) ?? 3
  }

  func run() throws {
    if length > 0 { try sweep() }
    if count > 0 {
      try live()
      try track()
    }
  }

  private func sweep() throws {
    guard var sweep = StateSweep<SimulatedDisk>() else { return }
    let start = Clock.now
    sweep.run(lengthMax: length)
    try Output.say(
      "every sequence of up to \(length) operations: \(sweep.cutCount) cuts, "
        + "\(sweep.failureCount) failing calls, \(sweep.repeatCount) equal states left out, "
        + "\((Clock.now - start).seconds) s")
    try fail(sweep.violation)
  }

  private func live() throws {
    let start = Clock.now
    let total = try cut(StateLife<SimulatedDisk>.self, count, inWords: "")
    try Output.say("random: \(total.inWords), \((Clock.now - start).seconds) s")
  }

  /// Tests the track log, which takes twenty times as long.
  private func track() throws {
    let start = Clock.now
    var stretches = 0
    let total = try cut(TrackLife<SimulatedDisk>.self, count / 20, inWords: "tracks, ") {
      stretches += $0.stretchCount
    }
    try Output.say(
      "tracks: \(total.inWords), \(stretches) stretches, \((Clock.now - start).seconds) s")
  }

  private struct Total {
    var cuts = 0
    var failures = 0
    var compactions = 0

    var inWords: String {
      "\(cuts) cuts, \(failures) runs with a failing call, \(compactions) compactions"
    }
  }

  /// Runs lives of a log, beginning with a seed, until the power was cut so many times.
  private func cut<Life: LogLife>(
    _ kind: Life.Type, _ count: Int, inWords name: String, _ look: (Life) -> Void = { _ in }
  ) throws -> Total {
    var total = Total()
    var next = seed
    while total.cuts < count {
      var life = kind.init(seed: next)
      life.run(cuts: min(StateCutsCommand.cutsPerLife, count - total.cuts))
      total.cuts += life.course.cutCount
      total.failures += life.course.failureCount
      total.compactions += life.course.compactionCount
      look(life)
      try fail(life.course.violation.map { "\(name)seed \(next): \($0)" })
      next += 1
    }
    return total
  }

  private func fail(_ violation: String?) throws {
    guard let violation else { return }
    try Output.say(violation)
    ExitStatus.failure.exit()
  }
}

import Basics
import Posix
import Simulation

/// `binnacle-sim state-cuts`: power cuts under the log that state is kept in.
struct StateCutsCommand {
  private static let cutsPerLife = 100

  private let count: Int
  private let seed: UInt64
  private let length: Int

  init(_ words: [String]) throws {
    let arguments = try Arguments(
      words, options: [.value("count"), .value("seed"), .value("length")])
    count = Int(try arguments.number("count", in: 0...1e9) ?? 20_000)
    seed = UInt64(try arguments.number("seed", in: 0...1e15) ?? 1)
    length = Int(try arguments.number("length", in: 0...4) ?? 3)
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
        + "\(sweep.failureCount) failing calls, \((Clock.now - start).seconds) s")
    try fail(sweep.violation)
  }

  private func live() throws {
    let start = Clock.now
    var (cuts, failures, compactions) = (0, 0, 0)
    var next = seed
    while cuts < count {
      var life = StateLife<SimulatedDisk>(seed: next)
      life.run(cuts: min(StateCutsCommand.cutsPerLife, count - cuts))
      cuts += life.cutCount
      failures += life.failureCount
      compactions += life.compactionCount
      try fail(life.violation.map { "seed \(next): \($0)" })
      next += 1
    }
    try Output.say(
      "random: \(cuts) cuts, \(failures) runs with a failing call, \(compactions) compactions, "
        + "\((Clock.now - start).seconds) s")
  }

  /// The log of tracks, which takes twenty times as long.
  private func track() throws {
    let start = Clock.now
    var (cuts, failures, stretches, compactions) = (0, 0, 0, 0)
    var next = seed
    while cuts < count / 20 {
      var life = TrackLife<SimulatedDisk>(seed: next)
      life.run(cuts: min(StateCutsCommand.cutsPerLife, count / 20 - cuts))
      cuts += life.cutCount
      failures += life.failureCount
      stretches += life.stretchCount
      compactions += life.compactionCount
      try fail(life.violation.map { "tracks, seed \(next): \($0)" })
      next += 1
    }
    try Output.say(
      "tracks: \(cuts) cuts, \(failures) runs with a failing call, \(stretches) stretches, "
        + "\(compactions) compactions, \((Clock.now - start).seconds) s")
  }

  private func fail(_ violation: String?) throws {
    guard let violation else { return }
    try Output.say(violation)
    ExitStatus.failure.exit()
  }
}

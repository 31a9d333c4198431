import BinnacleBasics
import BinnaclePosix
import LocationEngine
import Simulation

/// `binnacle-sim seeds` and `seed`: simulated journeys with faults.
struct SeedCommand {
  private enum Kind {
    case range(ClosedRange<UInt64>)
    case one(UInt64, Generation?, isVerbose: Bool)
    /// Only the board with a launcher.
    case life(UInt64, isVerbose: Bool)
  }

  private let kind: Kind

  /// A range of seeds: `FROM..TO`.
  init(range arguments: Arguments) throws {
    kind = .range(try SeedCommand.range(arguments.positionals.first ?? ""))
  }

  /// One seed.
  init(_ arguments: Arguments) throws {
    guard let text = arguments.positionals.first, let seed = UInt64(text) else {
      throw Arguments.UsageError("seed needs a number")
    }
    if arguments.has("life") {
      kind = .life(seed, isVerbose: arguments.has("verbose"))
      return
    }
    let generation: Generation? = try arguments.choice("generation")
    kind = .one(seed, generation, isVerbose: arguments.has("verbose"))
  }

  func run() throws {
    switch kind {
    case .one(let seed, let generation, let isVerbose):
      let run = SeedRun(seed: seed, generation: generation)
      try show(seed, isVerbose: isVerbose) { run.finish(transcribe: $0) }
    case .life(let seed, let isVerbose):
      let run = LifeRun(seed: seed)
      try show(seed, isVerbose: isVerbose) { run.finish(transcribe: $0) }
    case .range(let seeds):
      var failures = 0
      for seed in seeds where try !isClean(seed) { failures += 1 }
      try Output.say("\(seeds.count) seeds, \(failures) failed")
      if failures > 0 { ExitStatus.failure.exit() }
    }
  }

  private func show(
    _ seed: UInt64, isVerbose: Bool,
    _ finish: (((String) -> Void)?) -> SeedRun<Engine>.Verdict
  ) throws {
    var failure: SystemError?
    let verdict = finish { line in
      guard isVerbose, failure == nil else { return }
      do throws(SystemError) { try Output.say(line) } catch { failure = error }
    }
    if let failure { throw failure }
    try Output.say("seed \(seed): \(verdict)")
    if !verdict.isClean { ExitStatus.failure.exit() }
  }

  private func isClean(_ seed: UInt64) throws -> Bool {
    let run = SeedRun(seed: seed)
    let verdict = run.finish()
    if !verdict.isClean { try Output.say("seed \(seed): \(verdict)") }
    return verdict.isClean
  }

  private static func range(_ text: String) throws -> ClosedRange<UInt64> {
    let parts = text.split(separator: ".", omittingEmptySubsequences: true)
    guard text.contains(".."), parts.count == 2, let from = UInt64(parts[0]),
      let to = UInt64(parts[1]), from <= to
    else { throw Arguments.UsageError("seeds needs FROM..TO") }
    return from...to
  }
}

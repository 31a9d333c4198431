public import LocationEngine

/// The board with a launcher of a seed, without the other boards of the seed.
public struct LifeRun {
  private let trial: LifeTrial<Engine>

  /// - Parameter seed: determines all draws; the board is the same as in the whole seed.
  public init(seed: UInt64) {
    trial = LifeTrial(seed: seed) { $0 }
  }

  /// Runs to the end, or to the first broken rule.
  ///
  /// - Parameter transcribe: gets a line for every event, effect and fault.
  /// - Returns: the verdict of the run.
  public func finish(transcribe: ((String) -> Void)? = nil) -> SeedRun<Engine>.Verdict {
    let board = trial.finish(transcribe: transcribe)
    return SeedRun<Engine>.Verdict(
      violations: board.violations, scene: board.crowd.words,
      fixCount: board.ledger.counts.locations.reduce(0, +), sleepCount: 0, recovery: nil)
  }
}

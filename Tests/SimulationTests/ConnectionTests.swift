import Simulation
import TestSupport
import Testing

/// Starts over lines that lose bytes, as `binnacle-sim connections` has them by the hundred.
@Suite struct ConnectionTests {
  @Test(arguments: Generation.allCases, [0.01, 0.02])
  func aLineThatLosesBytesGivesPositionsAllTheSame(generation: Generation, lossChance: Double) {
    for seed: UInt64 in 1...(Sweep.isWanted ? 3 : 1) {
      let outcome = ConnectionTrial(generation, lossChance: lossChance, seed: seed).run()
      #expect(outcome.violations.isEmpty)
      #expect((outcome.positionSeconds ?? 1_000) <= 120)
      #expect(outcome.positionCount >= 15)
    }
  }

  @Test func overALineThatNoMessageSurvivesNoPositionComes() {
    let outcome = ConnectionTrial(.m8, lossChance: 0.4, seed: 1).run()
    #expect(outcome.positionSeconds == nil && outcome.configuredSeconds == nil)
    #expect(outcome.violations.isEmpty)
  }
}

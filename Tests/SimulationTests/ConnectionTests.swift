import Simulation
import TestSupport
import Testing

/// Starts over lines that lose bytes; `binnacle-sim connections` runs hundreds of them.
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

  /// An epoch without an end came out 4.6 s late; the command that switches sentences off again was sent once and lost.
  @Test(
    arguments: [(Generation.six, 0.02, 5), (.seven, 0.05, 16)] as [(Generation, Double, UInt64)])
  func nothingIsOldAndNoOrderIsForgotten(
    generation: Generation, lossChance: Double, seed: UInt64
  ) {
    let outcome = ConnectionTrial(generation, lossChance: lossChance, seed: seed).run()
    #expect(outcome.violations.isEmpty)
    #expect(outcome.positionCount > 0)
  }

  @Test func overALineThatNoMessageSurvivesNoPositionComes() {
    let outcome = ConnectionTrial(.m8, lossChance: 0.4, seed: 1).run()
    #expect(outcome.positionSeconds == nil && outcome.configuredSeconds == nil)
    #expect(outcome.violations.isEmpty)
  }
}

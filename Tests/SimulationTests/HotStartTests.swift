import Simulation
import TestSupport
import Testing

/// Power cuts of boards whose receivers have no battery, each with its controls.
@Suite struct HotStartTests {
  static let seeds: [UInt64] = Array(1...(Sweep.isWanted ? 12 : 2))

  @Test(arguments: seeds)
  func storedAssistanceHalvesTheTimeToTheFirstFix(seed: UInt64) {
    let trial = HotStartTrial(seed: seed)
    let helped = trial.run(.own)
    let alone = trial.run(.nothing)
    #expect(helped.violations.isEmpty && alone.violations.isEmpty)
    #expect((helped.seconds ?? 1_000) <= 15, "\(trial.description)")
    #expect((alone.seconds ?? 0) >= 30, "\(trial.description)")
  }

  static let controls: [HotStartTrial.Kept] = [.anotherReceivers, .changedByte, .wrongTime]

  @Test(arguments: seeds, controls)
  func foreignOrFalseAssistanceLeavesAColdStart(
    seed: UInt64, kept: HotStartTrial.Kept
  ) {
    let trial = HotStartTrial(seed: seed)
    let outcome = trial.run(kept)
    #expect(outcome.violations.isEmpty)
    #expect((30...60).contains(outcome.seconds ?? 0), "\(trial.description), \(kept)")
  }
}

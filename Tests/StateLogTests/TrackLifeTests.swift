import Simulation
import StateLog
import Testing

/// The log of tracks under power cuts and failing calls: what was acknowledged is there, and nothing else.
struct TrackLifeTests {
  @Test(arguments: [UInt64](0..<4))
  func randomCutsKeepEveryStretchThatWasAcknowledged(_ quarter: UInt64) {
    var (commits, compactions) = (0, 0)
    for seed in (quarter * 3 + 1)...(quarter * 3 + 3) {
      var life = TrackLife<SimulatedDisk>(seed: seed)
      life.run(cuts: 60)
      #expect(life.course.violation == nil, "seed \(seed)")
      #expect(life.course.cutCount == 60)
      commits += life.course.commitCount
      compactions += life.course.compactionCount
    }
    // Most commits find room behind the one before.
    #expect(compactions > 20 && compactions < commits / 5)
  }

  // Controls: the same log on disks that take one of its precautions away.

  @Test func withoutFlushesStretchesAreLost() {
    #expect(brokenLives(on: UnflushedDisk.self) > 5)
  }

  @Test func withoutChecksumsStretchesAreInvented() {
    #expect(brokenLives(on: TrustingDisk.self) > 2)
  }

  @Test func withAllPrecautionsNoneIsBroken() {
    #expect(brokenLives(on: SimulatedDisk.self) == 0)
  }

  /// How many of ten lives break a promise.
  private func brokenLives<Disk: StateDisk>(on: Disk.Type) -> Int {
    (UInt64(1)...10).count { seed in
      var life = TrackLife<Disk>(seed: seed, lookingAt: .promise)
      life.run(cuts: 60)
      return life.course.violation != nil
    }
  }
}

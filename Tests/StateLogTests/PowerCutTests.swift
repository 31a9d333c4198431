import BinnacleBasics
import Simulation
import StateLog
import Testing

/// The power goes at every call and leaves anything of what was not flushed; nothing that was promised is lost.
struct PowerCutTests {
  /// "make hunt-state", and with it "make check", walks through three.
  @Test func everyOperationKeepsItsPromises() throws {
    var sweep = try #require(StateSweep<SimulatedDisk>())
    sweep.run(lengthMax: 1)
    #expect(sweep.violation == nil)
    #expect(sweep.cutCount > 1_000)
    #expect(sweep.failureCount > 50)
    // An operation that changes nothing leaves a state that was cut before.
    #expect(sweep.repeatCount > 10)
  }

  /// The control: a broken log is found although equal states are left out.
  @Test func theSweepFindsALogThatWritesInPlace() throws {
    var sweep = try #require(StateSweep<InPlaceDisk>())
    sweep.run(lengthMax: 1)
    #expect(sweep.violation != nil)
  }

  @Test(arguments: [UInt64](0..<4))
  func randomCutsKeepTheirPromises(_ quarter: UInt64) {
    var (commits, compactions) = (0, 0)
    for seed in (quarter * 5 + 1)...(quarter * 5 + 5) {
      var life = StateLife<SimulatedDisk>(seed: seed)
      life.run(cuts: 100)
      #expect(life.course.violation == nil, "seed \(seed)")
      #expect(life.course.cutCount == 100)
      commits += life.course.commitCount
      compactions += life.course.compactionCount
    }
    // Most commits find room behind the one before.
    #expect(compactions > 100 && compactions < commits / 5)
  }

  // Controls: the same log on disks that take one of its precautions away.

  @Test func withoutFlushesPromisesAreBroken() throws {
    #expect(try brokenLives(on: UnflushedDisk.self) > 5)
  }

  @Test func withoutChecksumsPromisesAreBroken() throws {
    #expect(try brokenLives(on: TrustingDisk.self) > 2)
  }

  @Test func withWritingInPlacePromisesAreBroken() throws {
    #expect(try brokenLives(on: InPlaceDisk.self) > 5)
  }

  @Test func withAllPrecautionsNoneIsBroken() throws {
    #expect(try brokenLives(on: SimulatedDisk.self) == 0)
  }

  /// How many of ten lives break a promise.
  private func brokenLives<Disk: StateDisk>(on: Disk.Type) throws -> Int {
    let geometry = try #require(LogGeometry(blockSize: 1_024, blocksPerSegment: 16))
    return (UInt64(1)...10).count { seed in
      var life = StateLife<Disk>(seed: seed, geometry: geometry, lookingAt: .promise)
      life.run(cuts: 100)
      return life.course.violation != nil
    }
  }

  @Test func aCutWhileALogIsBegunLeavesNothingThatIsTakenForOne() throws {
    let geometry = try #require(LogGeometry(blockSize: 1_024, blocksPerSegment: 8))
    for call in 0..<2 {
      var count = 0
      Choices.all { choices in
        var disk = SimulatedDisk(byteCount: geometry.byteCount)
        disk.expect(.cut(call: call))
        let shelf = Shelf(disk: disk)
        #expect(throws: CommitFailure.self) {
          try StateLog.create(on: shelf, owner: 1, geometry: geometry)
        }
        shelf.disk.cutPower(&choices)
        let recovery = Recovery(of: &shelf.disk, owner: 1, expecting: geometry)
        #expect(recovery.verdict == .blank || recovery.verdict == .sound)
        #expect(recovery.records.isEmpty)
        count += 1
        return true
      }
      #expect(count == 9)
    }
  }
}

/// Keeps the disk of a log that could not be begun.
final class Shelf: BlockFile {
  var disk: SimulatedDisk

  init(disk: SimulatedDisk) {
    self.disk = disk
  }

  var byteCount: Int { disk.byteCount }

  func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    try disk.read(count, at: offset)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault) {
    try disk.write(bytes, at: offset)
  }

  func flush() throws(BlockFault) {
    try disk.flush()
  }
}

import BinnacleBasics
import Simulation
import StateLog
import Testing

struct StateLogTests {
  private static let page = LogGeometry(blockSize: 4_096, blocksPerSegment: 256)
  private static let small = LogGeometry(blockSize: 512, blocksPerSegment: 16)

  private func log(_ geometry: LogGeometry?) throws -> StateLog<SimulatedDisk> {
    let geometry = try #require(geometry)
    return try StateLog.create(
      on: SimulatedDisk(byteCount: geometry.byteCount), owner: 7, geometry: geometry)
  }

  private func put(_ kind: UInt16, _ value: [UInt8]) -> Change {
    Change(RecordName(kind: kind), .put(value, isCautious: false))
  }

  /// The records that another program finds on the disk.
  private func reread(_ log: StateLog<SimulatedDisk>) -> Recovery {
    var disk = SimulatedDisk(holding: log.file.durableBytes)
    return Recovery(of: &disk, owner: 7, expecting: log.geometry)
  }

  @Test func theChecksumIsThatOfTheStandard() {
    // RFC 3720, appendix B.4, and the check value of the catalogue of parametrised CRC algorithms.
    #expect(CRC32C.of([UInt8](repeating: 0, count: 32)[...]) == 0x8A91_36AA)
    #expect(CRC32C.of([UInt8](repeating: 0xFF, count: 32)[...]) == 0x62A8_AB43)
    #expect(CRC32C.of(Array("123456789".utf8)[...]) == 0xE306_9283)
  }

  @Test func committedRecordsAreFoundAgain() throws {
    var log = try log(StateLogTests.small)
    let long = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    _ = try log.commit([put(1, [1]), put(2, long)])
    _ = try log.commit([Change(RecordName(kind: 1), .remove), put(3, [])])
    let found = reread(log)
    #expect(found.verdict == .sound)
    #expect(found.records[RecordName(kind: 1)] == nil)
    #expect(found.records[RecordName(kind: 2)] == long)
    #expect(found.records[RecordName(kind: 3)] == [])
    #expect(!found.hasUnfinishedCommit)
  }

  @Test func anUnchangedValueIsNotWritten() throws {
    var log = try log(StateLogTests.small)
    _ = try log.commit([put(1, [1])])
    let before = log.file
    let receipt = try log.commit([put(1, [2]), put(1, [1]), Change(RecordName(kind: 9), .remove)])
    #expect(receipt.sequence == nil)
    #expect(receipt.bytesWritten == 0)
    #expect(log.file.callCount == before.callCount)
    #expect(log.file.bytesWritten == before.bytesWritten)
  }

  @Test func afterAFailedCommitAnEqualValueIsWrittenSoThatThePowerCutKeepsIt() throws {
    var log = try log(StateLogTests.small)
    _ = try log.commit([put(1, [0])])
    // The write and the flush take effect, and the flush fails nevertheless.
    log.file.expect(.fail(.init(call: 1, fault: .inputOutput, damage: .whole)))
    #expect(throws: CommitFailure.fault(.inputOutput)) { try log.commit([self.put(1, [1])]) }
    log.file.expect(.nothing)
    // The control: without a further commit the disk has the failed change.
    #expect(reread(log).records[RecordName(kind: 1)] == [1])
    let receipt = try log.commit([put(1, [0])])
    #expect(receipt.isCompaction && receipt.sequence != nil)
    #expect(reread(log).records[RecordName(kind: 1)] == [0])
  }

  @Test func aChangeCostsOneBlockAndOneFlush() throws {
    var log = try log(StateLogTests.page)
    let bytes = log.file.bytesWritten
    let flushes = log.file.flushCount
    for number in 0..<2_000 {
      _ = try log.commit([put(1, [UInt8](repeating: UInt8(number % 251), count: 64))])
    }
    #expect((log.file.bytesWritten - bytes) / 2_000 <= 4_200)
    #expect(log.file.flushCount - flushes == 2_000)
  }

  @Test func aGroupOfSixtyCostsLittlePerRecord() throws {
    var log = try log(StateLogTests.page)
    let bytes = log.file.bytesWritten
    for round in 0..<20 {
      let group = try (0..<60).map { number in
        let name = try #require(RecordName(kind: 9, key: [UInt8(number)]))
        return Change(name, .put([UInt8](repeating: UInt8(round), count: 64), isCautious: false))
      }
      _ = try log.commit(group)
    }
    #expect((log.file.bytesWritten - bytes) / (20 * 60) <= 140)
  }

  @Test func aFullLogReportsThatAndTakesRemovals() throws {
    var log = try log(StateLogTests.small)
    let most = log.geometry.liveSizeMax
    #expect(throws: CommitFailure.tooLarge(size: most + 13, sizeMax: most)) {
      try log.commit([self.put(1, [UInt8](repeating: 1, count: most + 1))])
    }
    _ = try log.commit([put(1, [UInt8](repeating: 1, count: most - 12))])
    let before = log.file.bytesWritten
    #expect(throws: CommitFailure.full(size: most + 13, sizeMax: most)) {
      try log.commit([self.put(2, [1])])
    }
    #expect(log.file.bytesWritten == before)
    _ = try log.commit([put(1, [UInt8](repeating: 1, count: most - 25))])
    _ = try log.commit([put(2, [1])])
    _ = try log.commit([Change(RecordName(kind: 1), .remove)])
    #expect(reread(log).records == log.records)
    #expect(log.records.entries.count == 1)
  }

  @Test func aFullLogFindsPlaceAfterEveryCompaction() throws {
    for seed in UInt64(1)...20 {
      var random = Random(seed: seed)
      var log = try log(LogGeometry(blockSize: 512, blocksPerSegment: 8 + Int(seed) * 3))
      for _ in 0..<400 {
        let size = Int.random(in: 0...700, using: &random)
        let change = put(UInt16(random.next() % 40), [UInt8](repeating: 3, count: size))
        do throws(CommitFailure) {
          _ = try log.commit([change])
        } catch {
          guard case .full = error else { throw error }
        }
      }
      #expect(reread(log).records == log.records)
    }
  }

  @Test func recordsOfANewerProgramAreKeptThroughCompaction() throws {
    var log = try log(StateLogTests.small)
    let name = try #require(RecordName(kind: 65_000, key: [1, 2]))
    _ = try log.commit([Change(name, .put([4, 5, 6], isCautious: true))])
    var compactions = 0
    for number in 0..<100 {
      if try log.commit([put(1, [UInt8(number)])]).isCompaction { compactions += 1 }
    }
    #expect(compactions > 5)
    #expect(reread(log).records[name] == [4, 5, 6])
  }

  @Test func aLogIsWrittenWithZerosFirst() throws {
    let geometry = try #require(StateLogTests.small)
    var disk = SimulatedDisk(holding: [UInt8](repeating: 0xEE, count: geometry.byteCount))
    try StateLog.prewrite(&disk, geometry: geometry)
    #expect(disk.durableBytes.allSatisfy { $0 == 0 })
    #expect(Recovery(of: &disk, owner: 7, expecting: geometry).verdict == .blank)
  }

  @Test func recordsThatWereSavedBeginANewLog() throws {
    var old = try log(StateLogTests.small)
    _ = try old.commit([put(1, [1]), put(2, [2])])
    let disk = SimulatedDisk(byteCount: old.geometry.byteCount)
    let log = try StateLog.create(
      on: disk, owner: 7, geometry: old.geometry, holding: old.records)
    #expect(reread(log).records == old.records)
  }
}

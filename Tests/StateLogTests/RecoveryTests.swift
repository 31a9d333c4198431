import BinnacleBasics
import Simulation
import Testing

@testable import StateLog

/// Bytes that are not what they were: never a crash, never a silent loss, nothing invented.
struct RecoveryTests {
  private static let owner: UInt64 = 7
  private static let blockSize = 512

  private let geometry: LogGeometry
  /// Six commits in the first segment, one block each: kinds 1 to 3 with the values 1 to 6 in turn.
  private var log: StateLog<SimulatedDisk>

  init() throws {
    geometry = try #require(LogGeometry(blockSize: RecoveryTests.blockSize, blocksPerSegment: 8))
    log = try StateLog.create(
      on: SimulatedDisk(byteCount: geometry.byteCount), owner: RecoveryTests.owner,
      geometry: geometry)
    for number in 1...6 { try commit(UInt8(number)) }
  }

  private mutating func commit(_ number: UInt8) throws {
    let name = RecordName(kind: UInt16((number - 1) % 3) + 1)
    _ = try log.commit([Change(name, .put([number], isCautious: name.kind == 1))])
  }

  private var bytes: [UInt8] { log.file.durableBytes }

  private func recover(_ bytes: [UInt8], owner: UInt64 = RecoveryTests.owner) -> Recovery {
    var disk = SimulatedDisk(holding: bytes)
    return Recovery(of: &disk, owner: owner, expecting: geometry)
  }

  private func offset(_ block: Int) -> Int { block * RecoveryTests.blockSize }

  @Test func aLossOfSeveralCommitsIsReportedInThePlural() {
    let losses = [
      Loss(after: 9, before: 11), Loss(after: 9, before: 18), Loss(after: nil, before: 5),
    ]
    #expect(
      losses.map { "\($0); \($0.consequence)" } == [
        "commit 10 is damaged; its changes are lost",
        "commits 10 to 17 are damaged; their changes are lost",
        "everything before commit 5 is damaged; its changes are lost",
      ])
  }

  @Test func aDamagedCommitBeforeOthersIsReportedAsLost() {
    var damaged = bytes
    damaged[offset(4) + 60] ^= 1
    let found = recover(damaged)
    #expect(found.verdict == .damaged)
    #expect(found.losses.map(\.description) == ["commit 5 is damaged"])
    #expect(found.records[RecordName(kind: 2)] == [5])
    #expect(found.records[RecordName(kind: 3)] == [6])
    // The value 4 was in the damaged commit, so that 1 would be all that is known: it is not believed.
    #expect(found.records[RecordName(kind: 1)] == nil)
    #expect(found.withheld == [RecordName(kind: 1)])
  }

  @Test func aDamagedLastCommitIsReportedAsUnfinished() {
    var damaged = bytes
    damaged[offset(6) + 60] ^= 1
    let found = recover(damaged)
    #expect(found.verdict == .sound)
    #expect(found.hasUnfinishedCommit)
    #expect(found.records[RecordName(kind: 3)] == [3])
  }

  @Test func aDamagedLogAcceptsCommitsAndKeepsItsRecords() throws {
    var damaged = bytes
    damaged[offset(4) + 60] ^= 1
    var disk = SimulatedDisk(holding: damaged)
    let recovery = Recovery(of: &disk, owner: RecoveryTests.owner, expecting: geometry)
    var log = try #require(StateLog(continuing: recovery, on: disk))
    let receipt = try log.commit([Change(RecordName(kind: 9), .put([9], isCautious: false))])
    #expect(receipt.isCompaction)
    let found = recover(log.file.durableBytes)
    #expect(found.verdict == .sound)
    #expect(found.records == log.records)
    #expect(found.records.entries.count == 3)
  }

  @Test mutating func theOtherSegmentHelpsWhenACopyIsDamaged() throws {
    for number in UInt8(7)...9 { try commit(number) }
    // The second segment has a copy that includes commit 8, and commit 9.
    var damaged = bytes
    damaged[offset(8) + 60] ^= 1
    let found = recover(damaged)
    #expect(found.verdict == .damaged)
    #expect(found.records[RecordName(kind: 2)] == [5])
    #expect(found.records[RecordName(kind: 3)] == [9])
    #expect(found.withheld == [RecordName(kind: 1)])
  }

  @Test mutating func everyDamagedByteIsHarmlessOrReported() throws {
    for number in UInt8(7)...9 { try commit(number) }
    let whole = recover(bytes).records
    #expect(whole == log.records)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x40
      let found = recover(damaged)
      let isTold =
        found.verdict != .sound || found.hasUnfinishedCommit
        || found.hasUnfinishedCompaction
      #expect(found.records == whole || isTold, "byte \(index)")
      for entry in found.records.entries where entry.isCautious {
        #expect(
          whole[entry.name] == entry.value || found.hasUnfinishedCommit
            || found.hasUnfinishedCompaction, "byte \(index)")
      }
    }
  }

  @Test mutating func everyTruncationIsReportedAndLosesNoRemainingRecord() throws {
    for number in UInt8(7)...9 { try commit(number) }
    for count in bytes.indices {
      let found = recover(Array(bytes.prefix(count)))
      #expect(found.verdict != .sound && found.verdict != .blank, "\(count) bytes")
      var disk = SimulatedDisk(holding: Array(bytes.prefix(count)))
      let recovery = Recovery(of: &disk, owner: RecoveryTests.owner, expecting: geometry)
      #expect(StateLog(continuing: recovery, on: disk) == nil, "\(count) bytes")
    }
    // The older segment is there, and of the newer one the copy and not the commit behind it.
    let found = recover(Array(bytes.prefix(offset(9))))
    #expect(found.verdict == .damaged)
    #expect(found.records[RecordName(kind: 2)] == [8])
    #expect(found.records[RecordName(kind: 3)] == [6])
  }

  @Test func aFileThatIsNoLogIsRefused() {
    #expect(recover([]).verdict == .refused(.empty))
    var random = Random(seed: 5)
    for size in [1, 51, 52, 511, 512, 4_096, geometry.byteCount, 3 * geometry.byteCount] {
      let noise = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(recover(noise).verdict == .refused(.unrecognized), "\(size) bytes")
    }
  }

  @Test func aLogOfAnotherBoardIsRefused() {
    #expect(recover(bytes, owner: 8).verdict == .refused(.foreign(owner: RecoveryTests.owner)))
  }

  @Test func aLogOfANewerFormatIsRefusedWhereverItIsSeen() {
    for block in [0, 3, 8, 15] {
      var newer = bytes
      newer.replaceSubrange(offset(block)..<offset(block + 1), with: bytes[..<offset(1)])
      newer[offset(block) + 4] = 2
      var writer = ByteWriter()
      writer.u32(CRC32C.of(newer[offset(block)..<offset(block) + 48]))
      newer.replaceSubrange(offset(block) + 48..<offset(block) + 52, with: writer.bytes)
      let found = recover(newer)
      #expect(found.verdict == .refused(.newerFormat(2)), "block \(block)")
      var disk = SimulatedDisk(holding: newer)
      let recovery = Recovery(of: &disk, owner: RecoveryTests.owner, expecting: geometry)
      #expect(StateLog(continuing: recovery, on: disk) == nil)
    }
  }

  @Test func aBlockThatTheDiskDoesNotGiveIsReported() {
    // The flush is call 0, the reading of the layout 1, the segments 2 and 3.
    for call in 0..<4 {
      var disk = SimulatedDisk(holding: bytes)
      disk.expect(.fail(.init(call: call, fault: .inputOutput, damage: .nothing)))
      let found = Recovery(of: &disk, owner: RecoveryTests.owner, expecting: geometry)
      // A segment that cannot be read in one piece is read block by block.
      #expect(found.records == log.records)
      #expect((found.flushFault == .inputOutput) == (call == 0))
    }
    var silent = SilentDisk(bytes: bytes)
    let found = Recovery(of: &silent, owner: RecoveryTests.owner, expecting: geometry)
    #expect(found.verdict == .refused(.unreadable(.inputOutput)))
    var patchy = SilentDisk(bytes: bytes, silentFrom: offset(4), silentTo: offset(5))
    let patched = Recovery(of: &patchy, owner: RecoveryTests.owner, expecting: geometry)
    #expect(patched.verdict == .damaged)
    #expect(patched.losses.map(\.description) == ["commit 5 is damaged"])
  }

  @Test func impossiblyLargeNumbersAreDamage() {
    // The epoch, the sequence, and a layout of 2 GiB, each with a checksum that is right.
    for (offset, value) in [(24, UInt8(0xFF)), (32, 0xFF), (12, 0xFF)] {
      var strange = bytes
      let end = offset == 32 ? 40 : offset + 4
      for index in offset..<end { strange[index] = value }
      if offset == 12 { strange[6] = 15 }
      var writer = ByteWriter()
      writer.u32(CRC32C.of(strange[..<48]))
      strange.replaceSubrange(48..<52, with: writer.bytes)
      // The rest of the log still counts: the commits behind the foreign block.
      let found = recover(strange)
      #expect(found.verdict == .damaged)
      #expect(found.records[RecordName(kind: 3)] == [6])
    }
  }

  @Test func anAppCannotForgeACommit() throws {
    // An app stores bytes that are a whole commit of this log, for each block that its value may come to lie in.
    var forged: [UInt8] = []
    let inside = bytes[offset(1)..<offset(2)]
    for _ in 0..<3 { forged += inside }
    var log = try StateLog.create(
      on: SimulatedDisk(byteCount: geometry.byteCount * 4), owner: RecoveryTests.owner,
      geometry: try #require(LogGeometry(blockSize: 512, blocksPerSegment: 32)))
    _ = try log.commit([Change(RecordName(kind: 8), .put(forged, isCautious: false))])
    _ = try log.commit([Change(RecordName(kind: 2), .put([1], isCautious: false))])
    for block in 1..<5 {
      var damaged = log.file.durableBytes
      for index in offset(block)..<offset(block) + 52 { damaged[index] = 0xFF }
      let found = recover(damaged)
      #expect(found.records[RecordName(kind: 1)] == nil)
      #expect(found.verdict == .damaged)
    }
  }
}

/// A disk that gives nothing of a range.
private struct SilentDisk: BlockFile {
  let bytes: [UInt8]
  var silentFrom = 0
  var silentTo = Int.max

  var byteCount: Int { bytes.count }

  mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    guard offset + count <= silentFrom || offset >= silentTo else { throw .inputOutput }
    return Array(bytes[offset..<offset + count])
  }

  mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault) { throw .readOnly }

  mutating func flush() throws(BlockFault) {}
}

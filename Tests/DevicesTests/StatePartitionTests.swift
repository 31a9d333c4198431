import BinnaclePosix
import Devices
import StateLog
import TestSupport
import Testing

/// Tests which partitions may be initialized, with files that look like partitions.
struct StatePartitionTests {
  private static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile
  private static let size = 3_000_000

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/partition"
  }

  private func partition(_ changes: [(offset: Int, bytes: [UInt8])] = []) throws -> LogFile {
    var content = [UInt8](repeating: 0, count: StatePartitionTests.size)
    for (offset, bytes) in changes {
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    try Files.writeAtomically(content, to: path)
    return try LogFile(path: path)
  }

  private func isVacant(_ changes: (offset: Int, bytes: [UInt8])...) throws -> Bool {
    var file = try partition(changes)
    return try StatePartition.isVacant(&file, geometry: StatePartitionTests.geometry)
  }

  @Test func nothingButZerosIsVacant() throws {
    #expect(try isVacant())
  }

  @Test func aByteInTheLogsAreaOrInASignatureOfAnotherFormatIsNotVacant() throws {
    for offset in [0, 3, 510, 512, 8_191, StatePartitionTests.size - 1_048_576] {
      #expect(try !isVacant((offset, [1])), "\(offset)")
    }
    #expect(try !isVacant((StatePartitionTests.size - 1, [1])))
    // The room between the two is never inspected.
    #expect(try isVacant((8_192, [1])))
  }

  @Test func anInterruptedPreparationLeavesAVacantPartition() throws {
    #expect(try isVacant((0, Array("BnkS".utf8) + [9, 9, 9])))
    #expect(try !isVacant((0, Array("BnkT".utf8))))
    #expect(try !isVacant((0, Array("BnkS".utf8)), (512, Array("BnkS".utf8))))
  }

  /// The last mebibyte of a small partition includes the place of the mark, which is written first.
  @Test func aSmallPartitionWithTheMarkOfANewLogIsVacant() throws {
    let mark = StatePartitionTests.geometry.byteCount
    let magic = Array("BnkL".utf8)
    let cases: [(offset: Int, bytes: [UInt8], isVacant: Bool)] = [
      (mark, magic, true), (mark + 4_096, [1], true), (mark + 4_608, [1], false),
      (mark, [1], false), (99_999, [1], false),
    ]
    for (offset, bytes, isVacant) in cases {
      var content = [UInt8](repeating: 0, count: 100_000)
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      try Files.writeAtomically(content, to: path)
      var file = try LogFile(path: path)
      let found = try StatePartition.isVacant(&file, geometry: StatePartitionTests.geometry)
      #expect(found == isVacant, "\(offset)")
    }
  }

  @Test func aClearedPartitionIsVacantAndHoldsANewLog() throws {
    var file = try partition([(0, [7]), (1_080, [0x53, 0xEF]), (2_999_000, [1])])
    try StatePartition.clear(&file, geometry: StatePartitionTests.geometry)
    #expect(try StatePartition.isVacant(&file, geometry: StatePartitionTests.geometry))
    _ = try StateLog.create(on: file, owner: 1, geometry: StatePartitionTests.geometry)
    #expect(StatePartition.occupant(of: &file) == "a log of state")
  }

  @Test func marksHaveNames() throws {
    var ext4 = try partition([(0x438, [0x53, 0xEF])])
    #expect(StatePartition.occupant(of: &ext4) == "an ext2, ext3 or ext4 file system")
    var swap = try partition([(4_086, Array("SWAPSPACE2".utf8))])
    #expect(StatePartition.occupant(of: &swap) == "swap space")
    var unknown = try partition([(0, [1, 2, 3])])
    #expect(StatePartition.occupant(of: &unknown) == nil)
  }
}

import BinnacleBasics

/// The header at the start of each block; `Docs/SPEC-state.md` has its bytes.
///
/// Each block has a header and no record starts a block, so data of an app is never taken for a header.
struct BlockHeader: Equatable {
  static let size = 52
  static let magic: [UInt8] = Array("BnkS".utf8)
  static let major: UInt8 = 1
  static let minor: UInt8 = 0
  /// A limit that no board reaches: a block with a larger epoch is no header, so incrementing never overflows.
  static let epochMax: UInt32 = 1 << 31
  static let sequenceMax: UInt64 = 1 << 62
  static let payloadSizeMax: UInt32 = 1 << 30

  var geometry: LogGeometry
  /// Whether the block is part of the snapshot at the start of a segment.
  var isSnapshot: Bool
  /// Whether the block belongs to the last commit of the snapshot.
  var endsSnapshot: Bool
  /// The number of the block in the file, from 0.
  var position: Int
  /// The number of the board that the state belongs to.
  var owner: UInt64
  /// The number of compactions before the segment was begun, from 1.
  var epoch: UInt32
  /// The number of the block in its commit, and the number of blocks of the commit.
  var part: Int
  var partCount: Int
  /// The number of the commit; numbers are never used again.
  var sequence: UInt64
  /// Bytes of records in the whole commit.
  var payloadSize: Int
  /// The checksum of the checksums of the commit's records: it detects parts of different attempts.
  var digest: UInt32

  /// The result of reading the first bytes of a block.
  enum Reading: Equatable {
    case header(BlockHeader)
    /// A valid header in a format that this program does not know.
    case newer(major: UInt8)
    /// All bytes are zero: the block was never written.
    case blank
    case damaged
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.put(BlockHeader.magic)
    writer.u8(BlockHeader.major)
    writer.u8(BlockHeader.minor)
    writer.u8(UInt8(geometry.blockSize.trailingZeroBitCount))
    writer.u8((isSnapshot ? 1 : 0) | (endsSnapshot ? 2 : 0))
    writer.u32(UInt32(position))
    writer.u32(UInt32(geometry.blocksPerSegment))
    writer.u64(owner)
    writer.u32(epoch)
    writer.u16(UInt16(part))
    writer.u16(UInt16(partCount))
    writer.u64(sequence)
    writer.u32(UInt32(payloadSize))
    writer.u32(digest)
    writer.u32(CRC32C.of(writer.bytes[...]))
    return writer.bytes
  }

  /// Reads the first bytes of a block, at least ``size`` of them.
  static func reading(_ block: ArraySlice<UInt8>) -> Reading {
    let bytes = block.prefix(size)
    guard bytes.count == size, bytes.starts(with: magic) else {
      return isZero(block) ? .blank : .damaged
    }
    var end = ByteReader(bytes.suffix(4))
    guard end.u32() == CRC32C.of(bytes.dropLast(4)) else { return .damaged }
    let version = bytes[bytes.startIndex + 4]
    if version > major { return .newer(major: version) }
    return BlockHeader(checked: bytes).map(Reading.header) ?? .damaged
  }

  /// Compares eight bytes at a time, because most of a new log is zeros.
  private static func isZero(_ block: ArraySlice<UInt8>) -> Bool {
    block.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0 { return false }
        offset += 8
      }
      return bytes[offset...].allSatisfy { $0 == 0 }
    }
  }

  /// Reads a header whose checksum is correct; nil when its numbers contradict each other.
  private init?(checked bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes.dropFirst(6))
    guard let shift = reader.u8(), let flags = reader.u8(), let position = reader.u32(),
      let blocks = reader.u32(), let owner = reader.u64(), let epoch = reader.u32(),
      let part = reader.u16(), let partCount = reader.u16(), let sequence = reader.u64(),
      let payloadSize = reader.u32(), let digest = reader.u32(), shift < 16,
      let geometry = LogGeometry(blockSize: 1 << Int(shift), blocksPerSegment: Int(blocks)),
      part < partCount, partCount <= geometry.commitBlocksMax,
      (1...BlockHeader.epochMax).contains(epoch), sequence <= BlockHeader.sequenceMax,
      payloadSize <= BlockHeader.payloadSizeMax,
      geometry.blockCount(ofPayload: Int(payloadSize)) == Int(partCount)
    else { return nil }
    self.init(
      geometry: geometry, isSnapshot: flags & 1 != 0, endsSnapshot: flags & 2 != 0,
      position: Int(position), owner: owner, epoch: epoch, part: Int(part),
      partCount: Int(partCount), sequence: sequence, payloadSize: Int(payloadSize), digest: digest)
  }

  init(
    geometry: LogGeometry, isSnapshot: Bool, endsSnapshot: Bool, position: Int, owner: UInt64,
    epoch: UInt32, part: Int, partCount: Int, sequence: UInt64, payloadSize: Int, digest: UInt32
  ) {
    self.geometry = geometry
    self.isSnapshot = isSnapshot
    self.endsSnapshot = endsSnapshot
    self.position = position
    self.owner = owner
    self.epoch = epoch
    self.part = part
    self.partCount = partCount
    self.sequence = sequence
    self.payloadSize = payloadSize
    self.digest = digest
  }
}

import BinnacleBasics

/// What stands at the start of every block; `Docs/SPEC-state.md` has its bytes.
///
/// Each block has one, so that what an app stores can never be taken for a header: no record starts a block.
struct BlockHeader: Equatable {
  static let size = 52
  static let magic: [UInt8] = Array("BnkS".utf8)
  static let major: UInt8 = 1
  static let minor: UInt8 = 0
  /// No board gets that far; what says so is no header, so that counting on never overflows.
  static let epochMax: UInt32 = 1 << 31
  static let sequenceMax: UInt64 = 1 << 62
  static let payloadSizeMax: UInt32 = 1 << 30

  var geometry: LogGeometry
  /// Part of the copy of everything that a segment starts with.
  var isSnapshot: Bool
  /// The last commit of that copy.
  var endsSnapshot: Bool
  /// The number of the block in the file, from 0.
  var position: Int
  /// Whose state it is; a board's own number.
  var owner: UInt64
  /// How often the log had been compacted when the segment was begun, from 1.
  var epoch: UInt32
  /// Which block of its commit this is, and of how many.
  var part: Int
  var partCount: Int
  /// The number of the commit; it never comes back.
  var sequence: UInt64
  /// How many bytes of records the whole commit has.
  var payloadSize: Int
  /// The checksum of the checksums of the commit's records: parts of two attempts never make one commit.
  var digest: UInt32

  /// What the first bytes of a block turn out to be.
  enum Reading: Equatable {
    case header(BlockHeader)
    /// Whole, but of a format that this program does not know.
    case newer(major: UInt8)
    /// Nothing but zeros: never written.
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

  /// Eight bytes at a time: most of a young log is zeros.
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

  /// Reads a header whose checksum is right; nil when its numbers contradict each other all the same.
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

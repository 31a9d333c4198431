/// The layout of a log: two segments with the same number of blocks.
///
/// A block is the unit of writing. Its size is that of a disk write: 4,096 bytes for a file behind the page cache, 512
/// bytes for direct writes.
public struct LogGeometry: Equatable, Sendable {
  public static let blockSizeMin = 512
  public static let blockSizeMax = 32_768
  public static let blocksPerSegmentMin = 8
  public static let blocksPerSegmentMax = 65_535
  /// The largest segment; a segment is read at once, so this limits the memory of recovery, whatever a header contains.
  public static let segmentSizeMax = 16_777_216

  private static let blockSizes = blockSizeMin...blockSizeMax
  private static let blockCounts = blocksPerSegmentMin...blocksPerSegmentMax

  /// The layout for a file that the kernel caches in pages of 4,096 bytes: two segments of 1 MiB.
  public static let ofFile = LogGeometry(blockSize: 4_096, blockCount: 256)

  /// The layout for tracks of several weeks: two segments of 8 MiB, with at most 2 MiB of records.
  public static let ofTracks = LogGeometry(blockSize: 4_096, blockCount: 2_048)

  private init(blockSize: Int, blockCount: Int) {
    self.blockSize = blockSize
    blocksPerSegment = blockCount
  }

  /// A power of two.
  public let blockSize: Int
  public let blocksPerSegment: Int

  /// - Returns: nil when a number is out of range, when the block size is not a power of two, or when a segment would
  ///   be larger than ``segmentSizeMax``.
  public init?(blockSize: Int, blocksPerSegment: Int) {
    guard LogGeometry.blockSizes.contains(blockSize), blockSize.nonzeroBitCount == 1,
      LogGeometry.blockCounts.contains(blocksPerSegment),
      blockSize * blocksPerSegment <= LogGeometry.segmentSizeMax
    else { return nil }
    self.blockSize = blockSize
    self.blocksPerSegment = blocksPerSegment
  }

  public var segmentSize: Int { blockSize * blocksPerSegment }
  /// The length of the whole file.
  public var byteCount: Int { 2 * segmentSize }
  /// Bytes of records in a block: the size of the block without its header.
  public var payloadPerBlock: Int { blockSize - BlockHeader.size }

  /// The limit of all records of a log, in encoded bytes: a quarter of a segment.
  ///
  /// Packed into blocks, the records take at most half a segment. Each compaction therefore leaves half a segment free,
  /// and the cost of copying is at most the cost of the changes themselves.
  public var liveSizeMax: Int { commitBlocksMax * payloadPerBlock }
  /// The limit of the records of one commit, in encoded bytes.
  public var commitSizeMax: Int { commitBlocksMax * payloadPerBlock }
  /// The limit of the blocks of one commit.
  var commitBlocksMax: Int { blocksPerSegment / 4 }

  /// The number of blocks for a number of bytes of records; a commit without records takes one block.
  func blockCount(ofPayload size: Int) -> Int {
    max(1, (size + payloadPerBlock - 1) / payloadPerBlock)
  }

  /// The capacity of the blocks that a number of bytes takes.
  public func roomInBlocks(ofPayload size: Int) -> Int {
    min(commitSizeMax, blockCount(ofPayload: size) * payloadPerBlock)
  }
}

extension LogGeometry: Codable {
  private enum CodingKeys: CodingKey {
    case blockSize, blocksPerSegment
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let blockSize = try container.decode(Int.self, forKey: .blockSize)
    let blocks = try container.decode(Int.self, forKey: .blocksPerSegment)
    guard LogGeometry.blockSizes.contains(blockSize),
      LogGeometry.blockCounts.contains(blocks),
      let geometry = LogGeometry(blockSize: blockSize, blocksPerSegment: blocks)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .blockSize, in: container, debugDescription: "no layout of a log")
    }
    self = geometry
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(blockSize, forKey: .blockSize)
    try container.encode(blocksPerSegment, forKey: .blocksPerSegment)
  }
}

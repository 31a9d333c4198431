/// How a log is laid out: two segments of equally many blocks.
///
/// A block is the unit of writing; it is chosen as large as what the disk programs at once (4,096 bytes for a file
/// behind the page cache, 512 where writes go around it).
public struct LogGeometry: Equatable, Sendable {
  public static let blockSizeMin = 512
  public static let blockSizeMax = 32_768
  public static let blocksPerSegmentMin = 8
  public static let blocksPerSegmentMax = 65_535
  /// A segment is read in one piece, so this bounds the memory that recovery takes, whatever a header says.
  public static let segmentSizeMax = 16_777_216

  private static let blockSizes = blockSizeMin...blockSizeMax
  private static let blockCounts = blocksPerSegmentMin...blocksPerSegmentMax

  /// What a file that the kernel caches in pages of 4,096 bytes gets: two segments of a mebibyte.
  public static let ofFile = LogGeometry(blockSize: 4_096, blockCount: 256)

  /// What the tracks of weeks get: two segments of eight mebibytes, of which two are ever live.
  public static let ofTracks = LogGeometry(blockSize: 4_096, blockCount: 2_048)

  private init(blockSize: Int, blockCount: Int) {
    self.blockSize = blockSize
    blocksPerSegment = blockCount
  }

  /// A power of two.
  public let blockSize: Int
  public let blocksPerSegment: Int

  /// - Returns: nil when a number is outside of its limits, the size of a block is no power of two, or a segment would be
  ///   larger than ``segmentSizeMax``.
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
  /// What a block holds beside its header.
  public var payloadPerBlock: Int { blockSize - BlockHeader.size }

  /// The most bytes of records, as they are encoded, that a log keeps.
  ///
  /// A quarter of a segment: packed into blocks they take at most half of one, so that after each compaction half a
  /// segment is free and copying costs at most as much as the changes themselves.
  public var liveSizeMax: Int { commitBlocksMax * payloadPerBlock }
  /// The most bytes of records that are committed at once.
  public var commitSizeMax: Int { commitBlocksMax * payloadPerBlock }
  /// The most blocks that one commit takes.
  var commitBlocksMax: Int { blocksPerSegment / 4 }

  /// How many blocks so many bytes of records take; a commit without records takes one.
  func blockCount(ofPayload size: Int) -> Int {
    max(1, (size + payloadPerBlock - 1) / payloadPerBlock)
  }

  /// How many bytes of records fit into the blocks that so many bytes take.
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

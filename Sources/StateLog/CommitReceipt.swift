/// The cost of a commit.
public struct CommitReceipt: Equatable, Codable, Sendable {
  /// The number of the commit; nil if no record changed and nothing was written.
  public var sequence: UInt64?
  public var bytesWritten: Int
  public var flushCount: Int
  /// Whether all records were copied to the other segment.
  public var isCompaction: Bool

  public init(sequence: UInt64?, bytesWritten: Int, flushCount: Int, isCompaction: Bool) {
    self.sequence = sequence
    self.bytesWritten = bytesWritten
    self.flushCount = flushCount
    self.isCompaction = isCompaction
  }
}

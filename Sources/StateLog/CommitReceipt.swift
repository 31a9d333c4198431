/// What a commit cost.
public struct CommitReceipt: Equatable, Codable, Sendable {
  /// The number of the commit; nil when nothing had changed and nothing was written.
  public var sequence: UInt64?
  public var bytesWritten: Int
  public var flushCount: Int
  /// Whether everything was copied to the other segment.
  public var isCompaction: Bool

  public init(sequence: UInt64?, bytesWritten: Int, flushCount: Int, isCompaction: Bool) {
    self.sequence = sequence
    self.bytesWritten = bytesWritten
    self.flushCount = flushCount
    self.isCompaction = isCompaction
  }
}

/// Why changes were not committed.
public enum CommitFailure: Error, Equatable, Codable, Sendable, CustomStringConvertible {
  /// The log would hold more than it may; nothing was written. Removing records is always possible.
  case full(size: Int, sizeMax: Int)
  /// These changes are more than one commit may have; nothing was written.
  case tooLarge(size: Int, sizeMax: Int)
  /// The disk failed. The changes are not promised; after a power cut they may be there, wholly, until a later commit
  /// succeeds: then they are gone for good.
  case fault(BlockFault)
  /// There is no log at this time, with the reason; nothing was written.
  case closed(String)

  public var description: String {
    switch self {
    case .full(let size, let sizeMax):
      "the state would take \(size) bytes, and \(sizeMax) is the most; remove something first"
    case .tooLarge(let size, let sizeMax):
      "the changes take \(size) bytes, and \(sizeMax) is the most at once"
    case .fault(let fault): fault.description
    case .closed(let reason): reason
    }
  }
}

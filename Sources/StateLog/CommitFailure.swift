/// The reason why changes were not committed.
public enum CommitFailure: Error, Equatable, Codable, Sendable, CustomStringConvertible {
  /// The log would exceed its size limit; nothing was written. Removing records is always possible.
  case full(size: Int, sizeMax: Int)
  /// The changes exceed the size limit of one commit; nothing was written.
  case tooLarge(size: Int, sizeMax: Int)
  /// The disk failed, and the changes are not acknowledged.
  ///
  /// After a power cut either all of the changes or none of them are present. The next successful commit discards them
  /// permanently.
  case fault(BlockFault)
  /// There is no log at present, for this reason; nothing was written.
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

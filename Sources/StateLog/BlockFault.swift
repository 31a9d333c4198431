/// Why the disk did not do what it was asked for.
public enum BlockFault: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// No space is left (ENOSPC, EDQUOT); a file that was written before needs none, unless its file system copies on
  /// writing.
  case noSpace
  /// The device failed (EIO), or less was there than was asked for.
  case inputOutput
  /// Writing is not allowed: a file system that was mounted read-only after an error (EROFS), or permissions.
  case readOnly
  /// Another error, with the system's number for it.
  case other(Int32)

  public var description: String {
    switch self {
    case .noSpace: "no space is left on the disk"
    case .inputOutput: "the disk answers with an input/output error"
    case .readOnly: "the disk or the file is read-only"
    case .other(let number): "the disk answers with error \(number)"
    }
  }
}

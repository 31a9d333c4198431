/// An error of the disk.
public enum BlockFault: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// No space is left (ENOSPC, EDQUOT).
  ///
  /// A file that was written before needs no new space, except on a copy-on-write file system.
  case noSpace
  /// The device failed (EIO), or returned fewer bytes than requested.
  case inputOutput
  /// The file system was mounted read-only after an error (EROFS), or permissions are missing.
  case readOnly
  /// Another error, with its error number (errno).
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

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
    case .other(let number):
      BlockFault.words[number] ?? "the disk answers with error \(number)"
    }
  }

  /// Errors of files that have nothing to do with the medium, by the numbers that they have on every Linux.
  private static let words: [Int32: String] = [
    2: "a file or a directory of the path does not exist",  // ENOENT
    6: "the device is not there",  // ENXIO
    16: "the file or the device is in use",  // EBUSY
    17: "another file has the name",  // EEXIST
    19: "the device is not there",  // ENODEV
    20: "a part of the path is not a directory",  // ENOTDIR
    21: "a directory has the name",  // EISDIR
    22: "it is neither a file nor a partition",  // EINVAL
    23: "too many files are open",  // ENFILE
    24: "too many files are open",  // EMFILE
    27: "the file would be too large for the file system",  // EFBIG
    36: "the name is too long",  // ENAMETOOLONG
    39: "a directory with files has the name",  // ENOTEMPTY
    40: "a symbolic link has the name",  // ELOOP
  ]
}

import CBinnaclePosix

/// The kind of a file system, as far as it matters for data that must survive a power cut.
public enum FileSystem: Equatable, Sendable {
  /// tmpfs or ramfs.
  case memory
  /// overlayfs: written data may be in memory.
  case overlay
  case other

  /// The file system that a path is on.
  ///
  /// The corresponding C function is `statfs`; the numbers are those of `<linux/magic.h>`.
  public init(of path: String) throws(SystemError) {
    var kind: UInt64 = 0
    do throws(Errno) {
      _ = try Errno.check { cposix_file_system(path, &kind) }
    } catch {
      throw SystemError(error, path)
    }
    switch UInt32(truncatingIfNeeded: kind) {
    case 0x0102_1994, 0x8584_58F6: self = .memory
    case 0x794C_7630: self = .overlay
    default: self = .other
    }
  }
}

import Glibc

/// A file as it was last changed: after a change the file may have its identity still, but not its version.
///
/// Every change of the bytes, of the attributes and of the names of a file sets its time of change to the present, and a program cannot
/// set that time to another one (inode(7)). So a new file that has got the number of a removed file has another version, too.
public struct FileVersion: Equatable, Sendable {
  public let file: FileIdentity
  /// The time of the last change, in nanoseconds since 1970.
  public let changeTimeNanoseconds: Int64

  public init(file: FileIdentity, changeTimeNanoseconds: Int64) {
    self.file = file
    self.changeTimeNanoseconds = changeTimeNanoseconds
  }

  /// Looks a file up, following links; the links of `/proc/PID/exe` lead to the file itself and not to its path.
  ///
  /// The corresponding C function is `stat`.
  public init(ofFileAt path: String) throws(SystemError) {
    var status = stat()
    do throws(Errno) {
      _ = try Errno.check { stat(path, &status) }
    } catch {
      throw SystemError(error, path)
    }
    self.init(
      file: FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)),
      changeTimeNanoseconds: Int64(status.st_ctim.tv_sec) &* 1_000_000_000
        &+ Int64(status.st_ctim.tv_nsec))
  }
}

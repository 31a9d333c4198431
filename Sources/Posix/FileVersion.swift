import Glibc

/// The identity of a file with the time of its last change: a change keeps the identity and ends the version.
///
/// Every change of the bytes, attributes or names of a file sets its time of change to the present, and no program can
/// set this time to another value (inode(7)). A new file that gets the number of a removed file has another version,
/// too.
public struct FileVersion: Equatable, Sendable {
  public let file: FileIdentity
  /// The time of the last change, in nanoseconds since 1970.
  public let changeTimeNanoseconds: Int64

  public init(file: FileIdentity, changeTimeNanoseconds: Int64) {
    self.file = file
    self.changeTimeNanoseconds = changeTimeNanoseconds
  }

  /// Reads the version of a file, following links; the links of `/proc/PID/exe` lead to the file itself and not to its path.
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

import Glibc

/// Which file a path leads to: two paths with equal identities lead to the same file, whatever mounts they are seen through.
///
/// A file keeps its identity as long as it has a name or a process uses it. After that another file may get the number.
public struct FileIdentity: Equatable, Sendable {
  /// The device of the file system.
  public let device: UInt64
  /// The number of the file in it.
  public let number: UInt64

  public init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }

  /// Looks a file up, following links; the links of `/proc/PID/exe` lead to the file itself and not to its path.
  ///
  /// The corresponding C function is `stat`.
  public init(ofFileAt path: String) throws(SystemError) {
    self = try FileVersion(ofFileAt: path).file
  }
}

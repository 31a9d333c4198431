import BinnaclePosix

/// The state directory while it is this daemon's: two would write over each other's files.
final class StateDirectory {
  /// nil where nothing can be written.
  private let lock: FileLock?

  /// Makes and takes it.
  ///
  /// - Throws: why it cannot be used, or who uses it.
  init(_ path: String) throws(StartFailure) {
    lock = try Directories.takeState(path)
  }
}

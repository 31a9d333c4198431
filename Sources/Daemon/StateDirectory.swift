import BinnaclePosix

/// The claimed state directory: two daemons would write over each other's files.
final class StateDirectory {
  /// nil where nothing can be written.
  private let lock: FileLock?

  /// Makes and claims it.
  ///
  /// - Throws: why it cannot be used, or which process uses it.
  init(_ path: String) throws(StartFailure) {
    lock = try Directories.takeState(path)
  }
}

import BinnaclePosix

/// The claimed state directory: two daemons would overwrite each other's files.
final class StateDirectory {
  /// nil if the directory is not writable.
  private let lock: FileLock?

  /// Creates and claims the directory.
  ///
  /// - Throws: the reason why the directory cannot be used, or the process that uses it.
  init(_ path: String) throws(StartFailure) {
    lock = try Directories.takeState(path)
  }
}

import CBinnaclePosix

/// Becomes readable when a name in a directory comes or goes, or when the directory itself goes.
///
/// The corresponding C function is `inotify_add_watch`.
public final class DirectoryWatch: Sendable {
  private let file: FileDescriptor

  /// Watches a directory.
  public init(_ path: String) throws(Errno) {
    file = FileDescriptor(owning: try Errno.check { cposix_directory_watch_open(path) })
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { file.number }

  /// Reads the events since the last call.
  ///
  /// - Returns: whether the directory itself was removed; the watch is useless then.
  public func drain() -> Bool {
    cposix_directory_watch_drain(file.number) != 0
  }
}

import CBinnaclePosix

/// Becomes readable when a process opens or closes a file, such as the far end of a pseudo-terminal.
///
/// The corresponding C function is `inotify_add_watch` with `IN_OPEN` and `IN_CLOSE`.
public final class OpenWatch: Sendable {
  private let file: FileDescriptor

  /// Watches a file.
  public init(_ path: String) throws(Errno) {
    file = FileDescriptor(owning: try Errno.check { cposix_open_watch_open(path) })
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { file.number }

  /// Takes what has happened since the last call.
  public func drain() { _ = cposix_directory_watch_drain(file.number) }
}

import Glibc

/// A lock file that one process at a time can hold; the kernel releases the lock when the process ends.
///
/// The file is never removed: otherwise two processes could lock two files of the same name.
///
/// The corresponding C function is `flock`.
public struct FileLock: ~Copyable, Sendable {
  private let file: FileDescriptor
  private let path: String
  private let identity: FileIdentity?

  /// Takes the lock, or reports its holder (`errno` is then `wouldBlock`).
  public init(path: String) throws(SystemError) {
    file = try FileLock.take(path)
    self.path = path
    identity = try? FileIdentity(ofFileAt: path)
  }

  /// Whether the path still leads to the file that is held.
  public var hasName: Bool {
    guard let identity else { return false }
    return (try? FileIdentity(ofFileAt: path)) == identity
  }

  deinit {
    file.unlock()
  }

  private static func take(_ path: String) throws(SystemError) -> FileDescriptor {
    var isLockFile = true
    do throws(Errno) {
      let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
      let file = try FileDescriptor.open(path, flags, mode: 0o600)
      let status = try file.status()
      // The number is written into the file, so it must be a file of its own, not another name of another one.
      isLockFile = status.kind == .file && status.linkCount <= 1
      guard isLockFile else { throw .invalidArgument }
      try file.lock()
      // The number is for error messages of other processes. A full disk may refuse to store the number.
      try? file.truncate()
      _ = try? file.write(Array("\(getpid())\n".utf8)[...])
      return file
    } catch {
      guard isLockFile else {
        throw SystemError(
          error,
          description: "\(path): it is not a lock file of its own; remove what is in its place")
      }
      guard error == .wouldBlock else { throw SystemError(error, path) }
      throw SystemError(.wouldBlock, description: "\(path): held by \(holder(of: path))")
    }
  }

  private static func holder(of path: String) -> String {
    let text = (try? Files.read(path, sizeMax: 64)).map { String(decoding: $0, as: UTF8.self) }
    let number = text.flatMap { $0.split(separator: "\n").first }.flatMap { Int32($0) }
    return number.map { "process \($0)" } ?? "another process"
  }
}

import Glibc

/// A file that one process at a time can hold; let go of when the owner goes, however it goes.
///
/// The file stays: whoever removed it would let two others hold two files of one name.
///
/// The corresponding C function is `flock`.
public struct FileLock: ~Copyable {
  private let file: FileDescriptor

  /// Takes the lock, or says who holds it (`errno` is then `wouldBlock`).
  public init(path: String) throws(SystemError) {
    file = try FileLock.take(path)
  }

  deinit {
    file.unlock()
  }

  private static func take(_ path: String) throws(SystemError) -> FileDescriptor {
    do throws(Errno) {
      let file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      try file.lock()
      // The number is for people: the next one who comes is told who holds the file. A full disk does not take it.
      try? file.truncate()
      _ = try? file.write(Array("\(getpid())\n".utf8)[...])
      return file
    } catch {
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

import Glibc
import Posix

/// A file or standard input that is read to its end.
struct DecodeSource: ~Copyable {
  private let file: FileDescriptor
  /// Bytes may come slowly, so that what is known is shown before more is waited for.
  let isLive: Bool

  /// Opens a file by name, standard input without one.
  init(_ path: String?) throws(DecodeFailure) {
    do throws(Errno) {
      file = try DecodeSource.open(path)
    } catch {
      throw .input(error)
    }
    isLive = DecodeSource.isLive(file)
  }

  // Kept apart from the initializer: an owner that is made and looked into in one place is more than the
  // optimizer of Swift 6.0.3 can take.

  private static func isLive(_ file: borrowing FileDescriptor) -> Bool {
    var status = stat()
    return fstat(file.number, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }

  private static func open(_ path: String?) throws(Errno) -> FileDescriptor {
    if let path { return try FileDescriptor.open(path, O_RDONLY | O_NOCTTY) }
    // A copy of its own, since it is closed at the end.
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .current }
    return FileDescriptor(owning: copy)
  }

  /// Reads what is there, waiting for at least a byte.
  ///
  /// - Returns: how many bytes were read; 0 at the end.
  borrowing func read(into buffer: inout [UInt8]) throws(DecodeFailure) -> Int {
    while true {
      do throws(Errno) {
        if let count = try file.read(into: &buffer) { return count }
      } catch {
        throw .input(error)
      }
      var wanted = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
      poll(&wanted, 1, -1)
    }
  }
}

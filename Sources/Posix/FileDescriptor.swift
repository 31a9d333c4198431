import CBinnaclePosix
import Glibc

/// An open file, device, pipe or socket; closed when its owner releases this value.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number by which the kernel knows it.
  public let number: Int32

  /// Takes ownership of a descriptor; only this value may close the descriptor.
  public init(owning number: Int32) {
    precondition(number >= 0, "there is no such descriptor")
    self.number = number
  }

  deinit {
    cposix_close(number)
  }

  /// How many descriptors of groups this process has closed.
  ///
  /// `closedElsewhere` counts a descriptor that C code closes. A descriptor that no group has had since it was opened does
  /// not count: the daemon looks at the processes of its clients every second, and such a look opens and closes a descriptor.
  static var closedCount: UInt64 { cposix_closed_count() }

  /// Counts the descriptors that a C library has just closed.
  public static func closedElsewhere() {
    cposix_count_closed()
  }

  /// Opens a file or device; it is closed on exec.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - flags: those of `<fcntl.h>`, such as `O_RDWR | O_NONBLOCK`.
  ///   - mode: the permissions of a file that is made.
  /// - Returns: the open file.
  /// - Throws: the error of the system.
  ///
  /// The corresponding C function is `open`.
  public static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0o644
  ) throws(Errno) -> FileDescriptor {
    FileDescriptor(owning: try Errno.check { Glibc.open(path, flags | O_CLOEXEC, mode) })
  }

  /// Becomes readable when a process ends.
  ///
  /// The corresponding C function is `pidfd_open`.
  init(watchingProcess number: Int32) throws(Errno) {
    self.init(owning: try Errno.check { cposix_process_watch(number) })
  }

  /// Gives the number away; the new owner closes it.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Reads the available bytes, at most the length of the buffer.
  ///
  /// - Returns: the number of bytes read; 0 at the end; nil when a non-blocking descriptor has none yet.
  ///
  /// The corresponding C function is `read`.
  public borrowing func read(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    let number = number
    return try FileDescriptor.unlessBlocking { () throws(Errno) in
      try Errno.check {
        buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
      }
    }
  }

  /// Writes as many bytes as the far end accepts.
  ///
  /// - Returns: the number of bytes written; nil when a non-blocking descriptor accepts none now.
  ///
  /// The corresponding C function is `write`.
  public borrowing func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int? {
    let number = number
    return try FileDescriptor.unlessBlocking { () throws(Errno) in
      try Errno.check {
        bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      }
    }
  }

  /// Writes everything, however long that takes; for blocking descriptors.
  public borrowing func writeAll(_ bytes: [UInt8]) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = try write(rest) else { throw .wouldBlock }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether reading and writing answer at once instead of waiting.
  ///
  /// The corresponding C function is `fcntl` with `F_SETFL`.
  public borrowing func setNonBlocking(_ isNonBlocking: Bool) throws(Errno) {
    let number = number
    let flags = try Errno.check { fcntl(number, F_GETFL) }
    let wanted = isNonBlocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
    _ = try Errno.check { fcntl(number, F_SETFL, wanted) }
  }

  /// The system's status of the open file.
  ///
  /// The corresponding C function is `fstat`.
  public borrowing func status() throws(Errno) -> Files.Status {
    let number = number
    var status = stat()
    _ = try Errno.check { fstat(number, &status) }
    return Files.Status(status)
  }

  /// Changes the permissions of the open file.
  ///
  /// The corresponding C function is `fchmod`.
  public borrowing func setMode(_ mode: UInt32) throws(Errno) {
    let number = number
    _ = try Errno.check { fchmod(number, mode) }
  }

  /// Takes an advisory lock on the file; throws `wouldBlock` when another process holds the lock.
  ///
  /// The corresponding C function is `flock`.
  public borrowing func lock() throws(Errno) {
    let number = number
    _ = try Errno.check { flock(number, LOCK_EX | LOCK_NB) }
  }

  /// Lets go of what `lock` took at once, even while a child that is just being started has a copy of the
  /// descriptor.
  public borrowing func unlock() {
    flock(number, LOCK_UN)
  }

  /// Makes the file empty.
  ///
  /// The corresponding C function is `ftruncate`.
  public borrowing func truncate() throws(Errno) {
    let number = number
    _ = try Errno.check { ftruncate(number, 0) }
  }

  /// Puts everything written on the disk itself.
  ///
  /// The corresponding C function is `fsync`.
  public borrowing func synchronize() throws(Errno) {
    let number = number
    _ = try Errno.check { fsync(number) }
  }

  private static func unlessBlocking(
    _ body: () throws(Errno) -> Int
  ) throws(Errno) -> Int? {
    do {
      return try body()
    } catch {
      if error == .wouldBlock { return nil }
      throw error
    }
  }
}

import CBinnaclePosix

/// Both ends of a pipe; closed on exec.
public struct Pipe: ~Copyable, Sendable {
  public let readEnd: FileDescriptor
  public let writeEnd: FileDescriptor

  /// Makes a pipe.
  ///
  /// The corresponding C function is `pipe2`.
  public init(isNonBlocking: Bool = true) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    _ = try Errno.check { cposix_pipe(&ends, isNonBlocking ? 1 : 0) }
    readEnd = FileDescriptor(owning: ends[0])
    writeEnd = FileDescriptor(owning: ends[1])
  }
}

import CBinnaclePosix
import Glibc

/// One end of a stream of bytes on this machine; never blocks.
///
/// The corresponding C function is `socket` with `AF_UNIX` and `SOCK_STREAM`.
public final class LocalStream: Sendable {
  private let file: FileDescriptor

  init(owning file: consuming FileDescriptor) {
    self.file = file
  }

  /// The descriptor to poll.
  public var descriptor: Int32 { file.number }

  /// The user and the process at the other end, as they were when it connected.
  ///
  /// The corresponding C function is `getsockopt` with `SO_PEERCRED`.
  public var peer: LocalSocket.Peer {
    get throws(Errno) { try LocalSocket.peer(of: file.number) }
  }

  /// Whether the peer has closed the connection and has left nothing to read.
  ///
  /// The corresponding C functions are `recv` with `MSG_PEEK`, and `poll`.
  public var isAbandoned: Bool { cposix_local_is_abandoned(file.number) != 0 }

  /// Reads what has come.
  ///
  /// - Returns: how many bytes; 0 when the other end has closed; nil when there is nothing yet.
  public func read(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    try file.read(into: &buffer)
  }

  /// Writes as much as the other end has room for.
  ///
  /// - Returns: how many bytes were taken; nil when there is no room.
  ///
  /// The corresponding C function is `send` with `MSG_NOSIGNAL`.
  public func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int? {
    do {
      return try Errno.check {
        bytes.withUnsafeBytes { cposix_local_send(file.number, $0.baseAddress, $0.count) }
      }
    } catch {
      if error == .wouldBlock { return nil }
      throw error
    }
  }
}

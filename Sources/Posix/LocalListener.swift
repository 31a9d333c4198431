import CBinnaclePosix
import Glibc

/// A listening socket on this machine; removed when its owner releases this value.
///
/// The process that holds the lock file beside the socket owns the socket's name. Only the holder replaces a socket that a
/// crash left behind, in one step, so that a client never finds the name without a listener.
public struct LocalListener: ~Copyable {
  private var file: FileDescriptor
  private var lock: FileLock
  private let path: String
  private let access: Access
  private let kind: Kind
  private var identity: FileIdentity?

  /// The content of its connections.
  public enum Kind: Sendable {
    /// Packets: `SOCK_SEQPACKET`.
    case packets
    /// A stream of bytes: `SOCK_STREAM`.
    case stream
  }

  /// Which processes may connect: writing is what counts.
  public struct Access: Sendable {
    public var mode: UInt32
    /// The number of the socket's group; nil: the daemon's own.
    public var groupID: UInt32?

    public init(mode: UInt32, groupID: UInt32? = nil) {
      self.mode = mode
      self.groupID = groupID
    }
  }

  /// Listens for connections that carry packets.
  ///
  /// - Parameters:
  ///   - path: the socket's name; the lock file's is the same with `.lock` behind it.
  ///   - mode: the permissions of the socket; a client needs the right to write.
  /// - Throws: the error of the system; `errno` is `wouldBlock` when another process holds the lock.
  ///
  /// The corresponding C functions are `bind` and `listen`.
  public init(path: String, mode: UInt32) throws(SystemError) {
    try self.init(path: path, access: Access(mode: mode), kind: .packets)
  }

  /// Listens.
  ///
  /// - Parameters:
  ///   - path: the socket's name; the lock file's is the same with `.lock` behind it.
  ///   - access: which processes may connect.
  ///   - kind: what its connections carry.
  /// - Throws: what the system answered; `errno` is `wouldBlock` when another process holds the lock, and `notPermitted`
  ///   when this process may not give a file to the group.
  ///
  /// The corresponding C functions are `bind` and `listen`.
  public init(path: String, access: Access, kind: Kind) throws(SystemError) {
    guard path.utf8.count + LocalListener.draftSuffix.utf8.count <= cposix_local_path_max() else {
      throw LocalSocket.explain(.nameTooLong, path)
    }
    let lock = try FileLock(path: path + ".lock")
    file = try LocalListener.listen(path: path, access, kind)
    self.lock = lock
    self.path = path
    self.access = access
    self.kind = kind
    identity = try? FileIdentity(ofFileAt: path)
  }

  private static func listen(
    path: String, _ access: Access, _ kind: Kind
  ) throws(SystemError) -> FileDescriptor {
    if let status = try? Files.status(of: path, followingLinks: false), status.kind != .socket {
      throw SystemError(.fileExists, description: "\(path): there is a file that is not a socket")
    }
    let draft = path + draftSuffix
    do {
      let made = try Errno.check {
        switch kind {
        case .packets: cposix_local_socket()
        case .stream: cposix_local_stream_socket()
        }
      }
      let file = FileDescriptor(owning: made)
      let number = file.number
      unlink(draft)
      _ = try Errno.check { cposix_local_bind(number, draft) }
      // Closed to others until it has its group.
      _ = try Errno.check { chmod(draft, 0o600) }
      if let groupID = access.groupID {
        _ = try Errno.check { chown(draft, .max, groupID) }
      }
      _ = try Errno.check { chmod(draft, access.mode) }
      _ = try Errno.check { Glibc.listen(number, LocalListener.queueMax) }
      _ = try Errno.check { rename(draft, path) }
      return file
    } catch {
      unlink(draft)
      throw LocalSocket.explain(error, path)
    }
  }

  /// Whether the path still leads to this socket: its name may have been removed, or given to another socket.
  public var hasName: Bool {
    guard let identity else { return false }
    return (try? FileIdentity(ofFileAt: path)) == identity
  }

  /// Listens anew after the name was lost; connections that are accepted already are not touched.
  ///
  /// - Throws: as making a listener does. The old socket is kept then.
  public mutating func renew() throws(SystemError) {
    if !lock.hasName { lock = try FileLock(path: path + ".lock") }
    file = try LocalListener.listen(path: path, access, kind)
    identity = try? FileIdentity(ofFileAt: path)
  }

  deinit {
    if hasName { unlink(path) }
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { file.number }

  /// The next connection; nil when no client waits.
  ///
  /// A client that disconnected while it waited is skipped. When descriptors have run out, the call throws and the
  /// client still waits: the caller must not retry at once.
  ///
  /// The corresponding C function is `accept4`.
  public borrowing func accept() throws(Errno) -> LocalSocket? {
    guard let accepted = try acceptNumber() else { return nil }
    return LocalSocket(owning: FileDescriptor(owning: accepted))
  }

  /// The next connection of a listener of streams; nil when no client waits.
  public borrowing func acceptStream() throws(Errno) -> LocalStream? {
    guard let accepted = try acceptNumber() else { return nil }
    return LocalStream(owning: FileDescriptor(owning: accepted))
  }

  private borrowing func acceptNumber() throws(Errno) -> Int32? {
    let number = file.number
    while true {
      do {
        return try Errno.check { cposix_local_accept(number) }
      } catch {
        if error == .wouldBlock { return nil }
        if error != .connectionAborted { throw error }
      }
    }
  }

  private static let draftSuffix = ".new"
  /// The number of connections that may wait to be accepted.
  ///
  /// All users share this queue, so a loop of one user fills a short queue. `net.core.somaxconn`
  /// of the kernel may be a lower limit.
  private static let queueMax: Int32 = 1_024
}

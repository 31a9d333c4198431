import CBinnaclePosix
import Glibc

/// A socket on this machine that others connect to; removed when its owner lets go of it.
///
/// Who holds the lock file beside the socket owns the socket's name. A socket that a crash left behind is
/// replaced only by the holder, in one step, so that a client never meets a name without a listener.
public struct LocalListener: ~Copyable {
  private var file: FileDescriptor
  private var lock: FileLock
  private let path: String
  private let mode: UInt32
  private var identity: FileIdentity?

  /// Listens.
  ///
  /// - Parameters:
  ///   - path: the socket's name; the lock file's is the same with `.lock` behind it.
  ///   - mode: who may connect; writing is what counts.
  /// - Throws: what the system answered; `errno` is `wouldBlock` when another process holds the lock.
  ///
  /// The corresponding C functions are `bind` and `listen`.
  public init(path: String, mode: UInt32) throws(SystemError) {
    guard path.utf8.count + LocalListener.draftSuffix.utf8.count <= cposix_local_path_max() else {
      throw LocalSocket.explain(.nameTooLong, path)
    }
    let lock = try FileLock(path: path + ".lock")
    file = try LocalListener.listen(path: path, mode: mode)
    self.lock = lock
    self.path = path
    self.mode = mode
    identity = try? FileIdentity(ofFileAt: path)
  }

  private static func listen(path: String, mode: UInt32) throws(SystemError) -> FileDescriptor {
    if let status = try? Files.status(of: path, followingLinks: false), status.kind != .socket {
      throw SystemError(.fileExists, description: "\(path): there is a file that is not a socket")
    }
    let draft = path + draftSuffix
    do {
      let file = FileDescriptor(owning: try Errno.check { cposix_local_socket() })
      let number = file.number
      unlink(draft)
      _ = try Errno.check { cposix_local_bind(number, draft) }
      _ = try Errno.check { chmod(draft, mode) }
      _ = try Errno.check { Glibc.listen(number, 64) }
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
    file = try LocalListener.listen(path: path, mode: mode)
    identity = try? FileIdentity(ofFileAt: path)
  }

  deinit {
    if hasName { unlink(path) }
  }

  /// What to poll for reading.
  public var descriptor: Int32 { file.number }

  /// The next connection; nil when nobody waits.
  ///
  /// A client that went away while it waited is passed over. When descriptors have run out the error is told
  /// and the client still waits: the caller must not ask again at once.
  ///
  /// The corresponding C function is `accept4`.
  public borrowing func accept() throws(Errno) -> LocalSocket? {
    let number = file.number
    while true {
      do {
        let accepted = try Errno.check { cposix_local_accept(number) }
        return LocalSocket(owning: FileDescriptor(owning: accepted))
      } catch {
        if error == .wouldBlock { return nil }
        if error != .connectionAborted { throw error }
      }
    }
  }

  private static let draftSuffix = ".new"
}

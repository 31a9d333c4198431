public import BinnacleBasics

/// The way to the daemon's socket, for clients.
///
/// The socket's path proves nothing: `BINNACLE_RUNTIME` may name any directory. The kernel says which user listens, so
/// a client can distinguish its daemon from a program that only pretends to be the daemon.
public enum DaemonSocket {
  /// The user that the installed service runs as (`systemd/binnacle.sysusers`).
  public static let serviceUser = "binnacle"

  /// Connects to a daemon.
  ///
  /// - Parameters:
  ///   - path: the socket, as ``RuntimeDirectory/socketPath(in:)`` gives it.
  ///   - patience: the longest wait for room in the queue of the socket; zero: the call never blocks.
  /// - Returns: the connection.
  /// - Throws: as ``LocalSocket/init(connectingTo:patience:)`` does; `untrustedServer` when the
  ///   socket is another user's.
  public static func connect(
    to path: String, patience: Interval = .zero
  ) throws(SystemError) -> LocalSocket {
    let socket = try LocalSocket(connectingTo: path, patience: patience)
    let server: LocalSocket.Peer
    do throws(Errno) {
      server = try socket.peer
    } catch {
      throw SystemError(error, path)
    }
    guard isTrusted(server.userID) else { throw refusal(of: server, at: path) }
    return socket
  }

  /// Whether a user may serve this process: root, the service's user, or the process's own.
  ///
  /// - Parameters:
  ///   - userID: the user that listens.
  ///   - ownUserID: the user that this process runs as.
  ///   - serviceUserID: looks up the service's user; returns nil when there is none.
  /// - Returns: false for every other user.
  static func isTrusted(
    _ userID: UInt32, ownUserID: UInt32 = Environment.userID,
    serviceUserID: () -> UInt32? = { Users.number(of: serviceUser) }
  ) -> Bool {
    userID == 0 || userID == ownUserID || userID == serviceUserID()
  }

  static func refusal(of server: LocalSocket.Peer, at path: String) -> SystemError {
    SystemError(
      .untrustedServer,
      description:
        "\(path): user \(server.userID) (process \(server.processID)) listens there. A daemon of root, of the "
        + "user \(serviceUser) or of your own user is trusted; name another directory with BINNACLE_RUNTIME or --runtime"
    )
  }
}

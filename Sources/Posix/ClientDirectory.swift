import Synchronization

/// The runtime directory of a client that connects again and again.
///
/// A client that has found a daemon in its user's own folder stays there while the folder has a socket: the socket of a daemon that
/// has failed remains, and its next daemon serves the client again.
public final class ClientDirectory: Sendable {
  private let option: String?
  private let userID: UInt32
  private let environment: @Sendable (String) -> String?
  private let system: String
  private let hasOwn = Mutex(false)

  /// - Parameters:
  ///   - option: the value of `--runtime`.
  ///   - userID: the user of the calling process.
  ///   - system: the directory of the daemon that serves the whole board.
  ///   - environment: looks up an environment variable.
  public init(
    option: String? = nil, userID: UInt32 = Environment.userID,
    system: String = RuntimeDirectory.ofSystem,
    environment: @escaping @Sendable (String) -> String? = { Environment.value($0) }
  ) {
    self.option = option
    self.userID = userID
    self.system = system
    self.environment = environment
  }

  /// The daemon's socket, for the next attempt to connect.
  public var socketPath: String { RuntimeDirectory.socketPath(in: path) }

  /// The directory in which the client searches for its daemon now.
  public var path: String {
    let found = RuntimeDirectory.ofClient(
      option: option, userID: userID, environment: environment, hasDaemon: isOwn)
    return found == RuntimeDirectory.ofSystem ? system : found
  }

  private func isOwn(_ directory: String, _ userID: UInt32) -> Bool {
    hasOwn.withLock { hasOwn in
      guard RuntimeDirectory.hasSocket(directory, userID: userID) else {
        hasOwn = false
        return false
      }
      if !hasOwn {
        hasOwn = RuntimeDirectory.hasListener(at: RuntimeDirectory.socketPath(in: directory))
      }
      return hasOwn
        || RuntimeDirectory.hasDaemon(directory, userID: userID, system: system)
    }
  }
}

import Glibc

/// The directories of the daemon: the runtime directory for sockets, and the directory for stored state.
public enum RuntimeDirectory {
  /// Looks up an environment variable; unset and empty are both nil.
  public typealias Lookup = (String) -> String?

  /// The socket's name in the runtime directory.
  public static let socketName = "binnacle.sock"
  /// The name of the launcher's socket in the runtime directory.
  public static let launcherSocketName = "launch.sock"
  /// The directory of a daemon that serves the whole board.
  public static let ofSystem = "/run/binnacle"

  /// The directory that the daemon of this user listens in.
  public static func ofDaemon(
    option: String?, userID: UInt32, environment: Lookup = Environment.value
  ) -> String {
    if let option { return option }
    return userID == 0 ? ofSystem : personal(userID: userID, environment: environment)
  }

  /// The directory that the daemon of this user keeps its state in.
  public static func stateOfDaemon(
    option: String?, userID: UInt32, environment: Lookup = Environment.value
  ) -> String {
    if let option { return option }
    if userID == 0 { return "/var/lib/binnacle" }
    if let state = absolute(environment("XDG_STATE_HOME")) { return state + "/binnacle" }
    return (absolute(environment("HOME")) ?? "/tmp") + "/.local/state/binnacle"
  }

  /// The directory in which a client of this user finds its daemon.
  ///
  /// - Parameters:
  ///   - option: the value of `--runtime`.
  ///   - userID: the user of the calling process.
  ///   - environment: `BINNACLE_RUNTIME` counts as much as the option, which comes first.
  ///   - hasDaemon: whether a directory of this user holds a socket.
  /// - Returns: the path of the directory, which may not exist.
  public static func ofClient(
    option: String? = nil, userID: UInt32 = Environment.userID,
    environment: Lookup = Environment.value,
    hasDaemon: (String, UInt32) -> Bool = RuntimeDirectory.hasSocket
  ) -> String {
    if let named = option ?? environment("BINNACLE_RUNTIME") { return named }
    let own = personal(userID: userID, environment: environment)
    return hasDaemon(own, userID) ? own : ofSystem
  }

  /// The socket in a runtime directory.
  public static func socketPath(in directory: String) -> String {
    directory + "/" + socketName
  }

  /// Whether a directory of this user holds a socket; a directory of another user does not count.
  public static func hasSocket(_ directory: String, userID: UInt32) -> Bool {
    guard let folder = try? Files.status(of: directory, followingLinks: false),
      let socket = try? Files.status(of: socketPath(in: directory), followingLinks: false)
    else { return false }
    return folder.kind == .directory && folder.userID == userID && socket.kind == .socket
  }

  private static func personal(userID: UInt32, environment: Lookup) -> String {
    if let runtime = absolute(environment("XDG_RUNTIME_DIR")) { return runtime + "/binnacle" }
    return "/tmp/binnacle-\(userID)"
  }

  /// The XDG Base Directory Specification says that relative paths must be ignored.
  private static func absolute(_ path: String?) -> String? {
    guard let path, path.hasPrefix("/") else { return nil }
    return path
  }
}

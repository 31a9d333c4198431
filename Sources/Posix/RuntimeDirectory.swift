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
  ///   - hasDaemon: whether a directory of this user has a daemon.
  /// - Returns: the path of the directory, which may not exist.
  public static func ofClient(
    option: String? = nil, userID: UInt32 = Environment.userID,
    environment: Lookup = Environment.value,
    hasDaemon: (String, UInt32) -> Bool = { RuntimeDirectory.hasDaemon($0, userID: $1) }
  ) -> String {
    if let named = option ?? environment("BINNACLE_RUNTIME") { return named }
    let own = personal(userID: userID, environment: environment)
    return hasDaemon(own, userID) ? own : ofSystem
  }

  /// The socket in a runtime directory.
  public static func socketPath(in directory: String) -> String {
    directory + "/" + socketName
  }

  /// Whether a client searches for its daemon in a directory of its user: a process listens there.
  ///
  /// The socket of a killed daemon stays. While the system has no socket, such a socket counts, too: its daemon may start
  /// again, and the message about its absence names the directory.
  ///
  /// - Parameters:
  ///   - directory: the directory.
  ///   - userID: the user, who owns the directory.
  ///   - system: the directory of the daemon that serves the whole board.
  /// - Returns: whether the directory comes before that of the system.
  public static func hasDaemon(
    _ directory: String, userID: UInt32, system: String = RuntimeDirectory.ofSystem
  ) -> Bool {
    guard hasSocket(directory, userID: userID) else { return false }
    guard (try? Files.status(of: socketPath(in: system)))?.kind == .socket else { return true }
    return hasListener(at: socketPath(in: directory))
  }

  /// Whether a process listens at a socket.
  ///
  /// The connection is closed without a message, so the daemon's log has no line about it.
  static func hasListener(at path: String) -> Bool {
    do throws(SystemError) {
      _ = try LocalSocket(connectingTo: path)
      return true
    } catch {
      return error.errno != .connectionRefused && error.errno != .noSuchFile
    }
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

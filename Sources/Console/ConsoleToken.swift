public import BinnacleModel
import BinnaclePosix
import BinnacleWire

/// How a console hands its rights to the commands that it runs.
///
/// A variable of the environment names the role; the token of an unlocked console is in a file without a name that the
/// command inherits, so that neither the arguments nor the environment of a process contain it.
public enum ConsoleToken {
  /// The variable: `viewer`, or the number of the descriptor with the token.
  static let variable = "BINNACLE_CONSOLE"
  /// The value of the variable for a command of a locked console.
  static let viewer = "viewer"
  /// The descriptor that `TerminalChild` gives to a command.
  static let descriptor: Int32 = 3

  /// The role of this process, if a console has started it; nil: no console has.
  public static let inheritedRole: ClientRole? = {
    guard let value = Environment.value(variable) else { return nil }
    // After any fault the command has fewer rights.
    guard value == "\(descriptor)" else { return .console(token: nil) }
    let file = FileDescriptor(owning: descriptor)
    guard let status = try? file.status(), status.kind == .file,
      status.size == Int64(WireLimits.tokenSize)
    else {
      // It is not the console's file, and stays open for its owner.
      _ = file.release()
      return .console(token: nil)
    }
    var bytes = [UInt8](repeating: 0, count: WireLimits.tokenSize)
    guard let count = try? file.read(into: &bytes), count == bytes.count else {
      return .console(token: nil)
    }
    return .console(token: Secret(bytes))
  }()

  /// The variables for a command of a console with these rights.
  static func environment(of rights: DaemonWatch.Rights) -> [String: String] {
    switch rights {
    case .viewer(nil): [variable: viewer]
    case .viewer(_?): [variable: "\(descriptor)"]
    case .user: [:]
    }
  }
}

public import BinnacleModel

/// The options of the inspection, and the daemon's answer.
public struct Inquiry: Sendable {
  /// `--board`; nil: the option of the running daemon applies.
  public var board: String?
  /// `--receiver`; nil: the option of the running daemon applies.
  public var receiver: String?
  /// `--config`; nil: the option of the running daemon applies.
  public var configurationDirectory: String?
  /// The directory in which a client searches for the daemon's socket.
  public var runtimeDirectory: String
  /// The default state directory of this user's daemon.
  public var stateDirectory: String
  /// The path of the running program.
  public var executable: String?
  public var daemon: DaemonAnswer

  /// The result of the request for the daemon's report.
  public enum DaemonAnswer: Equatable, Sendable {
    case report(Report)
    /// The daemon runs and refuses this user.
    case refusal(String)
    /// The daemon runs, and programs connect faster than it accepts.
    case crowded(String)
    /// No daemon answers, for this reason.
    case absence(String)
  }

  public init(runtimeDirectory: String, stateDirectory: String, daemon: DaemonAnswer) {
    self.runtimeDirectory = runtimeDirectory
    self.stateDirectory = stateDirectory
    self.daemon = daemon
  }
}

public import BinnacleModel

/// The person's question about a machine, and the daemon's answer.
public struct Inquiry: Sendable {
  /// `--board`; nil: the running daemon's option counts.
  public var board: String?
  /// `--receiver`; the same.
  public var receiver: String?
  /// `--config`; the same.
  public var configurationDirectory: String?
  /// The directory in which a client searches for the daemon's socket.
  public var runtimeDirectory: String
  /// The default directory for the state of this user's daemon.
  public var stateDirectory: String
  /// The path of the running program.
  public var executable: String?
  public var daemon: DaemonAnswer

  /// The result of the request for the daemon's report.
  public enum DaemonAnswer: Equatable, Sendable {
    case report(Report)
    /// The daemon runs and refuses this user.
    case refusal(String)
    /// No daemon answers; why.
    case absence(String)
  }

  public init(runtimeDirectory: String, stateDirectory: String, daemon: DaemonAnswer) {
    self.runtimeDirectory = runtimeDirectory
    self.stateDirectory = stateDirectory
    self.daemon = daemon
  }
}

public import BinnacleModel

/// What a person asks about a machine, and what could be learned by asking its daemon.
public struct Inquiry: Sendable {
  /// `--board`; nil: what the daemon was told counts.
  public var board: String?
  /// `--receiver`; the same.
  public var receiver: String?
  /// `--config`; the same.
  public var configurationDirectory: String?
  /// Where a client looks for the daemon's socket.
  public var runtimeDirectory: String
  /// Where a daemon of this user that is told nothing keeps its state.
  public var stateDirectory: String
  /// The path of the running program.
  public var executable: String?
  public var daemon: DaemonAnswer

  /// What came of asking the daemon for its report.
  public enum DaemonAnswer: Equatable, Sendable {
    case report(Report)
    /// It is there and does not tell this user.
    case refusal(String)
    /// Nobody answers; why.
    case absence(String)
  }

  public init(runtimeDirectory: String, stateDirectory: String, daemon: DaemonAnswer) {
    self.runtimeDirectory = runtimeDirectory
    self.stateDirectory = stateDirectory
    self.daemon = daemon
  }
}

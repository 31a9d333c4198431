public import BinnacleBasics

/// `[Clients]` of the board's profile: the programs that are served.
public struct ClientSettings: Equatable, Codable, Sendable {
  /// `ClientsMax`: how many clients may be connected.
  public var clientsMax = 64
  /// `ClientsPerUserMax`: how many connected clients may be of one user.
  public var clientsPerUserMax = 16
  /// `SequencesMax`: sequences of updates that one client may have open.
  public var sequencesMax = 32
  /// `RejoinWindow`: how long an app may resume its updates after the app or its daemon has ended.
  public var rejoinWindow = Interval.seconds(10)

  public init() {}
}

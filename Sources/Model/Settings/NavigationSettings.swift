public import BinnacleBasics

/// `[Receiver]` of the board's profile: how often the receiver reports positions.
public struct NavigationSettings: Equatable, Codable, Sendable {
  /// `Rate`: the least navigation rate in Hz for any demand of the clients; 0 follows the demand.
  public var rateHz = 0
  /// `RateMax`: the fastest navigation rate that may be asked of the receiver, in Hz.
  public var rateMaxHz = 10
  /// `UnavailableAfter`: without a fix for this time, clients get `locationUnavailable`.
  public var unavailableAfter = Interval.seconds(5)

  public init() {}
}

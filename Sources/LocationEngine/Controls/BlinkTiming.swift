public import BinnacleBasics

/// How fast the status light blinks; half of a period each.
public struct BlinkTiming: Equatable, Codable, Sendable {
  /// Lit and dark for this long each while the receiver is searching.
  public var slowHalf = Interval.seconds(1)
  /// Lit and dark for this long each while there is a fault.
  public var fastHalf = Interval.milliseconds(125)

  public init() {}
}

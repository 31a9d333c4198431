public import BinnacleBasics

/// The blink rates of the status light, as halves of a period.
public struct BlinkTiming: Equatable, Codable, Sendable {
  /// The time for which the light is lit, and then dark, while the receiver is searching.
  public var slowHalf = Interval.seconds(1)
  /// The time for which the light is lit, and then dark, while there is a fault.
  public var fastHalf = Interval.milliseconds(125)

  public init() {}
}

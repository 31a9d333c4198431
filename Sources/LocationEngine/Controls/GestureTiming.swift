public import BinnacleBasics

/// How long a press is; the names are those of the profile's `[Buttons]`.
public struct GestureTiming: Equatable, Codable, Sendable {
  /// `LongPress`: still held after this long is a long press, which acts then.
  public var longPress = Interval.seconds(2)
  /// `ShortMax`: let go before this is a short press.
  public var shortMax = Interval.milliseconds(800)
  /// `DoubleWindow`: a second press that begins within this long after a short one makes a double press.
  public var doubleWindow = Interval.milliseconds(400)

  public init() {}
}

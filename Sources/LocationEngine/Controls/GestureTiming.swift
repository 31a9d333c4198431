public import BinnacleBasics

/// The durations of presses, by the names of the profile's `[Buttons]`.
public struct GestureTiming: Equatable, Codable, Sendable {
  /// `LongPress`: a button held for this long is a long press, which acts then.
  public var longPress = Interval.seconds(2)
  /// `ShortMax`: a button released before this is a short press.
  public var shortMax = Interval.milliseconds(800)
  /// `DoubleWindow`: a second press that begins within this long after a short one makes a double press.
  public var doubleWindow = Interval.milliseconds(400)

  public init() {}
}

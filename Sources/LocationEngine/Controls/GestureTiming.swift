public import BinnacleBasics

/// The durations of presses, by the names of the profile's `[Buttons]`.
public struct GestureTiming: Equatable, Codable, Sendable {
  /// `LongPress`: a button that is held for this long makes a long press, which acts at that time.
  public var longPress = Interval.seconds(2)
  /// `ShortMax`: a button released before this is a short press.
  public var shortMax = Interval.milliseconds(800)
  /// `DoubleWindow`: a second press within this time after a short press makes a double press.
  public var doubleWindow = Interval.milliseconds(400)

  public init() {}
}

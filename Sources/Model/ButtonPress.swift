public import BinnacleBasics

/// A gesture on a button with the action `mark`, for the app in the foreground.
public struct ButtonPress: Equatable, Codable, Sendable {
  /// The button's name in the board's profile, such as `MARK`.
  public var button: String
  public var gesture: Gesture
  /// The board's time at the end of the gesture.
  public var time: UTCTime

  public init(button: String, gesture: Gesture, time: UTCTime) {
    self.button = button
    self.gesture = gesture
    self.time = time
  }
}

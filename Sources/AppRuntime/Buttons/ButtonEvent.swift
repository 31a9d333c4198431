public import Foundation

/// A press of a button of the board, with the action `mark` in the board's profile.
public struct ButtonEvent: Hashable, Sendable {
  /// How a button was pressed.
  public enum Gesture: String, Hashable, Sendable {
    /// Pressed and released.
    case short
    /// Held for `LongPress` of the board's profile, 2 s.
    case long
    /// Two short presses in a row.
    case double
  }

  /// The name of the button in the board's profile, such as `MARK`.
  public let button: String
  /// How the button was pressed.
  public let gesture: Gesture
  /// The time of the press, by the board's clock.
  public let timestamp: Date

  init(button: String, gesture: Gesture, timestamp: Date) {
    self.button = button
    self.gesture = gesture
    self.timestamp = timestamp
  }
}

/// A GPIO line by its purpose.
public enum LineID: Hashable, Codable, Sendable {
  /// The light that is lit while an app in the background gets the position.
  case indicator
  /// An input that is wired to the indicator's lamp.
  case indicatorSense
  /// The light that shows the receiver's state.
  case statusLight
  /// The receiver's pin EXTINT, low to wake it.
  case receiverWake
  /// A button, counted from 0 in the order of the profile.
  case button(UInt8)

  /// The greatest number of buttons of a board.
  public static let buttonsMax = 32
}

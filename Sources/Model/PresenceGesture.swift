/// `Presence` of `[Console]`: the gesture by which a person shows to be at the board, and so unlocks a console without a PIN.
public struct PresenceGesture: Equatable, Codable, Sendable {
  /// The name of the button.
  public var button: String
  public var gesture: Gesture

  public init(button: String, gesture: Gesture) {
    self.button = button
    self.gesture = gesture
  }

  /// The value of a profile without the key, if the button has the gesture free.
  public static let usual = PresenceGesture(button: "HOME", gesture: .double)

  /// The instruction for a person, such as `press HOME twice`.
  public var instruction: String {
    switch gesture {
    case .short: "press \(button)"
    case .long: "press \(button) long"
    case .double: "press \(button) twice"
    }
  }
}

/// An action that a button's profile section gives to a gesture.
public enum ButtonAction: String, CaseIterable, Codable, Sendable {
  /// The gesture does nothing.
  case none
  /// Moves the foreground app to the background.
  case home
  /// Ends the foreground app.
  case quit
  /// Grants the authorization that an app requests.
  case allow
  /// Denies the authorization that an app requests.
  case deny
  /// Turns location services off for the whole board, or on again.
  case services
  /// Marks the present position in the track.
  case mark
}

/// The state of an app on the board.
public enum AppState: String, CaseIterable, Codable, Sendable {
  /// No process of the app is connected.
  case notRunning = "not_running"
  /// The app is in front of the person: it is in use.
  case foreground
  case background
  /// The app is in the background, and the launcher has frozen its processes.
  case suspended
}

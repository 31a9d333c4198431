/// The phase of an app's life, as the app itself is informed of it.
public enum AppPhase: UInt8, CaseIterable, Codable, Sendable {
  /// The app is in the foreground.
  case active = 1
  /// The app is in the background and runs.
  case background = 2
  /// The app is in the background and will be suspended in a moment.
  case suspending = 3
}

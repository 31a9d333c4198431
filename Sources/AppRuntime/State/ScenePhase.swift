/// The phase of the app, as `@Environment(\.scenePhase)` has it.
public enum ScenePhase: Comparable, Hashable, Sendable {
  /// The app is in the background.
  case background
  /// The app is between two phases: it is being launched, or enters or leaves the foreground.
  case inactive
  /// The app is in the foreground.
  case active
}

public import BinnacleBasics

/// `[Console]` of the board's profile: the rights of a person at a console on a serial line.
public struct ConsoleSettings: Equatable, Codable, Sendable {
  /// `View`: when such a console shows the location service.
  public var view = View.yes
  /// `Privacy`: whether positions and satellites are hidden until the console is unlocked.
  public var hidesPositions = false
  /// `UnlockFor`: how long a console stays unlocked.
  public var unlockTime = Interval.seconds(300)
  /// `Presence`: the gesture that permits one `unlock` without a PIN; nil: no gesture does.
  public var presence: PresenceGesture?

  /// When a console shows the location service.
  public enum View: String, CaseIterable, Codable, Sendable {
    /// Always: a person at the cable sees it without `unlock`.
    case yes
    /// While the console is unlocked.
    case unlocked
  }

  public init() {}
}

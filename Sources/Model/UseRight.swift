/// The right by which an app or a tool receives locations at an instant.
///
/// The numbers are part of the records of background use.
public enum UseRight: UInt8, CaseIterable, Codable, Sendable {
  /// The app is in the foreground, or left it a short time ago.
  case foreground = 1
  /// The app holds a background activity session.
  case backgroundSession = 2
  /// The app has standard updates that continue in the background.
  case classic = 3
  /// The app is always authorized, and holds a service session for that.
  case alwaysSession = 4
  /// The app has a live activity.
  case liveActivity = 5
  /// A tool of an operator.
  case `operator` = 6

  /// The name in JSON, such as `background_session`.
  public var name: String {
    switch self {
    case .foreground: "foreground"
    case .backgroundSession: "background_session"
    case .classic: "classic"
    case .alwaysSession: "always_session"
    case .liveActivity: "live_activity"
    case .operator: "operator"
    }
  }
}

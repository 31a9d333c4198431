public import BinnacleBasics

/// `[Location]` of the board's profile, as far as it is about the rights of apps.
public struct ConsentSettings: Equatable, Codable, Sendable {
  /// `PromptTimeout`: how long the lamp blinks for an open request of an app.
  public var promptTimeout = Interval.seconds(60)
  /// `BackgroundGrace`: how long an app counts as in use after it has left the foreground.
  public var backgroundGrace = Interval.seconds(10)
  /// `Restricted`: the apps that the board's owner forbids locations.
  public var restricted = Restriction.none

  /// The apps that get no locations, whatever a person answers.
  public enum Restriction: Equatable, Codable, Sendable {
    case none
    case all
    /// The apps with these names.
    case apps([String])

    public func covers(_ app: AppID) -> Bool {
      switch self {
      case .none: false
      case .all: true
      case .apps(let names): names.contains("\(app)")
      }
    }
  }

  public init() {}
}

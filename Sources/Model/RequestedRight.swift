/// The right that an app requests with a prompt.
public enum RequestedRight: UInt8, CaseIterable, Codable, Sendable {
  /// Locations while the app is in use.
  case whenInUse = 1
  /// Locations also while the app is not in use.
  case always = 2
  /// Full accuracy while the app is in use.
  case fullAccuracy = 3

  /// The name in JSON.
  public var name: String {
    switch self {
    case .whenInUse: Authorization.whenInUse.name
    case .always: Authorization.always.name
    case .fullAccuracy: "full_accuracy"
    }
  }

  /// - Parameter name: a name in JSON.
  public init?(name: String) {
    guard let right = RequestedRight.allCases.first(where: { $0.name == name }) else { return nil }
    self = right
  }

  /// The words after `binnacle` that grant the request of an app.
  public func grant(to app: String) -> String { "allow \(app)" }

  /// The words after `binnacle` that refuse the request of an app.
  ///
  /// The app keeps the right that it had before.
  public func refusal(to app: String) -> String {
    switch self {
    case .whenInUse: "deny \(app)"
    case .always: "allow \(app) whenInUse"
    case .fullAccuracy: "allow \(app) reduced"
    }
  }
}

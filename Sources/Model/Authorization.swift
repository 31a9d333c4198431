/// The authorization of an app for location services.
///
/// The numbers are those of `CLAuthorizationStatus`.
public enum Authorization: UInt8, CaseIterable, Codable, Sendable {
  /// No person has answered yet.
  case notDetermined = 0
  /// The board's profile forbids locations for the app (`Restricted=`).
  case restricted = 1
  /// A person has denied the request.
  case denied = 2
  /// A person has allowed locations also while the app is not in use.
  case always = 3
  /// A person has allowed locations while the app is in use.
  case whenInUse = 4

  /// Whether a person has allowed locations.
  public var isGiven: Bool { self == .always || self == .whenInUse }

  /// The name in JSON, such as `when_in_use`.
  public var name: String {
    switch self {
    case .notDetermined: "not_determined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .always: "always"
    case .whenInUse: "when_in_use"
    }
  }
}

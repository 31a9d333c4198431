/// The authorization of an app, as `CLLocationManager` shows it.
public struct AuthorizationState: Equatable, Codable, Sendable {
  /// `denied` also while location services are off.
  public var authorization: Authorization
  /// Whether the app gets the approximate location.
  public var isReduced: Bool
  /// Whether location services are on.
  public var areServicesOn: Bool

  public init(_ authorization: Authorization, isReduced: Bool = false, areServicesOn: Bool = true) {
    self.authorization = authorization
    self.isReduced = isReduced
    self.areServicesOn = areServicesOn
  }
}

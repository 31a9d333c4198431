/// The authorization of an app, as `CLLocationManager` shows it.
public struct AuthorizationState: Equatable, Codable, Sendable {
  /// `denied` also while location services are off.
  public var authorization: Authorization
  /// Whether the app gets the approximate location.
  public var isReduced: Bool
  /// Whether location services are on.
  public var areServicesOn: Bool
  /// Whether the app may use locations in the background by its manifest; nil if the daemon does not know the app's
  /// manifest, or if the app needs none.
  public var hasBackgroundMode: Bool?

  public init(
    _ authorization: Authorization, isReduced: Bool = false, areServicesOn: Bool = true,
    hasBackgroundMode: Bool? = nil
  ) {
    self.authorization = authorization
    self.isReduced = isReduced
    self.areServicesOn = areServicesOn
    self.hasBackgroundMode = hasBackgroundMode
  }

  /// Whether an app sees no change of its authorization: a denied app sees none when location services are switched.
  public func isSameAuthorization(as other: AuthorizationState) -> Bool {
    authorization == other.authorization && isReduced == other.isReduced
  }
}

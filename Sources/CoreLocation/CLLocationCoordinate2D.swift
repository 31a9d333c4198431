/// A latitude and a longitude on WGS 84.
///
/// As on Apple's systems the type is neither `Equatable` nor `Hashable` nor `Codable`, because apps and packages
/// declare these conformances themselves.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich.
  public var longitude: CLLocationDegrees

  /// The point where the equator meets the meridian of Greenwich.
  public init() {
    latitude = 0
    longitude = 0
  }

  /// A coordinate, valid or not; see ``CLLocationCoordinate2DIsValid(_:)``.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Whether a coordinate lies on the Earth: at most 90 degrees of latitude and 180 of longitude.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  coord.latitude.magnitude <= 90 && coord.longitude.magnitude <= 180
}

/// A coordinate, valid or not; see ``CLLocationCoordinate2DIsValid(_:)``.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A point on the WGS 84 ellipsoid by its geographic coordinates.
public struct GeographicPoint: Equatable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: Double
  /// Degrees east of Greenwich; any number of turns.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

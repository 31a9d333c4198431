/// Shortest paths on the WGS 84 ellipsoid.
///
/// The method is that of Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013): series of the
/// sixth order, and Newton's method for the starting azimuth, guarded by bisection, so that it converges
/// for every pair of points, antipodal ones included. Distances are right to some 15 nanometers.
public enum Geodesic {
  /// A shortest path between two points.
  public struct Path: Equatable, Sendable {
    public var distanceMeters: Double
    /// Degrees from true north at the start, -180 to 180.
    public var startAzimuth: Double
    /// Degrees from true north at the end, in the direction of travel, -180 to 180.
    public var endAzimuth: Double

    public init(distanceMeters: Double, startAzimuth: Double, endAzimuth: Double) {
      self.distanceMeters = distanceMeters
      self.startAzimuth = startAzimuth
      self.endAzimuth = endAzimuth
    }
  }

  /// Where a path ends.
  public struct Arrival: Equatable, Sendable {
    public var point: GeographicPoint
    /// Degrees from true north, in the direction of travel, -180 to 180.
    public var azimuth: Double

    public init(point: GeographicPoint, azimuth: Double) {
      self.point = point
      self.azimuth = azimuth
    }
  }

  /// The shortest path from one point to another.
  ///
  /// All its numbers are NaN when a coordinate is not finite or a latitude is beyond a pole. Between
  /// coincident points the distance is 0 and both azimuths are those of a path due north or south.
  public static func inverse(from start: GeographicPoint, to end: GeographicPoint) -> Path {
    guard isOnEarth(start), isOnEarth(end) else {
      return Path(distanceMeters: .nan, startAzimuth: .nan, endAzimuth: .nan)
    }
    return InverseProblem.path(from: start, to: end)
  }

  /// The point that a geodesic reaches after a distance; its longitude is -180 to 180.
  ///
  /// - Parameters:
  ///   - start: where the geodesic starts.
  ///   - azimuth: its direction there, in degrees from true north.
  ///   - distanceMeters: its length; negative goes the other way.
  /// - Returns: the point and the azimuth there, all NaN when an argument is not finite.
  public static func direct(
    from start: GeographicPoint, azimuth: Double, distanceMeters: Double
  ) -> Arrival {
    guard isOnEarth(start), azimuth.isFinite, distanceMeters.isFinite else {
      return Arrival(point: GeographicPoint(latitude: .nan, longitude: .nan), azimuth: .nan)
    }
    return DirectProblem.arrival(from: start, azimuth: azimuth, distanceMeters: distanceMeters)
  }

  private static func isOnEarth(_ point: GeographicPoint) -> Bool {
    point.latitude.magnitude <= 90 && point.longitude.isFinite
  }
}

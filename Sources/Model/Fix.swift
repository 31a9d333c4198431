public import BinnacleBasics

/// A position that passed the delivery checks, in the units and with the markers of `CLLocation`.
public struct Fix: Equatable, Codable, Sendable {
  /// Degrees on WGS 84, north positive, -90 to 90.
  public var latitude: Double
  /// Degrees on WGS 84, east positive, -180 to 180.
  public var longitude: Double
  /// Meters above mean sea level; valid only if `verticalAccuracy` is positive.
  public var altitude: Double
  /// Meters above the WGS 84 ellipsoid; valid only if `verticalAccuracy` is positive.
  public var ellipsoidalAltitude: Double
  /// Radius in meters that holds the true position with 68 % probability; negative: no position.
  public var horizontalAccuracy: Double
  /// One standard deviation in meters; negative: not measured.
  public var verticalAccuracy: Double
  /// Meters per second over ground; negative: unknown.
  public var speed: Double
  /// One standard deviation in meters per second; negative: unknown.
  public var speedAccuracy: Double
  /// Degrees from true north, 0 up to 360; negative: unknown.
  public var course: Double
  /// One standard deviation in degrees; negative: unknown.
  public var courseAccuracy: Double
  /// The time of the measurement.
  public var time: UTCTime
  /// Whether the receiver is a program behind a pseudo-terminal.
  public var isSimulatedBySoftware: Bool
  /// Satellites that the receiver used; nil when unknown, and in programs that link the client library.
  public var satelliteCount: Int?

  public init(
    latitude: Double, longitude: Double, altitude: Double = 0, ellipsoidalAltitude: Double = 0,
    horizontalAccuracy: Double, verticalAccuracy: Double = -1, speed: Double = -1,
    speedAccuracy: Double = -1, course: Double = -1, courseAccuracy: Double = -1, time: UTCTime,
    isSimulatedBySoftware: Bool = false, satelliteCount: Int? = nil
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.ellipsoidalAltitude = ellipsoidalAltitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.time = time
    self.isSimulatedBySoftware = isSimulatedBySoftware
    self.satelliteCount = satelliteCount
  }
}

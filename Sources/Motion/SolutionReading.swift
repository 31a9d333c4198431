/// The data of one GNSS solution, with its accuracies.
public struct SolutionReading: Equatable, Codable, Sendable {
  /// Meters per second over ground; nil: unknown.
  public var speed: Double?
  /// One standard deviation of the speed; nil: not reported.
  public var speedAccuracy: Double?
  /// The position with its accuracy; nil: unknown.
  public var place: Place?

  /// A position on WGS 84.
  public struct Place: Equatable, Codable, Sendable {
    /// Degrees.
    public var latitude: Double
    /// Degrees.
    public var longitude: Double
    /// Radius in meters that holds the true position with 68 % probability.
    public var accuracyMeters: Double

    public init(latitude: Double, longitude: Double, accuracyMeters: Double) {
      self.latitude = latitude
      self.longitude = longitude
      self.accuracyMeters = accuracyMeters
    }
  }

  public init(speed: Double?, speedAccuracy: Double? = nil, place: Place? = nil) {
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.place = place
  }

  /// The solution without NaN and impossible values; nil if nothing is left.
  var sound: SolutionReading? {
    var sound = self
    if let accuracy = speedAccuracy, !(accuracy >= 0 && accuracy <= SolutionReading.speedMax) {
      sound.speed = nil
      sound.speedAccuracy = nil
    }
    if let speed, !(speed >= 0 && speed <= SolutionReading.speedMax) { sound.speed = nil }
    if let place,
      !(place.latitude.magnitude <= 90 && place.longitude.magnitude <= 360
        && place.accuracyMeters >= 0 && place.accuracyMeters < .infinity)
    {
      sound.place = nil
    }
    return sound.speed == nil && sound.place == nil ? nil : sound
  }

  /// Receivers report no higher speed (u-blox M10 data sheets: 500 m/s).
  private static let speedMax = 600.0
}

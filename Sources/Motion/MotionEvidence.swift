/// The values behind a verdict.
public struct MotionEvidence: Equatable, Codable, Sendable {
  /// The sources of the verdict.
  public var sources: Sources
  public var accelerometer: AccelerometerReading
  /// Speed in meters per second; nil without a usable speed.
  public var speed: Double?
  /// One standard deviation of the speed from the receiver; nil if the receiver sends none.
  public var speedAccuracy: Double?
  /// Distance in meters from the position at the start of the rest, or of the wait for rest.
  public var displacementMeters: Double
  /// A larger distance counts as another place; 0 without a position.
  public var displacementLimitMeters = 0.0
  /// The accumulated rest in seconds.
  public var creditSeconds: Double
  /// The required rest in seconds.
  public var dwellSeconds: Double

  /// The available sources: accelerometer and receiver.
  public enum Sources: String, Equatable, CaseIterable, Codable, Sendable {
    case both
    case accelerometer
    case receiver
    case none
  }
}

/// The numbers behind a verdict.
public struct MotionEvidence: Equatable, Codable, Sendable {
  /// The measurements behind a verdict.
  public var sources: Sources
  public var accelerometer: AccelerometerReading
  /// Meters per second; nil when there was none that counts.
  public var speed: Double?
  /// One standard deviation, as the receiver reports it; nil when the receiver does not.
  public var speedAccuracy: Double?
  /// Meters from where the rest, or the wait for it, began.
  public var displacementMeters: Double
  /// More than this counts as another place; 0 while there is no place.
  public var displacementLimitMeters = 0.0
  /// Seconds of the dwell that are filled.
  public var creditSeconds: Double
  /// The whole of it.
  public var dwellSeconds: Double

  /// Which of the two witnesses were there.
  public enum Sources: String, Equatable, CaseIterable, Codable, Sendable {
    case both
    case accelerometer
    case receiver
    case none
  }
}

/// The accelerometer's result for a hop, or the reason why there is none.
public enum AccelerometerReading: Equatable, Codable, Sendable {
  case measured(Sway)
  case unusable(AccelerometerTrouble)
  /// No samples are delivered: the chip, or its reader, checks for movement and has reported none.
  case watching

  /// The values behind a hop's verdict, all in thousandths of g and over all axes.
  public struct Sway: Equatable, Codable, Sendable {
    /// The spread of two seconds after the low-pass filter.
    public var milliG: Double
    /// The same spread without a single kick.
    public var steadyMilliG: Double
    /// The threshold, which depends on the learned noise floor.
    public var thresholdMilliG: Double
    /// The noise floor, which is the spread at rest; 0 until it is known.
    public var floorMilliG: Double
    public var samplesPerSecond: Double
    /// The sway of the stationary board that was learned as a false alarm; 0 without one, and while the board moves.
    public var toleratedMilliG = 0.0

    /// The limit of rest: higher values are motion.
    public var limitMilliG: Double { max(thresholdMilliG, toleratedMilliG) }
    /// Whether the value without a single kick is above the limit.
    public var isActive: Bool { steadyMilliG > limitMilliG }
    /// Whether the value is far above the limit: the board is lifted or handled, even if a receiver denies motion.
    public var isFar: Bool { steadyMilliG > Sway.farFactor * limitMilliG }
    /// Whether the receiver's speed should be checked, whatever sway is tolerated.
    public var isSuspicious: Bool { milliG > Sway.suspicionFactor * thresholdMilliG }

    private static let farFactor = 2.5
    private static let suspicionFactor = 0.75
  }
}

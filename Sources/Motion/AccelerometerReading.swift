/// The accelerometer's result for a hop, or the reason why there is none.
public enum AccelerometerReading: Equatable, Codable, Sendable {
  case measured(Sway)
  case unusable(AccelerometerTrouble)
  /// No samples are told: the chip or who reads it looks for movement, and has told of none.
  case watching

  /// The numbers behind a hop's verdict, all in thousandths of g and all axes together.
  public struct Sway: Equatable, Codable, Sendable {
    /// The spread of two seconds behind the low-pass.
    public var milliG: Double
    /// The same without a single kick.
    public var steadyMilliG: Double
    /// What it is measured against: from the floor that was learned.
    public var thresholdMilliG: Double
    /// How much there is at rest; 0 until it is known.
    public var floorMilliG: Double
    public var samplesPerSecond: Double
    /// What the board is known to sway by without going anywhere; 0 while nothing is learned, and while it moves.
    public var toleratedMilliG = 0.0

    /// The limit above which a value is more than rest.
    public var limitMilliG: Double { max(thresholdMilliG, toleratedMilliG) }
    /// As it would be after a single kick was left out, still more than rest.
    public var isActive: Bool { steadyMilliG > limitMilliG }
    /// So far above rest that even a receiver that denies motion is not believed: a board that is lifted or handled.
    public var isFar: Bool { steadyMilliG > Sway.farFactor * limitMilliG }
    /// Enough to have a look at what the receiver says, whatever is tolerated.
    public var isSuspicious: Bool { milliG > Sway.suspicionFactor * thresholdMilliG }

    private static let farFactor = 2.5
    private static let suspicionFactor = 0.75
  }
}

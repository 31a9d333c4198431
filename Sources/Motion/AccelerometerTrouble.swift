/// The reason why an accelerometer is unusable.
public enum AccelerometerTrouble: String, Equatable, CaseIterable, Codable, Sendable {
  /// There was never a sample.
  case absent
  /// The first second after a start or a gap.
  case starting
  /// No sample for 0.75 s.
  case silent
  /// Equal samples on all axes for 0.75 s: noise would change the last digit.
  case frozen
  /// Most samples of 0.75 s are NaN or absurd.
  case damaged
  /// Most samples of 0.75 s are at the end of the chip's range.
  case saturated
}

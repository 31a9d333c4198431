/// Why an accelerometer cannot be gone by.
public enum AccelerometerTrouble: String, Equatable, CaseIterable, Codable, Sendable {
  /// There has never been a sample.
  case absent
  /// The first second after a start or a silence.
  case starting
  /// No sample for 0.75 s.
  case silent
  /// The same number on all axes for 0.75 s: noise would move the last digit.
  case frozen
  /// Most samples of 0.75 s are no numbers or absurd.
  case damaged
  /// Most samples of 0.75 s are at the end of the chip's range.
  case saturated
}

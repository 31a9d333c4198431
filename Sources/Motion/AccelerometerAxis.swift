/// An axis of the accelerometer.
public enum AccelerometerAxis: String, Equatable, CaseIterable, Codable, Sendable {
  case x
  case y
  case z
}

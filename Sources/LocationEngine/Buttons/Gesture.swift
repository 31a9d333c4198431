/// What a person says with a button.
public enum Gesture: UInt8, CaseIterable, Codable, Sendable {
  case short = 0
  case long = 1
  case double = 2
}

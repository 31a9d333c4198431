/// What a connection to a virtual board is for; its first message says so.
public enum VirtualFace: UInt8, CaseIterable, Sendable {
  /// One GPIO line: a claim, its level, its edges.
  case lines = 1
  /// One I2C bus: transfers and their answers.
  case i2c = 2
  /// The person at the board: presses buttons, pulls plugs, looks at lamps.
  case control = 3
}

/// The purpose of a connection to a virtual board; its first message names it.
public enum VirtualFace: UInt8, CaseIterable, Sendable {
  /// One GPIO line: a claim, its level, its edges.
  case lines = 1
  /// One I2C bus: transfers and their answers.
  case i2c = 2
  /// The person at the board: presses buttons, pulls plugs, watches lamps.
  case control = 3
}

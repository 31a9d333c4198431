public import BinnacleBasics

/// A line of a recording of motion.
public struct MotionRow: Equatable, Sendable {
  /// The number of the line, counted from 1.
  public var line: Int
  /// The time since the recording's own zero.
  public var instant: Instant
  /// The acceleration in g along three axes, possibly not numbers; nil: the line has none.
  public var acceleration: (x: Double, y: Double, z: Double)?
  /// The speed by GNSS in meters per second; nil: the line has none.
  public var speed: Double?
  /// 0 at rest, 1 moving, -1 unknown; 0 unless labels are read.
  public var label = 0

  public static func == (left: MotionRow, right: MotionRow) -> Bool {
    left.line == right.line && left.instant == right.instant && left.speed == right.speed
      && left.label == right.label && left.acceleration?.x == right.acceleration?.x
      && left.acceleration?.y == right.acceleration?.y
      && left.acceleration?.z == right.acceleration?.z
  }
}

/// Acceleration along three axes in whole millionths of g.
///
/// Whole numbers, so that running sums stay exact however long they run, and are equal on every machine.
struct FineAcceleration: Equatable, Codable, Sendable {
  var x: Int64
  var y: Int64
  var z: Int64

  static let zero = FineAcceleration(x: Int64(0), y: Int64(0), z: Int64(0))

  /// More than any of the chips in question measures (16 g) on one axis is no acceleration.
  static let gMax = 17.0

  init(x: Int64, y: Int64, z: Int64) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// From numbers in g; nil when one of them is no number or absurd.
  init?(x: Double, y: Double, z: Double) {
    // A NaN fails the comparison.
    guard
      x.magnitude <= FineAcceleration.gMax, y.magnitude <= FineAcceleration.gMax,
      z.magnitude <= FineAcceleration.gMax
    else { return nil }
    self.init(x: Int64(x * 1e6), y: Int64(y * 1e6), z: Int64(z * 1e6))
  }

  /// The sum of the squares of the axes; fits for sums and differences of samples.
  var square: Int64 { x &* x &+ y &* y &+ z &* z }

  static func + (left: FineAcceleration, right: FineAcceleration) -> FineAcceleration {
    FineAcceleration(x: left.x &+ right.x, y: left.y &+ right.y, z: left.z &+ right.z)
  }

  static func - (left: FineAcceleration, right: FineAcceleration) -> FineAcceleration {
    FineAcceleration(x: left.x &- right.x, y: left.y &- right.y, z: left.z &- right.z)
  }

  static func / (left: FineAcceleration, right: Int64) -> FineAcceleration {
    FineAcceleration(x: left.x / right, y: left.y / right, z: left.z / right)
  }
}

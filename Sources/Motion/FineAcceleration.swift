/// Acceleration along three axes in whole millionths of g.
///
/// Integers keep running sums exact for any time, and equal on every machine.
struct FineAcceleration: Equatable, Codable, Sendable {
  var x: Int64
  var y: Int64
  var z: Int64

  static let zero = FineAcceleration(x: Int64(0), y: Int64(0), z: Int64(0))

  /// The largest plausible value of an axis: it is above the range of all supported chips (16 g).
  static let gMax = 17.0

  init(x: Int64, y: Int64, z: Int64) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Converts numbers in g; nil if a number is NaN or absurd.
  init?(x: Double, y: Double, z: Double) {
    // The comparison is false for a NaN.
    guard
      x.magnitude <= FineAcceleration.gMax, y.magnitude <= FineAcceleration.gMax,
      z.magnitude <= FineAcceleration.gMax
    else { return nil }
    self.init(x: Int64(x * 1e6), y: Int64(y * 1e6), z: Int64(z * 1e6))
  }

  /// The sum of the squares of the axes; it does not overflow for sums and differences of samples.
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

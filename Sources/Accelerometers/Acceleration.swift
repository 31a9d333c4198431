/// The specific force, in g along the chip's axes; its length at rest is 1.
public struct Acceleration: Equatable, Codable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  public static let zero = Acceleration(x: 0, y: 0, z: 0)

  /// Its length in g.
  public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}

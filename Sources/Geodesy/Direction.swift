import BinnacleBasics

/// An angle by its sine and cosine; spherical trigonometry in these terms loses no digits near the axes.
struct Direction {
  var sine: Double
  var cosine: Double

  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  init(degrees: Double) {
    sine = BinnacleBasics.sine(degrees: degrees)
    cosine = BinnacleBasics.cosine(degrees: degrees)
  }

  init(radians: Double) {
    sine = BinnacleBasics.sine(radians)
    cosine = BinnacleBasics.cosine(radians)
  }

  /// The direction of a vector that need not be of length 1.
  init(alongSine sine: Double, cosine: Double) {
    let length = (sine * sine + cosine * cosine).squareRoot()
    self.sine = sine / length
    self.cosine = cosine / length
  }

  /// The angle in radians, -π to π.
  var radians: Double { arcTangent2(sine, cosine) }

  /// The angle in degrees, -180 to 180.
  var degrees: Double { arcTangent2Degrees(sine, cosine) }

  /// The sum of two angles.
  func turned(by other: Direction) -> Direction {
    Direction(
      sine: sine * other.cosine + cosine * other.sine,
      cosine: cosine * other.cosine - sine * other.sine)
  }

  /// The angle in radians, -π to π, that turns the other direction into this one.
  func angle(from other: Direction) -> Double {
    arcTangent2(
      sine * other.cosine - cosine * other.sine, cosine * other.cosine + sine * other.sine)
  }
}

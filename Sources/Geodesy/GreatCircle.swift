/// The auxiliary sphere: the great circle that stands for a geodesic (section 2 of the paper).
enum GreatCircle {
  /// The azimuth α0 where the great circle crosses the equator northwards, from the one at a latitude.
  static func azimuthAtEquator(azimuth: Direction, latitude: Direction) -> Direction {
    Direction(
      sine: azimuth.sine * latitude.cosine,
      cosine: hypotenuse(azimuth.cosine, azimuth.sine * latitude.sine))
  }

  /// The arc σ from the crossing of the equator to a latitude.
  static func arc(azimuth: Direction, latitude: Direction) -> Direction {
    let cosine = azimuth.cosine * latitude.cosine
    // On the equator going due east or west the crossing is here.
    if latitude.sine == 0, cosine == 0 { return Direction(sine: 0, cosine: 1) }
    return Direction(alongSine: latitude.sine, cosine: cosine)
  }

  /// The spherical longitude ω of an arc σ, both from the crossing of the equator.
  static func longitude(arc: Direction, azimuthAtEquator alpha0: Direction) -> Direction {
    Direction(sine: alpha0.sine * arc.sine, cosine: arc.cosine)
  }
}

/// √(a² + b²) for numbers whose squares neither overflow nor matter when they underflow.
func hypotenuse(_ a: Double, _ b: Double) -> Double {
  (a * a + b * b).squareRoot()
}

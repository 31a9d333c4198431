import BinnacleBasics

/// The ellipsoid of WGS 84 (NGA.STND.0036, table 3.1) and what follows from its two numbers.
enum Ellipsoid {
  static let equatorialRadiusMeters = 6_378_137.0
  static let flattening = 1 / 298.257223563

  static let polarRadiusMeters = equatorialRadiusMeters * (1 - flattening)
  /// n = (a - b) / (a + b).
  static let thirdFlattening = flattening / (2 - flattening)
  /// e² = (a² - b²) / a².
  static let eccentricitySquared = flattening * (2 - flattening)
  /// e'² = (a² - b²) / b².
  static let secondEccentricitySquared =
    eccentricitySquared / ((1 - flattening) * (1 - flattening))

  /// The reduced latitude β of a geographic latitude: tan β = (1 - f) tan φ.
  static func reducedLatitude(degrees: Double) -> Direction {
    let latitude = Direction(degrees: degrees)
    let reduced = Direction(
      alongSine: latitude.sine * (1 - flattening), cosine: latitude.cosine)
    // A pole is moved by far less than an atom, so that longitude keeps a meaning there.
    return Direction(sine: reduced.sine, cosine: max(reduced.cosine, 0x1p-511))
  }
}

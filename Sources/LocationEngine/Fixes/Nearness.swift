/// How far two places are apart, as well as a check for plausibility needs it.
///
/// Within one percent below 1,000 km, never wrong by more than a few percent beyond; no function of the C
/// library, so equal on every machine.
enum Nearness {
  private static let metersPerDegree = 111_195.0

  /// The square of the distance, since a root is a function of the C library.
  static func squareMeters(
    fromLatitude latitude: Double, longitude: Double,
    toLatitude otherLatitude: Double, longitude otherLongitude: Double
  ) -> Double {
    var eastward = abs(otherLongitude - longitude)
    if eastward > 180 { eastward = 360 - eastward }
    let northward = otherLatitude - latitude
    let shrinking = cosine(ofDegrees: (latitude + otherLatitude) / 2)
    let east = eastward * shrinking
    return (northward * northward + east * east) * metersPerDegree * metersPerDegree
  }

  /// The cosine of -90 to 90 degrees, to 1e-6.
  static func cosine(ofDegrees degrees: Double) -> Double {
    let angle = degrees * (Double.pi / 180)
    let square = angle * angle
    var sum = 1.0
    var term = 1.0
    for step in stride(from: 1.0, through: 11.0, by: 2.0) {
      term *= -square / (step * (step + 1))
      sum += term
    }
    return max(0, sum)
  }
}

import BinnacleBasics

/// The distance between two places, with the accuracy of a plausibility check.
///
/// The error is less than one percent below 1,000 km, and a few percent at most beyond. The code uses no function of
/// the C library, so the result is equal on every machine.
enum Nearness {
  private static let metersPerDegree = 111_195.0

  /// The square of the distance, since the root is a function of the C library.
  static func squareMeters(
    fromLatitude latitude: Double, longitude: Double,
    toLatitude otherLatitude: Double, longitude otherLongitude: Double
  ) -> Double {
    var eastward = abs(otherLongitude - longitude)
    if eastward > 180 { eastward = 360 - eastward }
    let northward = otherLatitude - latitude
    let shrinking = cosine(degrees: (latitude + otherLatitude) / 2)
    let east = eastward * shrinking
    return (northward * northward + east * east) * metersPerDegree * metersPerDegree
  }
}

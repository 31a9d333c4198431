import BinnacleBasics

/// The distance between two places, as exact as a plausibility check needs it.
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
    let shrinking = cosine(degrees: (latitude + otherLatitude) / 2)
    let east = eastward * shrinking
    return (northward * northward + east * east) * metersPerDegree * metersPerDegree
  }
}

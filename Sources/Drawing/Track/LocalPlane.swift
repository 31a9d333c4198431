import BinnacleBasics
import BinnacleGeodesy

/// The plane around a point of the earth in which a track is drawn.
///
/// A point lies at its true distance and in its true direction from the middle (azimuthal equidistant projection), by
/// geodesics of WGS 84. So the date line and the poles are points like any other. Distances beside the middle are
/// stretched by less than 1 in 10,000 within 150 km.
struct LocalPlane: Equatable, Sendable {
  let middle: GeographicPoint

  /// - Parameter points: the points, of which the direction in space is averaged; without points the middle is 0° N, 0° E.
  init(around points: [GeographicPoint]) {
    var (x, y, z) = (0.0, 0.0, 0.0)
    for point in points {
      let radius = cosine(degrees: point.latitude)
      x += radius * cosine(degrees: point.longitude)
      y += radius * sine(degrees: point.longitude)
      z += sine(degrees: point.latitude)
    }
    let aside = (x * x + y * y).squareRoot()
    let length = (aside * aside + z * z).squareRoot()
    // Points all around the earth have no middle.
    guard let first = points.first, length > 1e-6 * Double(points.count) else {
      middle = points.first ?? GeographicPoint(latitude: 0, longitude: 0)
      return
    }
    let isAtPole = aside < 1e-12 * length
    middle = GeographicPoint(
      latitude: arcTangent2Degrees(z, aside),
      longitude: isAtPole ? first.longitude : arcTangent2Degrees(y, x))
  }

  /// Meters east and north of the middle.
  func project(_ point: GeographicPoint) -> PlanePoint {
    let path = Geodesic.inverse(from: middle, to: point)
    guard path.distanceMeters.isFinite else { return PlanePoint(x: 0, y: 0) }
    return PlanePoint(
      x: path.distanceMeters * sine(degrees: path.startAzimuth),
      y: path.distanceMeters * cosine(degrees: path.startAzimuth))
  }

  /// The pole of the middle's hemisphere.
  var nearestPole: (name: String, place: PlanePoint) {
    let isNorth = middle.latitude >= 0
    let pole = GeographicPoint(latitude: isNorth ? 90 : -90, longitude: middle.longitude)
    return (isNorth ? "north pole" : "south pole", project(pole))
  }

  /// How far north turns away from the middle's north within a distance, in degrees.
  func turnOfNorth(withinMeters distance: Double) -> Double {
    let pole = nearestPole.place
    let toPole = (pole.x * pole.x + pole.y * pole.y).squareRoot()
    guard distance < toPole else { return 180 }
    return arcTangent2Degrees(distance, toPole)
  }
}

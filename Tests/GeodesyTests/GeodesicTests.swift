import BinnacleBasics
import Testing

@testable import BinnacleGeodesy

/// Distances and azimuths beside those of an independent implementation.
struct GeodesicTests {
  @Test func everyReferenceRowComesOutToTheMicrometer() {
    for row in GeodesicReference.rows {
      let path = Geodesic.inverse(from: row.start, to: row.end)
      #expect((path.distanceMeters - row.distanceMeters).magnitude < 1e-6, "\(row)")
      // At a point and at its antipode every azimuth is right, so the azimuth is judged by where it leads.
      let arrival = Geodesic.direct(
        from: row.start, azimuth: path.startAzimuth, distanceMeters: row.distanceMeters)
      let missed = Geodesic.inverse(from: arrival.point, to: row.end).distanceMeters
      #expect(missed < 1e-6, "\(row)")
    }
  }

  @Test func azimuthsAreThoseOfTheReference() {
    for row in GeodesicReference.rows where row.distanceMeters > 1_000 {
      let path = Geodesic.inverse(from: row.start, to: row.end)
      let turned = (path.startAzimuth - row.startAzimuth).remainder(dividingBy: 360)
      let ended = (path.endAzimuth - row.endAzimuth).remainder(dividingBy: 360)
      #expect(turned.magnitude < 2e-6 && ended.magnitude < 2e-6, "\(row) \(path)")
    }
  }

  @Test func thePublishedDistancesComeOutToTheMillimeter() {
    #expect(millimeters(0, 0, 0, 1) == 111_319_491)
    #expect(millimeters(0, 0, 1, 0) == 110_574_389)
    #expect(millimeters(40.7128, -74.0060, 51.5074, -0.1278) == 5_585_233_579)
    #expect(millimeters(37.7749, -122.4194, 34.0522, -118.2437) == 559_042_337)
    // The antipodal example of Vincenty's report of 1975 (a difference of longitude of 179.5 degrees).
    #expect(millimeters(0, 0, 0.5, 179.5) == 19_936_288_579)
    #expect(millimeters(0, 0, 0.5, 179.7) == 19_944_127_421)
  }

  @Test func theDistanceIsEqualInBothDirections() {
    var random = Random(seed: 1)
    for _ in 0..<5_000 {
      let (one, two) = (randomPoint(&random), randomPoint(&random))
      let forth = Geodesic.inverse(from: one, to: two)
      let back = Geodesic.inverse(from: two, to: one)
      #expect((forth.distanceMeters - back.distanceMeters).magnitude < 2e-8)
      let reversed = (forth.startAzimuth - back.endAzimuth + 180).remainder(dividingBy: 360)
      #expect(reversed.magnitude < 1e-6)
    }
  }

  @Test func nearlyAntipodalPointsAreReachedByTheirAzimuth() {
    var random = Random(seed: 2)
    for index in 0..<5_000 {
      let scale = Double(sign: .plus, exponent: -(index % 40), significand: 1)
      let start = randomPoint(&random)
      let end = GeographicPoint(
        latitude: min(90, max(-90, -start.latitude + random.normal() * scale)),
        longitude: start.longitude + 180 + random.normal() * scale)
      let path = Geodesic.inverse(from: start, to: end)
      #expect(path.distanceMeters < 20_003_931.459)
      let arrival = Geodesic.direct(
        from: start, azimuth: path.startAzimuth, distanceMeters: path.distanceMeters)
      #expect(Geodesic.inverse(from: arrival.point, to: end).distanceMeters < 1e-6)
    }
  }

  @Test func turnsOfLongitudeDoNotMatter() {
    let start = GeographicPoint(latitude: 10, longitude: 179)
    for turns in [-720.0, -360, 0, 360, 1_080] {
      let end = GeographicPoint(latitude: 11, longitude: -179 + turns)
      let path = Geodesic.inverse(from: start, to: end)
      #expect((path.distanceMeters - 245_287.512).magnitude < 0.001, "\(path)")
    }
  }

  @Test func theDistanceOfCoincidentPointsIsZero() {
    for latitude in [-90.0, -45, 0, 1e-9, 30, 90] {
      let point = GeographicPoint(latitude: latitude, longitude: 77)
      #expect(Geodesic.inverse(from: point, to: point).distanceMeters == 0)
    }
  }

  @Test func aPoleIsTheSamePlaceAtEveryLongitude() {
    let one = GeographicPoint(latitude: 90, longitude: 12)
    let two = GeographicPoint(latitude: 90, longitude: -100)
    #expect(Geodesic.inverse(from: one, to: two).distanceMeters < 1e-9)
    let south = GeographicPoint(latitude: -90, longitude: 3)
    #expect(
      (Geodesic.inverse(from: one, to: south).distanceMeters - 20_003_931.4586).magnitude < 1e-4)
  }

  @Test func invalidCoordinatesHaveNoDistance() {
    let good = GeographicPoint(latitude: 1, longitude: 2)
    for bad in [
      GeographicPoint(latitude: .nan, longitude: 0), GeographicPoint(latitude: 90.1, longitude: 0),
      GeographicPoint(latitude: 0, longitude: .infinity),
    ] {
      #expect(Geodesic.inverse(from: good, to: bad).distanceMeters.isNaN)
      #expect(Geodesic.direct(from: bad, azimuth: 0, distanceMeters: 1).azimuth.isNaN)
    }
    #expect(Geodesic.direct(from: good, azimuth: .nan, distanceMeters: 1).azimuth.isNaN)
  }

  private func millimeters(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Int {
    let path = Geodesic.inverse(
      from: GeographicPoint(latitude: a, longitude: b),
      to: GeographicPoint(latitude: c, longitude: d))
    return Int((path.distanceMeters * 1_000).rounded())
  }

  private func randomPoint(_ random: inout Random) -> GeographicPoint {
    GeographicPoint(
      latitude: random.unit() * 180 - 90, longitude: random.unit() * 360 - 180)
  }
}

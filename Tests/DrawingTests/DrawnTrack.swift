import BinnacleGeodesy
import Foundation
import Testing

@testable import Drawing

/// Tracks for tests, and what a drawing of them says.
enum DrawnTrack {
  /// 2026-11-21T10:15:00Z.
  static let start: Int64 = 1_795_256_100_000

  static func sample(
    _ milliseconds: Int64?, _ point: GeographicPoint, accuracy: Int64? = 300, speed: Int64? = 500
  ) -> TrackSample {
    var sample = TrackSample(
      timeMilliseconds: milliseconds.map { start + $0 },
      latitudeE7: Int64((point.latitude * 1e7).rounded()),
      longitudeE7: Int64((point.longitude * 1e7).rounded()))
    sample.accuracyCentimeters = accuracy
    sample.speedCentimetersPerSecond = speed
    return sample
  }

  /// A point a second on a square of 1000 m around a place.
  static func square(around middle: GeographicPoint) -> TrackCollection {
    var track = TrackCollection()
    for (second, offset) in squareOffsets.enumerated() {
      let distance = (offset.x * offset.x + offset.y * offset.y).squareRoot()
      let azimuth = atan2(offset.x, offset.y) * 180 / .pi
      let point = Geodesic.direct(from: middle, azimuth: azimuth, distanceMeters: distance).point
      track.add(sample(Int64(second) * 1_000, point))
    }
    return track
  }

  private static let squareOffsets: [PlanePoint] = (0..<400).map { number in
    let (side, along) = (number / 100, Double(number % 100) * 10 - 500)
    return switch side {
    case 0: PlanePoint(x: along, y: -500)
    case 1: PlanePoint(x: 500, y: along)
    case 2: PlanePoint(x: -along, y: 500)
    default: PlanePoint(x: -500, y: -along)
    }
  }

  /// A number that the drawing has for programs.
  static func fact(_ name: String, _ figure: Figure) -> Double? {
    figure.facts.first { $0.name == name }.flatMap { Double($0.value) }
  }
}

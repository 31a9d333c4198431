/// A point of a plane: meters east and north of the middle of a track, or the units of a drawing.
struct PlanePoint: Equatable, Sendable {
  var x: Double
  var y: Double

  func squaredDistance(to other: PlanePoint) -> Double {
    (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
  }

  func distance(to other: PlanePoint) -> Double { squaredDistance(to: other).squareRoot() }
}

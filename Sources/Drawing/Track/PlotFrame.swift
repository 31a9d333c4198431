/// The rectangle of a drawing that shows a part of the plane, at one scale in both directions.
struct PlotFrame: Equatable, Sendable {
  /// The width and the height in units of the drawing.
  let size: PlanePoint
  /// Units of the drawing for a meter.
  let unitsPerMeter: Double
  /// The point of the plane in the middle.
  private let center: PlanePoint

  /// - Parameters:
  ///   - places: the points that must be inside.
  ///   - margin: the least extent around the points, in meters.
  ///   - width: the width in units; the height follows from the points, within limits.
  init(_ places: [PlanePoint], margin: Double, width: Double) {
    let (xs, ys) = (places.map(\.x), places.map(\.y))
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (low, high) = (ys.min() ?? 0, ys.max() ?? 0)
    let extent = PlanePoint(
      x: (right - left) * 1.12 + 2 * margin, y: (high - low) * 1.12 + 2 * margin)
    center = PlanePoint(x: (left + right) / 2, y: (low + high) / 2)
    let height = min(
      max(width * extent.y / extent.x, width * 0.5), width * (width > 600 ? 0.85 : 1.1))
    size = PlanePoint(x: width, y: height.rounded())
    unitsPerMeter = min(size.x / extent.x, size.y / extent.y)
  }

  /// The place in the frame, from its left upper corner.
  func place(_ point: PlanePoint) -> PlanePoint {
    PlanePoint(
      x: size.x / 2 + (point.x - center.x) * unitsPerMeter,
      y: size.y / 2 - (point.y - center.y) * unitsPerMeter)
  }

  func contains(_ place: PlanePoint) -> Bool {
    (0...size.x).contains(place.x) && (0...size.y).contains(place.y)
  }

  /// The distance from the middle to a corner, in meters.
  var halfDiagonalMeters: Double {
    (size.x * size.x + size.y * size.y).squareRoot() / 2 / unitsPerMeter
  }

  /// The step of the grid, a round number of meters.
  var gridStep: Double { RoundStep.least(min(size.x, 600) / 6 / unitsPerMeter) }

  /// The places of the grid's lines across and down, in units.
  var gridLines: (x: [Double], y: [Double]) {
    let step = gridStep
    func lines(_ center: Double, _ length: Double, isDown: Bool) -> [Double] {
      let half = length / 2 / unitsPerMeter
      let first = ((center - half) / step).rounded(.up)
      let last = ((center + half) / step).rounded(.down)
      guard first <= last, last - first < 100 else { return [] }
      return stride(from: first, through: last, by: 1).map { number in
        let offset = (number * step - center) * unitsPerMeter
        return length / 2 + (isDown ? -offset : offset)
      }
    }
    return (lines(center.x, size.x, isDown: false), lines(center.y, size.y, isDown: true))
  }
}

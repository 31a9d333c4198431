import BinnacleBasics

/// A cell of about 5 km by 5 km in a grid that is fixed to the earth.
///
/// A reduced track contains the center of the cell instead of the position. A board stays in its cell until the board
/// is a tenth of a cell beyond the border. Otherwise repeated changes of the cell would reveal a place at the border.
struct CoarseCell: Equatable, Codable, Sendable {
  /// The shortest time between two reduced points.
  static let periodMin = Interval.seconds(900)
  /// The accuracy of a reduced place.
  static let accuracyCentimeters: Int64 = 500_000
  /// Rows from pole to pole: 0.045 degrees, 5.0 km each.
  private static let rowCount = 4_000
  private static let slack = 0.1

  private let row: Int
  private let column: Int

  /// - Parameters:
  ///   - point: the position of the board.
  ///   - before: the cell of the last recorded point.
  init(_ point: TrackPoint, after before: CoarseCell?) {
    if let before, before.holds(point) {
      self = before
    } else {
      let place = CoarseCell.place(point)
      row = min(max(Int(place.row), 0), CoarseCell.rowCount - 1)
      let count = CoarseCell.columnCount(row)
      column = min(max(Int(place.turn * Double(count)), 0), count - 1)
    }
  }

  /// The center, in 1e-7 degrees.
  var center: (latitudeE7: Int64, longitudeE7: Int64) {
    let latitude = (Double(row) + 0.5) * 180 / Double(CoarseCell.rowCount) - 90
    let longitude = (Double(column) + 0.5) * 360 / Double(CoarseCell.columnCount(row)) - 180
    return (Int64((latitude * 1e7).rounded()), Int64((longitude * 1e7).rounded()))
  }

  /// A point with the center of the cell, and without height, speed and course.
  func reduced(_ point: TrackPoint) -> TrackPoint {
    TrackPoint(
      timeMilliseconds: point.timeMilliseconds, latitudeE7: center.latitudeE7,
      longitudeE7: center.longitudeE7,
      horizontalAccuracyCentimeters: CoarseCell.accuracyCentimeters)
  }

  private func holds(_ point: TrackPoint) -> Bool {
    let place = CoarseCell.place(point)
    let count = Double(CoarseCell.columnCount(row))
    var aside = place.turn * count - (Double(column) + 0.5)
    // The shorter way around the earth.
    if aside > count / 2 { aside -= count }
    if aside < -count / 2 { aside += count }
    let above = place.row - (Double(row) + 0.5)
    return aside.magnitude <= 0.5 + CoarseCell.slack && above.magnitude <= 0.5 + CoarseCell.slack
  }

  /// The number of cells in a row; rows near the poles have fewer cells, so that all cells are about as wide.
  private static func columnCount(_ row: Int) -> Int {
    let latitude = (Double(row) + 0.5) * 180 / Double(rowCount) - 90
    return max(1, Int(cosine(degrees: latitude) * 2 * Double(rowCount)))
  }

  /// Rows from the south pole, and the part of a turn from 180 degrees west.
  private static func place(_ point: TrackPoint) -> (row: Double, turn: Double) {
    (
      (Double(point.latitudeE7) / 1e7 + 90) / 180 * Double(rowCount),
      (Double(point.longitudeE7) / 1e7 + 180) / 360
    )
  }
}

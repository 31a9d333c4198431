import BinnacleBasics
import BinnacleModel

/// The place of the board for apps with reduced accuracy: the center of a cell of a fixed grid.
///
/// All apps get the same center, and a new center at most every 15 minutes, so that neither averaging nor watching a border
/// of the grid reveals the place. The board leaves its cell only when it is clearly outside. Speed, course and altitude are
/// never part of the place. Apple describes an accuracy of some kilometers, a representative point, and about four
/// calculations an hour (header of `CLAccuracyAuthorization`; WWDC20 session 10660).
struct CoarsePlace: Equatable, Codable, Sendable {
  /// The time between two calculations.
  static let lifetime = Interval.seconds(900)
  /// The reported accuracy, in meters.
  static let accuracyMeters = 5_000.0
  /// The height of a cell, in degrees of latitude: 5.0 km.
  private static let rowDegrees = 0.045
  /// The number of rows from the equator to a pole.
  private static let rowsMax = 2_000.0
  /// The part of a cell by which the board must be outside of its cell before the cell changes.
  private static let margin = 0.1

  private var cell: Cell?
  private var madeAt = Instant.zero
  private var time = UTCTime(secondsSince1970: 0)

  private struct Cell: Equatable, Codable, Sendable {
    /// Counted from the equator to the north.
    var row: Double
    /// Counted from the prime meridian to the east.
    var column: Double

    /// The width of the cells of a row, in degrees of longitude: as wide as high, in meters.
    var columnDegrees: Double {
      CoarsePlace.rowDegrees / max(cosine(degrees: latitude), 0.001)
    }
    var latitude: Double { (row + 0.5) * CoarsePlace.rowDegrees }
    /// The center, -180 up to 180.
    var longitude: Double {
      ((column + 0.5) * columnDegrees).remainder(dividingBy: 360)
    }
  }

  /// The present place as a fix.
  ///
  /// - Parameters:
  ///   - fix: the position of the board.
  ///   - now: the instant.
  /// - Returns: a fix without speed, course and altitude, whose time is the time of the calculation.
  mutating func fix(of fix: Fix, at now: Instant) -> Fix {
    let found: Cell
    if let cell, now - madeAt < CoarsePlace.lifetime {
      found = cell
    } else {
      found = CoarsePlace.cell(of: fix, staying: cell)
      (madeAt, time) = (now, fix.time)
    }
    cell = found
    return Fix(
      latitude: found.latitude, longitude: found.longitude,
      horizontalAccuracy: CoarsePlace.accuracyMeters, time: time,
      isSimulatedBySoftware: fix.isSimulatedBySoftware)
  }

  private static func cell(of fix: Fix, staying old: Cell?) -> Cell {
    if let old {
      let north = fix.latitude / rowDegrees - old.row
      let east = (fix.longitude - old.longitude).remainder(dividingBy: 360) / old.columnDegrees
      let isInside = (-margin...(1 + margin)).contains(north) && abs(east) <= 0.5 + margin
      if isInside { return old }
    }
    let row = min(max((fix.latitude / rowDegrees).rounded(.down), -rowsMax), rowsMax - 1)
    var cell = Cell(row: row, column: 0)
    cell.column = (fix.longitude / cell.columnDegrees).rounded(.down)
    return cell
  }
}

public import BinnacleBasics
import BinnacleModel

/// The position of the board at one instant, in the integers of the record.
public struct TrackPoint: Equatable, Codable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var timeMilliseconds: Int64
  /// 1e-7 degrees on WGS 84.
  public var latitudeE7: Int64
  /// 1e-7 degrees on WGS 84.
  public var longitudeE7: Int64
  /// Centimeters over mean sea level; 0 when the vertical accuracy is negative.
  public var altitudeCentimeters: Int64 = 0
  public var horizontalAccuracyCentimeters: Int64
  /// Negative: not measured.
  public var verticalAccuracyCentimeters: Int64 = -1
  /// Negative: unknown.
  public var speedCentimetersPerSecond: Int64 = -1
  /// Tenths of a degree from true north; negative: unknown.
  public var courseDecidegrees: Int64 = -1
  /// Whether a person has marked the position with a button.
  public var isMark = false

  public init(
    timeMilliseconds: Int64, latitudeE7: Int64, longitudeE7: Int64,
    horizontalAccuracyCentimeters: Int64
  ) {
    self.timeMilliseconds = timeMilliseconds
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
    self.horizontalAccuracyCentimeters = horizontalAccuracyCentimeters
  }

  init(_ fix: Fix) {
    timeMilliseconds = TrackPoint.milliseconds(fix.time)
    latitudeE7 = TrackPoint.whole(fix.latitude * 1e7)
    longitudeE7 = TrackPoint.whole(fix.longitude * 1e7)
    horizontalAccuracyCentimeters = TrackPoint.whole(fix.horizontalAccuracy * 100)
    if fix.verticalAccuracy > 0 {
      altitudeCentimeters = TrackPoint.whole(fix.altitude * 100)
      verticalAccuracyCentimeters = TrackPoint.whole(fix.verticalAccuracy * 100)
    }
    if fix.speed >= 0 { speedCentimetersPerSecond = TrackPoint.whole(fix.speed * 100) }
    if fix.course >= 0 { courseDecidegrees = TrackPoint.whole(fix.course * 10) % 3_600 }
  }

  /// The time, to the millisecond.
  public var time: UTCTime {
    UTCTime(
      secondsSince1970: timeMilliseconds / 1_000,
      nanoseconds: timeMilliseconds % 1_000 * 1_000_000)
  }

  /// Milliseconds since 1970, rounded: receivers' epochs are some microseconds off the full second.
  static func milliseconds(_ time: UTCTime) -> Int64 {
    time.secondsSince1970 * 1_000 + (Int64(time.nanoseconds) + 500_000) / 1_000_000
  }

  /// The nearest integer within ±1e12, which is outside every range of a record; 0 for a value that is not finite.
  private static func whole(_ value: Double) -> Int64 {
    let bound = 1e12
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -bound), bound).rounded())
  }

  /// Whether all numbers are within the ranges of a record.
  var isPossible: Bool {
    LastPlace.secondsRange.contains(timeMilliseconds / 1_000) && timeMilliseconds >= 0
      && (-900_000_000...900_000_000).contains(latitudeE7)
      && (-1_800_000_000...1_800_000_000).contains(longitudeE7)
      && TrackPoint.altitudes.contains(altitudeCentimeters)
      && (0...TrackPoint.distanceMax).contains(horizontalAccuracyCentimeters)
      && (-1...TrackPoint.distanceMax).contains(verticalAccuracyCentimeters)
      && (-1...TrackPoint.distanceMax).contains(speedCentimetersPerSecond)
      && (-1..<3_600).contains(courseDecidegrees)
  }

  private static let altitudes: ClosedRange<Int64> = -10_000_000...10_000_000
  /// The greatest length in a record, in centimeters: once around the earth.
  private static let distanceMax: Int64 = 4_100_000_000
}

public import BinnacleBasics
import BinnacleGeodesy
public import BinnacleModel

/// A position of a track, from the store of tracks or from a recording.
public struct TrackSample: Equatable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; nil if the recording has no date.
  public var timeMilliseconds: Int64?
  /// 1e-7 degrees on WGS 84.
  public var latitudeE7: Int64
  /// 1e-7 degrees on WGS 84.
  public var longitudeE7: Int64
  /// Radius that contains the position with 68 % probability; nil: unknown.
  public var accuracyCentimeters: Int64?
  /// Centimeters over mean sea level; nil: not measured.
  public var altitudeCentimeters: Int64?
  /// One standard deviation of the altitude; nil: not measured.
  public var verticalAccuracyCentimeters: Int64?
  /// Centimeters over the ellipsoid; nil: unknown.
  public var heightCentimeters: Int64?
  /// nil: unknown.
  public var speedCentimetersPerSecond: Int64?
  /// Tenths of a degree from true north; nil: unknown.
  public var courseDecidegrees: Int64?
  /// Whether a person has marked the position with a button.
  public var isMark = false
  /// The configured least time between two points of a stored track; nil: unknown.
  public var periodMilliseconds: Int64?

  public init(timeMilliseconds: Int64?, latitudeE7: Int64, longitudeE7: Int64) {
    self.timeMilliseconds = timeMilliseconds
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
  }

  /// A position by the rules of the daemon, rounded to the units of a stored track.
  ///
  /// - Parameters:
  ///   - fix: the position.
  ///   - hasDate: whether the time of the fix is known.
  public init(_ fix: Fix, hasDate: Bool = true) {
    func whole(_ value: Double) -> Int64 {
      value.isFinite ? Int64(min(max(value, -1e12), 1e12).rounded()) : 0
    }
    let time =
      fix.time.secondsSince1970 &* 1_000 &+ (Int64(fix.time.nanoseconds) + 500_000) / 1_000_000
    timeMilliseconds = hasDate ? time : nil
    latitudeE7 = whole(fix.latitude * 1e7)
    longitudeE7 = whole(fix.longitude * 1e7)
    if fix.horizontalAccuracy >= 0 { accuracyCentimeters = whole(fix.horizontalAccuracy * 100) }
    if fix.verticalAccuracy > 0 {
      altitudeCentimeters = whole(fix.altitude * 100)
      verticalAccuracyCentimeters = whole(fix.verticalAccuracy * 100)
      // 0 is the mark of a receiver that sends no geoid separation.
      if fix.ellipsoidalAltitude != 0 { heightCentimeters = whole(fix.ellipsoidalAltitude * 100) }
    }
    if fix.speed >= 0 { speedCentimetersPerSecond = whole(fix.speed * 100) }
    if fix.course >= 0 { courseDecidegrees = whole(fix.course * 10) % 3_600 }
  }

  /// Whether the coordinates are those of a point of the earth.
  public var isOnEarth: Bool {
    (-900_000_000...900_000_000).contains(latitudeE7)
      && (-1_800_000_000...1_800_000_000).contains(longitudeE7)
  }

  public var time: UTCTime? {
    timeMilliseconds.map {
      UTCTime(secondsSince1970: $0 / 1_000, nanoseconds: $0 % 1_000 * 1_000_000)
    }
  }

  var point: GeographicPoint {
    GeographicPoint(latitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
  }

  var accuracyMeters: Double? { accuracyCentimeters.map { Double($0) / 100 } }
}

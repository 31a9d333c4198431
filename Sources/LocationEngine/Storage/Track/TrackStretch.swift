import BinnacleBasics

/// A piece of a track: one record of the log of tracks.
///
/// Each point is stored as its difference from the point before, in numbers of variable length: about 10 bytes for a
/// point in motion, 8 at rest. `Docs/SPEC-state.md` has the format.
public struct TrackStretch: Equatable, Sendable {
  /// The greatest number of points in a record.
  public static let countMax = 60

  /// The start of the value, without the points; it is the same in every version.
  public struct Head: Equatable, Sendable {
    public let version: UInt8
    public let isReduced: Bool
    public let count: Int
    public let firstMilliseconds: Int64
    /// The time from the first point to the last.
    public let spanMilliseconds: Int64
    /// The configured least time between two points.
    public let periodMilliseconds: Int64

    public var lastMilliseconds: Int64 { firstMilliseconds + spanMilliseconds }

    static let size = 20

    /// Reads the first bytes of a value; nil if they are not the start of a stretch.
    public init?(_ value: [UInt8]) {
      var reader = ByteReader(value.prefix(Head.size))
      guard let version = reader.u8(), let flags = reader.u8(), let count = reader.u16(),
        let first = reader.i64(), let span = reader.u32(),
        let period = reader.u32(), count > 0, first >= 0,
        LastPlace.secondsRange.contains(first / 1_000)
      else { return nil }
      self.version = version
      isReduced = flags & 1 != 0
      self.count = Int(count)
      firstMilliseconds = first
      spanMilliseconds = Int64(span)
      periodMilliseconds = Int64(period)
    }
  }

  public let points: [TrackPoint]
  public let isReduced: Bool
  /// The configured least time between two points; a much longer time between two points is a gap.
  public let periodMilliseconds: Int64

  /// A stretch without marks, and a stretch with marks.
  private static let (plainVersion, markedVersion): (UInt8, UInt8) = (1, 2)

  /// - Returns: nil without points, with more than ``countMax``, or with an impossible point.
  public init?(_ points: [TrackPoint], isReduced: Bool, periodMilliseconds: Int64) {
    guard !points.isEmpty, points.count <= TrackStretch.countMax, points.allSatisfy(\.isPossible)
    else { return nil }
    self.points = points
    self.isReduced = isReduced
    self.periodMilliseconds = min(max(periodMilliseconds, 0), Int64(UInt32.max))
  }

  // MARK: Bytes

  /// The value of the record.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    let first = points[0].timeMilliseconds
    let last = points[points.count - 1].timeMilliseconds
    let marks = points.indices.filter { points[$0].isMark }
    let version = marks.isEmpty ? TrackStretch.plainVersion : TrackStretch.markedVersion
    writer.put([version, isReduced ? 1 : 0])
    writer.u16(UInt16(points.count))
    writer.i64(first)
    writer.u32(UInt32(clamping: last - first))
    writer.u32(UInt32(clamping: periodMilliseconds))
    var before = TrackPoint.origin(at: first)
    var step: Int64 = 0
    for point in points {
      let next = point.timeMilliseconds - before.timeMilliseconds
      writer.short(next - step)
      step = next
      writer.short(point.latitudeE7 - before.latitudeE7)
      writer.short(point.longitudeE7 - before.longitudeE7)
      writer.short(point.altitudeCentimeters - before.altitudeCentimeters)
      writer.short(point.horizontalAccuracyCentimeters - before.horizontalAccuracyCentimeters)
      writer.short(point.verticalAccuracyCentimeters - before.verticalAccuracyCentimeters)
      writer.short(point.speedCentimetersPerSecond - before.speedCentimetersPerSecond)
      writer.short(point.courseDecidegrees - before.courseDecidegrees)
      before = point
    }
    if !marks.isEmpty {
      writer.u8(UInt8(marks.count))
      for mark in marks { writer.u8(UInt8(mark)) }
    }
    return writer.bytes
  }

  /// Reads the value of a record; nil if it is damaged or has impossible numbers.
  public init?(_ value: [UInt8]) {
    guard let head = Head(value),
      [TrackStretch.plainVersion, TrackStretch.markedVersion].contains(head.version),
      head.count <= TrackStretch.countMax
    else { return nil }
    var reader = ByteReader(value.dropFirst(Head.size))
    var points: [TrackPoint] = []
    var point = TrackPoint.origin(at: head.firstMilliseconds)
    var step: Int64 = 0
    for _ in 0..<head.count {
      guard let change = reader.short(), let latitude = reader.short(),
        let longitude = reader.short(), let altitude = reader.short(),
        let horizontal = reader.short(), let vertical = reader.short(), let speed = reader.short(),
        let course = reader.short()
      else { return nil }
      step &+= change
      point.timeMilliseconds &+= step
      point.latitudeE7 &+= latitude
      point.longitudeE7 &+= longitude
      point.altitudeCentimeters &+= altitude
      point.horizontalAccuracyCentimeters &+= horizontal
      point.verticalAccuracyCentimeters &+= vertical
      point.speedCentimetersPerSecond &+= speed
      point.courseDecidegrees &+= course
      points.append(point)
    }
    if head.version == TrackStretch.markedVersion {
      guard reader.readMarks(of: &points) else { return nil }
    }
    guard reader.remaining == 0 else { return nil }
    self.init(
      points, isReduced: head.isReduced, periodMilliseconds: head.periodMilliseconds)
  }
}

extension TrackPoint {
  /// The start of the differences: the point before the first point of a stretch.
  fileprivate static func origin(at milliseconds: Int64) -> TrackPoint {
    var point = TrackPoint(
      timeMilliseconds: milliseconds, latitudeE7: 0, longitudeE7: 0,
      horizontalAccuracyCentimeters: 0)
    point.verticalAccuracyCentimeters = 0
    point.speedCentimetersPerSecond = 0
    point.courseDecidegrees = 0
    return point
  }
}

extension ByteReader {
  /// Reads which points are marks, in ascending order; returns false if that is damaged.
  fileprivate mutating func readMarks(of points: inout [TrackPoint]) -> Bool {
    guard let count = u8(), count > 0 else { return false }
    var next = 0
    for _ in 0..<count {
      guard let index = u8().map(Int.init), index >= next, index < points.count else {
        return false
      }
      points[index].isMark = true
      next = index + 1
    }
    return true
  }
}

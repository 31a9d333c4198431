import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// The bytes of a track, and the cells of a reduced one.
@Suite struct TrackPartsTests {
  /// Points with everything that can be in them.
  static func points(_ count: Int, seed: UInt64 = 1) -> [TrackPoint] {
    var random = Random(seed: seed)
    func number(_ range: ClosedRange<Int64>) -> Int64 {
      range.lowerBound + Int64(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
    var time = number(0...250_000_000_000_000)
    return (0..<count).map { _ in
      time += number(-1_000_000...1_000_000)
      var point = TrackPoint(
        timeMilliseconds: max(0, time), latitudeE7: number(-900_000_000...900_000_000),
        longitudeE7: number(-1_800_000_000...1_800_000_000),
        horizontalAccuracyCentimeters: number(0...4_100_000_000))
      point.altitudeCentimeters = number(-10_000_000...10_000_000)
      point.verticalAccuracyCentimeters = number(-1...4_100_000_000)
      point.speedCentimetersPerSecond = number(-1...40_000)
      point.courseDecidegrees = number(-1...3_599)
      point.isMark = number(0...9) == 1
      return point
    }
  }

  @Test func aStretchOutlivesItsBytes() throws {
    for seed: UInt64 in 1...200 {
      let points = Self.points(1 + Int(seed % 60), seed: seed)
      let stretch = try #require(
        TrackStretch(points, isReduced: seed % 2 == 0, periodMilliseconds: Int64(seed)))
      let bytes = stretch.bytes
      #expect(TrackStretch(bytes) == stretch)
      #expect(bytes.count <= RecordTable.track.valueSizeMax)
      let head = try #require(TrackStretch.Head(bytes))
      #expect(head.count == points.count)
      #expect(head.firstMilliseconds == points[0].timeMilliseconds)
      #expect(head.periodMilliseconds == Int64(seed))
    }
  }

  @Test func damagedStretchesAreRefused() throws {
    let bytes = try #require(
      TrackStretch(Self.points(20), isReduced: false, periodMilliseconds: 1_000)
    ).bytes
    for count in 0..<bytes.count { #expect(TrackStretch(Array(bytes.prefix(count))) == nil) }
    #expect(TrackStretch(bytes + [0]) == nil)
    var newer = bytes
    newer[0] = 3
    #expect(TrackStretch(newer) == nil)
    #expect(TrackStretch.Head(newer) != nil)
    // Version 2 has marks: at least one, in ascending order, of points of the stretch.
    var points = Self.points(3)
    for index in points.indices { points[index].isMark = index < 2 }
    let marked = try #require(
      TrackStretch(points, isReduced: false, periodMilliseconds: 1_000)
    ).bytes
    #expect(marked[0] == 2 && Array(marked.suffix(3)) == [2, 0, 1])
    for tail: [UInt8] in [[], [0], [1], [2, 1, 0], [2, 0, 0], [1, 3], [2, 0, 1, 2]] {
      #expect(TrackStretch(marked.dropLast(3) + tail) == nil, "\(tail)")
    }
    var random = Random(seed: 5)
    for _ in 0..<20_000 {
      var changed = bytes
      changed[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      // A value that can be read is possible, and encodes to the same bytes.
      guard let read = TrackStretch(changed) else { continue }
      #expect(read.points.allSatisfy { $0.isPossible })
    }
    #expect(TrackStretch([], isReduced: false, periodMilliseconds: 1_000) == nil)
    #expect(TrackStretch(Self.points(61), isReduced: false, periodMilliseconds: 1_000) == nil)
  }

  @Test func aFixOutOfRangeIsNoPoint() {
    let fix = Fix(
      latitude: .nan, longitude: 8, horizontalAccuracy: .infinity,
      time: UTCTime(secondsSince1970: 1_790_000_000))
    #expect(TrackPoint(fix).latitudeE7 == 0)
    let early = Fix(
      latitude: 47, longitude: 8, horizontalAccuracy: 3, time: UTCTime(secondsSince1970: -5))
    #expect(!TrackPoint(early).isPossible)
    let far = Fix(
      latitude: 47, longitude: 8, horizontalAccuracy: 1e9,
      time: UTCTime(secondsSince1970: 1_790_000_000))
    #expect(!TrackPoint(far).isPossible)
  }

  static func point(_ latitude: Double, _ longitude: Double) -> TrackPoint {
    TrackPoint(
      timeMilliseconds: 0, latitudeE7: Int64(latitude * 1e7), longitudeE7: Int64(longitude * 1e7),
      horizontalAccuracyCentimeters: 100)
  }

  @Test func aCellIsFiveKilometersWideEverywhereAndTheSameForNeighbors() {
    for latitude in [-89.9, -60, -0.01, 0.01, 33, 47.3, 71, 89.9] {
      for longitude in [-179.99, -8, 0, 8.5, 179.99] {
        let point = Self.point(latitude, longitude)
        let center = CoarseCell(point, after: nil).center
        let north = (Double(center.latitudeE7) / 1e7 - latitude).magnitude * 111.2
        var east = (Double(center.longitudeE7) / 1e7 - longitude).magnitude
        if east > 180 { east = 360 - east }
        #expect(north <= 2.6)
        #expect(latitude.magnitude > 89 || east * 111.2 * cosine(degrees: latitude) <= 2.8)
        let neighbor = Self.point(
          Double(center.latitudeE7) / 1e7, Double(center.longitudeE7) / 1e7)
        #expect(CoarseCell(neighbor, after: nil) == CoarseCell(point, after: nil))
      }
    }
  }

  @Test func aPositionAtABorderDoesNotJump() {
    // 47.16 degrees is a border: 137.16 / 0.045 rows.
    let south = CoarseCell(Self.point(47.1599, 8.5), after: nil)
    let north = CoarseCell(Self.point(47.1601, 8.5), after: nil)
    #expect(south != north)
    #expect(CoarseCell(Self.point(47.1601, 8.5), after: south) == south)
    #expect(CoarseCell(Self.point(47.1599, 8.5), after: north) == north)
    // Beyond a tenth of a cell it is another one.
    #expect(CoarseCell(Self.point(47.1650, 8.5), after: south) == north)
    // And around the back of the earth it is no other one.
    let west = CoarseCell(Self.point(0.01, -179.999), after: nil)
    #expect(CoarseCell(Self.point(0.01, 179.999), after: west) == west)
  }
}

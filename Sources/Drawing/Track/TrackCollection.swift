/// The points of a track in bounded memory, cut where the track is interrupted.
public struct TrackCollection: Sendable {
  struct Point: Sendable {
    let sample: TrackSample
    /// Whether the track is interrupted before this point.
    let startsLeg: Bool
  }

  private(set) var points: [Point] = []
  private(set) var marks: [TrackSample] = []
  /// Points that were taken.
  public private(set) var count = 0
  /// Points without a place on the earth.
  public private(set) var rejectedCount = 0
  private var rule = GapRule()

  /// With more points every second point of a leg is left out.
  static let pointsMax = 200_000
  static let marksMax = 1_000

  public init() {}

  public mutating func add(_ sample: TrackSample) {
    guard sample.isOnEarth else {
      rejectedCount += 1
      return
    }
    if sample.isMark {
      if marks.count < TrackCollection.marksMax { marks.append(sample) }
      return
    }
    count += 1
    let startsLeg = points.isEmpty || rule.isGap(before: sample)
    if points.isEmpty { _ = rule.isGap(before: sample) }
    points.append(Point(sample: sample, startsLeg: startsLeg))
    if points.count > TrackCollection.pointsMax { thin() }
  }

  /// The legs, each without an interruption.
  var legs: [ArraySlice<Point>] {
    var legs: [ArraySlice<Point>] = []
    var start = 0
    for index in points.indices.dropFirst() where points[index].startsLeg {
      legs.append(points[start..<index])
      start = index
    }
    if !points.isEmpty { legs.append(points[start...]) }
    return legs
  }

  private mutating func thin() {
    let all = points
    points = all.indices.filter { index in
      index % 2 == 0 || all[index].startsLeg || index + 1 == all.count
        || all[index + 1].startsLeg
    }.map { all[$0] }
    // A track of interruptions only keeps its newest part.
    if points.count > TrackCollection.pointsMax * 3 / 4 {
      points.removeFirst(points.count / 2)
    }
  }
}

import BinnacleBasics
import BinnacleGeodesy

/// A track in the plane: its legs, pauses and gaps, and the figures that a drawing shows.
struct TrackShape: Sendable {
  struct Vertex: Sendable {
    var place: PlanePoint
    var speedMetersPerSecond: Double?
    var accuracyMeters: Double?
    var time: Int64?
  }

  let plane: LocalPlane
  private(set) var legs: [[Vertex]]
  private(set) var pauses: [TrackPause] = []
  private(set) var gaps: [TrackGap] = []
  let marks: [PlanePoint]
  /// The length of all legs without the wander of pauses, in meters.
  private(set) var lengthMeters = 0.0
  private(set) var timeSpan: (from: Int64, to: Int64)?

  init(_ track: TrackCollection) {
    let samples = track.points.map(\.sample) + track.marks
    plane = LocalPlane(around: samples.map(\.point))
    let plane = plane
    legs = track.legs.map { leg in
      leg.map { point in
        Vertex(
          place: plane.project(point.sample.point),
          speedMetersPerSecond: point.sample.speedCentimetersPerSecond.map { Double($0) / 100 },
          accuracyMeters: point.sample.accuracyMeters, time: point.sample.timeMilliseconds)
      }
    }
    marks = track.marks.map { plane.project($0.point) }
    let times = legs.joined().compactMap(\.time)
    if let from = times.min(), let to = times.max() { timeSpan = (from, to) }
    for index in legs.indices {
      findPauses(in: legs[index])
      if index > 0 { judgeInterruption(legs[index - 1], legs[index]) }
    }
    pauses.sort { $0.from < $1.from }
    joinPauses()
    measure()
  }

  /// All speeds, for the scale.
  var speeds: [Double] { legs.joined().compactMap(\.speedMetersPerSecond) }

  // MARK: Parts

  /// An interruption whose ends are at one place is a pause: while all updates pause, no track is recorded.
  private mutating func judgeInterruption(_ before: [Vertex], _ after: [Vertex]) {
    guard let last = before.last, let first = after.first, let from = last.time, let to = first.time
    else { return }
    let doubt = (last.accuracyMeters ?? 0) + (first.accuracyMeters ?? 0)
    let distance = last.place.distance(to: first.place)
    if to > from, distance <= max(25, min(2 * doubt, 200)) {
      if to - from >= TrackPause.millisecondsMin {
        pauses.append(TrackPause(place: last.place, from: from, to: to))
      }
    } else {
      gaps.append(
        TrackGap(from: last.place, to: first.place, seconds: Double(to - from) / 1_000))
    }
  }

  /// Points that stay near the first of them for a minute are a pause.
  private mutating func findPauses(in leg: [Vertex]) {
    var start = 0
    while start < leg.count {
      guard let end = endOfStay(leg, from: start), let from = leg[start].time,
        let to = leg[end].time
      else {
        start += 1
        continue
      }
      let stay = leg[start...end]
      let count = Double(stay.count)
      let place = PlanePoint(
        x: stay.reduce(0) { $0 + $1.place.x } / count, y: stay.reduce(0) { $0 + $1.place.y } / count
      )
      pauses.append(TrackPause(place: place, from: from, to: to))
      start = end + 1
    }
  }

  /// The last point of a stay of at least a minute; nil if the board does not stay.
  private func endOfStay(_ leg: [Vertex], from start: Int) -> Int? {
    guard let from = leg[start].time else { return nil }
    let radius = max(8, min(leg[start].accuracyMeters ?? 0, 50))
    func isNear(_ vertex: Vertex) -> Bool {
      vertex.place.squaredDistance(to: leg[start].place) <= radius * radius
        && vertex.speedMetersPerSecond ?? 0 < 1
    }
    var end = start
    while end + 1 < leg.count, isNear(leg[end + 1]) { end += 1 }
    guard let to = leg[end].time, to - from >= TrackPause.millisecondsMin else { return nil }
    return end
  }

  /// A pause in the points and the interruption after it are one.
  private mutating func joinPauses() {
    var joined: [TrackPause] = []
    for pause in pauses {
      if let last = joined.last, pause.from - last.to <= TrackPause.millisecondsMin,
        last.place.distance(to: pause.place) <= 25
      {
        joined[joined.count - 1].to = max(last.to, pause.to)
      } else {
        joined.append(pause)
      }
    }
    pauses = joined
  }

  private mutating func measure() {
    for leg in legs {
      var last: PlanePoint?
      for vertex in leg where !isPaused(vertex) {
        if let last { lengthMeters += last.distance(to: vertex.place) }
        last = vertex.place
      }
    }
  }

  private func isPaused(_ vertex: Vertex) -> Bool {
    guard let time = vertex.time, !pauses.isEmpty else { return false }
    // The pause that began last before the time.
    var (low, high) = (0, pauses.count)
    while low < high {
      let half = (low + high) / 2
      if pauses[half].from < time { low = half + 1 } else { high = half }
    }
    return low > 0 && time < pauses[low - 1].to
  }
}

/// The part of the drawing inside the frame.
extension TrackPicture {
  /// The most circles and gaps of a drawing; more would hide the line.
  private static let (circlesMax, pausesMax, gapsMax, labelsMax) = (1_500, 200, 400, 24)
  /// Legs beyond this number are drawn only where there is no other.
  private static let legsMax = 2_000

  func drawPlot(top: Double, into canvas: inout SVGCanvas) {
    let left = TrackPicture.margin
    let box = [
      ("x", SVGCanvas.number(left)), ("y", SVGCanvas.number(top)),
      ("width", SVGCanvas.number(frame.size.x)), ("height", SVGCanvas.number(frame.size.y)),
    ]
    let lines = frame.gridLines
    canvas.nested(box) { canvas in
      for x in lines.x { canvas.line("grid", x, 0, x, frame.size.y) }
      for y in lines.y { canvas.line("grid", 0, y, frame.size.x, y) }
      if count == 0 {
        canvas.text(
          "t", "No positions", x: frame.size.x / 2, y: frame.size.y / 2, anchor: .middle)
      }
      let legs = visibleLegs
      drawAccuracy(legs, into: &canvas)
      drawGaps(into: &canvas)
      drawLines(legs, into: &canvas)
      drawPole(into: &canvas)
      drawSymbols(into: &canvas)
    }
    canvas.rectangle("frame", x: left, y: top, width: frame.size.x, height: frame.size.y)
  }

  /// The legs that are drawn.
  private var visibleLegs: [[TrackShape.Vertex]] {
    guard shape.legs.count > TrackPicture.legsMax else { return shape.legs }
    var taken: Set<Int> = []
    return shape.legs.filter { leg in
      let place = frame.place(leg[0].place)
      return taken.insert(Int(place.y / 12) * 1_000 + Int(place.x / 12)).inserted
    }
  }

  // MARK: Lines

  private func drawLines(_ legs: [[TrackShape.Vertex]], into canvas: inout SVGCanvas) {
    let places = legs.map { leg in leg.map { frame.place($0.place) } }
    let kept = LineSimplification.spaced(places, atLeast: 0.7)
    canvas.group([("class", "line")]) { canvas in
      for (leg, (points, indices)) in zip(legs, zip(places, kept)) {
        if indices.count == 1
          || points[indices[0]].distance(to: points[indices[indices.count - 1]]) < 0.7
            && indices.count == 2
        {
          // A line without length is a dot by its round ends.
          let dot = points[indices[0]]
          canvas.polyline(
            kind(leg[0].speedMetersPerSecond), [dot, PlanePoint(x: dot.x + 0.1, y: dot.y)])
          continue
        }
        draw(leg, points, indices, into: &canvas)
      }
    }
  }

  /// Draws a leg as one line for each stretch of one class of speed.
  private func draw(
    _ leg: [TrackShape.Vertex], _ points: [PlanePoint], _ indices: [Int],
    into canvas: inout SVGCanvas
  ) {
    var run: [PlanePoint] = [points[indices[0]]]
    var runKind: String?
    func end(_ canvas: inout SVGCanvas) {
      guard let runKind, run.count > 1 else { return }
      let straight = LineSimplification.straightened(run, tolerance: 0.35)
      canvas.polyline(runKind, straight.map { run[$0] })
    }
    for (from, to) in zip(indices, indices.dropFirst()) {
      let speeds = leg[from + 1...to].compactMap(\.speedMetersPerSecond)
      let mean = speeds.isEmpty ? nil : speeds.reduce(0, +) / Double(speeds.count)
      let next = kind(mean)
      if next != runKind {
        end(&canvas)
        run = [points[from]]
        runKind = next
      }
      run.append(points[to])
    }
    end(&canvas)
  }

  private func kind(_ speed: Double?) -> String {
    guard let speed else { return "vu" }
    return "v\(SpeedScale.colorNumber(scale.number(speed), of: scale.classCount))"
  }

  private func drawAccuracy(_ legs: [[TrackShape.Vertex]], into canvas: inout SVGCanvas) {
    var least = 1.0
    var circles: [(place: PlanePoint, radius: Double)] = []
    repeat {
      circles = accuracyCircles(legs, spacing: least)
      least *= 1.7
    } while circles.count > TrackPicture.circlesMax && least < 1e6
    guard !circles.isEmpty else { return }
    canvas.group([("opacity", "0.16")]) { canvas in
      for circle in circles.prefix(TrackPicture.circlesMax) {
        canvas.circle("acc", x: circle.place.x, y: circle.place.y, radius: circle.radius)
      }
    }
  }

  private func accuracyCircles(
    _ legs: [[TrackShape.Vertex]], spacing: Double
  ) -> [(place: PlanePoint, radius: Double)] {
    var circles: [(place: PlanePoint, radius: Double)] = []
    for vertex in legs.joined() {
      guard let accuracy = vertex.accuracyMeters else { continue }
      let circle = (place: frame.place(vertex.place), radius: accuracy * frame.unitsPerMeter)
      if circle.radius < 2 { continue }
      if let last = circles.last {
        let isNear =
          last.place.distance(to: circle.place) < max(spacing, last.radius / 3)
          && (0.8...1.25).contains(circle.radius / last.radius)
        if isNear { continue }
      }
      circles.append((circle.place, min(circle.radius, 4 * frame.size.x)))
    }
    return circles
  }

  private func drawGaps(into canvas: inout SVGCanvas) {
    let longest = shape.gaps.sorted { $0.seconds > $1.seconds }.prefix(TrackPicture.gapsMax)
    for gap in longest {
      let (from, to) = (frame.place(gap.from), frame.place(gap.to))
      canvas.line("gap", from.x, from.y, to.x, to.y)
    }
  }

  // MARK: Symbols

  private func drawPole(into canvas: inout SVGCanvas) {
    let pole = shape.plane.nearestPole
    let place = frame.place(pole.place)
    guard frame.contains(place) else { return }
    canvas.line("rule", place.x - 8, place.y, place.x + 8, place.y)
    canvas.line("rule", place.x, place.y - 8, place.x, place.y + 8)
    canvas.text("l", pole.name, x: place.x + 10, y: place.y - 6)
  }

  private func drawSymbols(into canvas: inout SVGCanvas) {
    var labels = LabelPlaces(frame.size)
    let pauses = shape.pauses.sorted { $0.seconds > $1.seconds }.prefix(TrackPicture.pausesMax)
    let (start, end) = (shape.legs.first?.first?.place, shape.legs.last?.last?.place)
    for point in pauses.map(\.place) + shape.marks + [start, end].compactMap({ $0 }) {
      labels.avoid(frame.place(point), radius: 6)
    }
    labels.avoid(line: sampledLine)
    for pause in pauses { TrackPicture.drawPause(at: frame.place(pause.place), into: &canvas) }
    for mark in shape.marks { TrackPicture.drawMark(at: frame.place(mark), into: &canvas) }
    if let start, let end {
      let (first, last) = (frame.place(start), frame.place(end))
      TrackPicture.drawStart(at: first, into: &canvas)
      if count > 1 { TrackPicture.drawEnd(at: last, into: &canvas) }
      label(count == 1 ? "only position" : "start", at: first, &labels, into: &canvas)
      if count > 1 { label("end", at: last, &labels, into: &canvas) }
    }
    for pause in pauses.prefix(TrackPicture.labelsMax) {
      label(ClockText.duration(pause.seconds), at: frame.place(pause.place), &labels, into: &canvas)
    }
  }

  /// Some points of the legs, close enough that a label between two of them hides little.
  private var sampledLine: [PlanePoint] {
    let vertices = shape.legs.reduce(0) { $0 + $1.count }
    let step = max(1, vertices / 1_500)
    var points: [PlanePoint] = []
    for leg in shape.legs {
      points += stride(from: 0, to: leg.count, by: step).map { frame.place(leg[$0].place) }
    }
    return points.count > 3_000 ? [] : points
  }

  private func label(
    _ text: String, at point: PlanePoint, _ labels: inout LabelPlaces, into canvas: inout SVGCanvas
  ) {
    guard let place = labels.place(text, size: 11, beside: point, radius: 7) else { return }
    canvas.text("l", text, x: place.x, y: place.y)
  }

  static func drawPause(at place: PlanePoint, into canvas: inout SVGCanvas) {
    canvas.circle("pausebody", x: place.x, y: place.y, radius: 6)
    canvas.line("rule", place.x - 1.8, place.y - 2.8, place.x - 1.8, place.y + 2.8)
    canvas.line("rule", place.x + 1.8, place.y - 2.8, place.x + 1.8, place.y + 2.8)
  }

  static func drawMark(at place: PlanePoint, into canvas: inout SVGCanvas) {
    canvas.polygon(
      "markbody",
      [
        PlanePoint(x: place.x, y: place.y - 7), PlanePoint(x: place.x + 6, y: place.y),
        PlanePoint(x: place.x, y: place.y + 7), PlanePoint(x: place.x - 6, y: place.y),
      ])
  }

  static func drawStart(at place: PlanePoint, into canvas: inout SVGCanvas) {
    canvas.polygon(
      "startbody",
      [
        PlanePoint(x: place.x - 5, y: place.y - 6), PlanePoint(x: place.x + 7, y: place.y),
        PlanePoint(x: place.x - 5, y: place.y + 6),
      ])
  }

  static func drawEnd(at place: PlanePoint, into canvas: inout SVGCanvas) {
    canvas.rectangle("endbody", x: place.x - 5, y: place.y - 5, width: 10, height: 10)
  }
}

import BinnacleBasics

/// The part of the drawing below the frame: scale, north, and the legend.
extension TrackPicture {
  func drawScale(at y: Double, into canvas: inout SVGCanvas) {
    let left = TrackPicture.margin
    let length = RoundStep.least(min(frame.size.x, 700) * 0.16 / frame.unitsPerMeter)
    let units = length * frame.unitsPerMeter
    canvas.line("rule", left, y, left + units, y)
    canvas.line("rule", left, y - 5, left, y + 5)
    canvas.line("rule", left + units, y - 5, left + units, y + 5)
    canvas.text("t", RoundStep.length(length), x: left + units + 8, y: y + 4)
    canvas.text("s", "grid \(RoundStep.length(frame.gridStep))", x: left, y: y + 19)
    drawNorth(right: left + frame.size.x, y: y, into: &canvas)
  }

  private func drawNorth(right: Double, y: Double, into canvas: inout SVGCanvas) {
    let turn = shape.plane.turnOfNorth(withinMeters: frame.halfDiagonalMeters)
    canvas.text("s", middle, x: right, y: y + 19, anchor: .end)
    if turn > 45 {
      let pole = shape.plane.nearestPole.name
      return canvas.text(
        "t",
        pole.hasPrefix("n")
          ? "north is towards the north pole" : "north is away from the south pole",
        x: right, y: y + 4, anchor: .end)
    }
    let x = right - 6
    canvas.line("rule", x, y + 5, x, y - 6)
    canvas.polygon(
      "ink",
      [PlanePoint(x: x - 5, y: y - 4), PlanePoint(x: x, y: y - 15), PlanePoint(x: x + 5, y: y - 4)])
    canvas.text(
      "t", turn > 1 ? "north, in the middle" : "north", x: x - 10, y: y + 4, anchor: .end)
  }

  /// The coordinates of the plane's middle.
  private var middle: String {
    if count == 0 { return "WGS 84" }
    let point = shape.plane.middle
    let latitude = DecimalText.fixed(point.latitude.magnitude, places: 5)
    let longitude = DecimalText.fixed(point.longitude.magnitude, places: 5)
    return "\(latitude)° \(point.latitude < 0 ? "S" : "N") "
      + "\(longitude)° \(point.longitude < 0 ? "W" : "E")"
  }

  func drawLegend(_ flow: inout LegendFlow, into canvas: inout SVGCanvas) {
    let speeds = shape.speeds
    if !speeds.isEmpty {
      let heading = flow.next(width: 84)
      canvas.text("t", "speed, m/s", x: heading.x, y: heading.y)
      for number in 0..<scale.classCount {
        let color = SpeedScale.colorNumber(number, of: scale.classCount)
        entry(scale.label(number), &flow, into: &canvas) { canvas, place in
          canvas.polyline("v\(color)", [place, PlanePoint(x: place.x + 22, y: place.y)])
        }
      }
    }
    let hasUnknown = shape.legs.joined().contains { $0.speedMetersPerSecond == nil }
    if hasUnknown {
      entry("speed unknown", &flow, into: &canvas) { canvas, place in
        canvas.polyline("vu", [place, PlanePoint(x: place.x + 22, y: place.y)])
      }
    }
    if count > 0 { flow.newLine() }
    drawSymbols(&flow, into: &canvas)
  }

  private func drawSymbols(_ flow: inout LegendFlow, into canvas: inout SVGCanvas) {
    func symbol(
      _ label: String, _ isThere: Bool, _ draw: (PlanePoint, inout SVGCanvas) -> Void
    ) {
      guard isThere else { return }
      entry(label, &flow, into: &canvas) { canvas, place in
        draw(PlanePoint(x: place.x + 11, y: place.y), &canvas)
      }
    }
    symbol("start", count > 0, TrackPicture.drawStart)
    symbol("end", count > 1, TrackPicture.drawEnd)
    symbol("pause, with its duration", !shape.pauses.isEmpty, TrackPicture.drawPause)
    symbol("marked with a button", !shape.marks.isEmpty, TrackPicture.drawMark)
    symbol("gap without positions", !shape.gaps.isEmpty) { place, canvas in
      canvas.line("gap", place.x - 11, place.y, place.x + 11, place.y)
    }
    let hasAccuracy = shape.legs.joined().contains { $0.accuracyMeters != nil }
    symbol("accuracy, 68 %", hasAccuracy) { place, canvas in
      canvas.group([("opacity", "0.3")]) {
        $0.circle("acc", x: place.x, y: place.y, radius: 8)
      }
    }
  }

  private func entry(
    _ label: String, _ flow: inout LegendFlow, into canvas: inout SVGCanvas,
    _ draw: (inout SVGCanvas, PlanePoint) -> Void
  ) {
    let width = 28 + SVGCanvas.width(of: label, size: 12) + 14
    let place = flow.next(width: width)
    draw(&canvas, PlanePoint(x: place.x, y: place.y - 4))
    canvas.text("t", label, x: place.x + 28, y: place.y)
  }
}

extension SpeedScale {
  /// The color of a class: few classes are spread over all colors, so that slow and fast always look the same.
  static func colorNumber(_ number: Int, of count: Int) -> Int {
    count <= 1 ? 0 : number * (classesMax - 1) / (count - 1)
  }
}

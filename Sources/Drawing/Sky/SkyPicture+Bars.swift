import BinnacleModel

/// The bars of the signals, and the legend.
extension SkyPicture {
  /// The strongest signal of a bar, in dB-Hz; receivers report hardly more.
  private static let levelMax = 55.0
  private static let rowHeight = 17.0

  /// Draws a row for each satellite, in two columns; returns where the rows end.
  func drawBars(
    left: Double, right: Double, top: Double, into canvas: inout SVGCanvas
  ) -> Double {
    if satellites.isEmpty {
      canvas.text("t", "The receiver lists no satellites.", x: left, y: top + 14)
      return top + 20
    }
    let gap = 24.0
    let columnWidth = (right - left - gap) / 2
    let rows = (satellites.count + 1) / 2
    for column in 0..<2 {
      let x = left + Double(column) * (columnWidth + gap)
      let own = satellites.dropFirst(column * rows).prefix(rows)
      if own.isEmpty { continue }
      canvas.text("s", "signal, dB-Hz", x: x + 34, y: top + 8)
      drawGrid(x: x, width: columnWidth, top: top + 14, rows: own.count, into: &canvas)
      for (index, satellite) in own.enumerated() {
        drawRow(
          satellite, x: x, width: columnWidth,
          y: top + 14 + Double(index) * SkyPicture.rowHeight, into: &canvas)
      }
    }
    return top + 16 + Double(rows) * SkyPicture.rowHeight
  }

  private func barWidth(_ width: Double) -> Double { width - 34 - 26 }

  private func drawGrid(
    x: Double, width: Double, top: Double, rows: Int, into canvas: inout SVGCanvas
  ) {
    for level in [20.0, 40] {
      let place = x + 34 + barWidth(width) * level / SkyPicture.levelMax
      canvas.line("grid", place, top, place, top + Double(rows) * SkyPicture.rowHeight)
    }
  }

  private func drawRow(
    _ satellite: Satellite, x: Double, width: Double, y: Double, into canvas: inout SVGCanvas
  ) {
    let system = satellite.constellation.rawValue
    canvas.text("n\(system)", SkyPicture.name(satellite), x: x, y: y + 12)
    if satellite.health == .unhealthy { canvas.line("rule", x - 1, y + 8, x + 26, y + 8) }
    guard let level = satellite.carrierToNoiseDBHz else {
      return canvas.text("s", "no signal", x: x + 34, y: y + 12)
    }
    let length = barWidth(width) * min(Double(level), SkyPicture.levelMax) / SkyPicture.levelMax
    canvas.rectangle(
      satellite.isUsed ? "c\(system)" : "o\(system)", x: x + 34, y: y + 3, width: max(1, length),
      height: 10, radius: 1.5)
    canvas.text("t", "\(level)", x: x + width, y: y + 12, anchor: .end)
  }

  func drawLegend(_ flow: inout LegendFlow, into canvas: inout SVGCanvas) {
    func entry(
      _ label: String, _ draw: (PlanePoint, inout SVGCanvas) -> Void
    ) {
      let place = flow.next(width: 20 + SVGCanvas.width(of: label, size: 12) + 14)
      draw(PlanePoint(x: place.x + 7, y: place.y - 4), &canvas)
      canvas.text("t", label, x: place.x + 19, y: place.y)
    }
    for system in Satellite.Constellation.allCases
    where satellites.contains(where: { $0.constellation == system }) {
      entry("\(SkyPicture.letter(system)) \(system.name)") { place, canvas in
        canvas.rectangle(
          "c\(system.rawValue)", x: place.x - 6, y: place.y - 5, width: 12, height: 10)
      }
    }
    if satellites.isEmpty { return }
    flow.newLine()
    entry("used") { $1.circle("endbody", x: $0.x, y: $0.y, radius: 6) }
    entry("not used") { $1.circle("pausebody", x: $0.x, y: $0.y, radius: 6) }
    if satellites.contains(where: { $0.health == .unhealthy }) {
      entry("unhealthy") {
        $1.circle("pausebody", x: $0.x, y: $0.y, radius: 6)
        $1.line("rule", $0.x - 6, $0.y + 6, $0.x + 6, $0.y - 6)
      }
    }
  }
}

import BinnacleBasics
public import BinnacleModel

/// The drawing of the satellites in view: where they are, how strong their signals are, and whether the position uses them.
///
/// A satellite is named by the letter of its system and its number, as in RINEX 3 (`G12`). A used satellite is filled, another
/// one is an outline, and an unhealthy one is crossed out, so that no fact depends on color alone.
public struct SkyPicture {
  let sky: Sky
  let width: Double
  /// The satellites by system and number.
  let satellites: [Satellite]

  static let margin = 16.0

  public init(_ sky: Sky, width: Double = TrackPicture.wide) {
    self.sky = sky
    self.width = width
    satellites = sky.satellites.sorted {
      ($0.constellation.rawValue, $0.number ?? 999) < ($1.constellation.rawValue, $1.number ?? 999)
    }
  }

  private var isWide: Bool { width > 600 }

  public var figure: Figure {
    var canvas = SVGCanvas()
    var text = LegendFlow(left: SkyPicture.margin, right: width - SkyPicture.margin, y: 30)
    canvas.text("h", "Satellites in view", x: SkyPicture.margin, y: 30)
    text.newLine()
    text.write("t", facts, size: 12, into: &canvas)
    let top = text.y
    let radius = isWide ? 200.0 : (width - 2 * SkyPicture.margin) / 2 - 18
    let center = PlanePoint(x: SkyPicture.margin + radius + 18, y: top + radius + 14)
    drawPlot(center, radius, into: &canvas)
    let plotEnd = center.y + radius + 30
    let barsLeft = isWide ? center.x + radius + 44 : SkyPicture.margin
    let barsEnd = drawBars(
      left: barsLeft, right: width - SkyPicture.margin, top: isWide ? top + 8 : plotEnd + 8,
      into: &canvas)
    var legend = LegendFlow(
      left: SkyPicture.margin, right: width - SkyPicture.margin,
      y: max(plotEnd, barsEnd) + 14)
    drawLegend(&legend, into: &canvas)
    let height = legend.y + 12
    var page = SVGCanvas()
    page.rectangle("bg", x: 0, y: 0, width: width, height: height)
    page.append(canvas)
    return Figure(
      width: width, height: height, title: "Satellites in view",
      summary: facts.joined(separator: ", "), canvas: page,
      facts: [("satellites", "\(satellites.count)"), ("used", "\(sky.usedCount)")])
  }

  /// The sky in a few phrases.
  public var facts: [String] {
    var facts = ["\(satellites.count) in view", "\(sky.usedCount) used"]
    for (name, factor) in [
      ("HDOP", sky.horizontalDilution), ("VDOP", sky.verticalDilution),
      ("PDOP", sky.positionDilution),
    ] {
      if let factor { facts.append("\(name) \(DecimalText.fixed(factor, places: 2))") }
    }
    if let time = sky.time { facts.append("\(ClockText.dateAndTime(time)) UTC") }
    return facts
  }

  /// Such as `G12`; `R?` for a GLONASS satellite of an unknown slot.
  static func name(_ satellite: Satellite) -> String {
    // RINEX numbers SBAS satellites from 100 on.
    let first = satellite.constellation == .sbas ? 100 : 0
    return letter(satellite.constellation) + (satellite.number.map { String($0 - first) } ?? "?")
  }

  static func letter(_ constellation: Satellite.Constellation) -> String {
    switch constellation {
    case .gps: "G"
    case .sbas: "S"
    case .galileo: "E"
    case .beidou: "C"
    case .imes: "M"
    case .qzss: "J"
    case .glonass: "R"
    case .navic: "I"
    }
  }

  // MARK: The plot

  private func drawPlot(_ center: PlanePoint, _ radius: Double, into canvas: inout SVGCanvas) {
    for elevation in [0.0, 30, 60] {
      canvas.circle(
        elevation == 0 ? "frame" : "grid", x: center.x, y: center.y,
        radius: radius * (90 - elevation) / 90)
    }
    canvas.line("grid", center.x - radius, center.y, center.x + radius, center.y)
    canvas.line("grid", center.x, center.y - radius, center.x, center.y + radius)
    for elevation in [30, 60] {
      canvas.text(
        "s", "\(elevation)°", x: center.x + 4,
        y: center.y - radius * Double(90 - elevation) / 90 + 12)
    }
    for (name, dx, dy) in [("N", 0.0, -1.0), ("E", 1, 0), ("S", 0, 1), ("W", -1, 0)] {
      canvas.text(
        "t", name, x: center.x + dx * (radius + 11), y: center.y + dy * (radius + 11) + 4,
        anchor: .middle)
    }
    var taken: [PlanePoint] = []
    // Strong signals get their true places first.
    let order = satellites.sorted { $0.carrierToNoiseDBHz ?? 0 > $1.carrierToNoiseDBHz ?? 0 }
    for satellite in order {
      guard let place = SkyPicture.place(satellite, center, radius) else { continue }
      let free = SkyPicture.freePlace(near: place, taken)
      taken.append(free)
      if free != place {
        canvas.line("thin", place.x, place.y, free.x, free.y)
        canvas.circle("ink", x: place.x, y: place.y, radius: 1.5)
      }
      draw(satellite, at: free, into: &canvas)
    }
  }

  /// The place in the plot; nil without elevation and azimuth.
  ///
  /// A satellite below the horizon is at the horizon.
  static func place(
    _ satellite: Satellite, _ center: PlanePoint, _ radius: Double
  ) -> PlanePoint? {
    guard let elevation = satellite.elevationDegrees, let azimuth = satellite.azimuthDegrees else {
      return nil
    }
    let distance = radius * Double(90 - min(max(elevation, 0), 90)) / 90
    return PlanePoint(
      x: center.x + distance * sine(degrees: Double(azimuth)),
      y: center.y - distance * cosine(degrees: Double(azimuth)))
  }

  private static let symbolRadius = 11.0

  /// The nearest place at which a symbol covers no other.
  private static func freePlace(near place: PlanePoint, _ taken: [PlanePoint]) -> PlanePoint {
    let distance = 2 * symbolRadius + 1
    for ring in 0..<14 {
      for step in 0..<(ring == 0 ? 1 : 12) {
        let angle = Double(step) * 30 + Double(ring) * 15
        let away = Double(ring) * 12
        let free = PlanePoint(
          x: place.x + away * sine(degrees: angle), y: place.y - away * cosine(degrees: angle))
        if !taken.contains(where: { $0.squaredDistance(to: free) < distance * distance }) {
          return free
        }
      }
    }
    return place
  }

  private func draw(_ satellite: Satellite, at place: PlanePoint, into canvas: inout SVGCanvas) {
    let system = satellite.constellation.rawValue
    canvas.circle(
      satellite.isUsed ? "c\(system)" : "o\(system)", x: place.x, y: place.y,
      radius: SkyPicture.symbolRadius, title: description(of: satellite))
    canvas.text(
      satellite.isUsed ? "nu" : "n\(system)", SkyPicture.name(satellite), x: place.x,
      y: place.y + 3.5, anchor: .middle)
    if satellite.health == .unhealthy {
      canvas.line("rule", place.x - 9, place.y + 9, place.x + 9, place.y - 9)
    }
  }

  private func description(of satellite: Satellite) -> String {
    var parts = [SkyPicture.name(satellite) + " " + satellite.constellation.name]
    if let level = satellite.carrierToNoiseDBHz { parts.append("\(level) dB-Hz") }
    if let elevation = satellite.elevationDegrees, let azimuth = satellite.azimuthDegrees {
      parts.append("elevation \(elevation)°, azimuth \(azimuth)°")
    }
    parts.append(satellite.isUsed ? "used" : "not used")
    if satellite.health == .unhealthy { parts.append("unhealthy") }
    return parts.joined(separator: ", ")
  }
}

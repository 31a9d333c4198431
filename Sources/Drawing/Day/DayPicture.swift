import BinnacleBasics
import BinnacleModel
public import BinnacleText

/// The drawing of the last day: a lane for movement, receiver, indicator, each app, and the use of locations in the background.
///
/// Both height and color of a segment show its state. The state of a hatched part is unknown, because the daemon's
/// history begins with its start.
public struct DayPicture {
  let day: DayTimeline
  let width: Double

  private static let margin = 16.0
  private static let laneHeight = 22.0

  public init(_ day: DayTimeline, width: Double = TrackPicture.wide) {
    self.day = day
    self.width = width
  }

  private var isWide: Bool { width > 600 }
  /// Where the lanes begin: beside their names, or below them on a phone.
  private var left: Double { isWide ? 210 : DayPicture.margin }
  private var right: Double { width - DayPicture.margin }

  private func x(_ age: Double) -> Double {
    right - (right - left) * min(max(age, 0), DayTimeline.span) / DayTimeline.span
  }

  public var figure: Figure {
    var canvas = SVGCanvas()
    var text = LegendFlow(left: DayPicture.margin, right: right, y: 30)
    canvas.text("h", "The last 24 hours", x: DayPicture.margin, y: 30)
    text.newLine()
    text.write("t", facts, size: 12, into: &canvas)
    var y = text.y + 12
    let top = y
    var lanes = SVGCanvas()
    for lane in day.lanes { draw(lane, at: &y, into: &lanes) }
    for app in usingApps { drawUses(by: app, at: &y, into: &lanes) }
    drawHours(top: top, bottom: y, into: &canvas)
    canvas.append(lanes)
    var legend = LegendFlow(left: DayPicture.margin, right: right, y: y + 30)
    drawLegend(&legend, into: &canvas)
    let height = legend.y + 12
    var page = SVGCanvas()
    page.rectangle("bg", x: 0, y: 0, width: width, height: height)
    page.append(canvas)
    return Figure(
      width: width, height: height, title: "The last 24 hours",
      summary: facts.joined(separator: ", "), canvas: page,
      facts: [
        ("seconds-per-unit", SVGCanvas.number(DayTimeline.span / (right - left), places: 3)),
        ("left", SVGCanvas.number(left)), ("lanes", "\(day.lanes.count)"),
        ("uses", "\(day.uses.count)"),
      ])
  }

  /// The day in a few phrases.
  public var facts: [String] {
    var facts = ["until \(ClockText.dateAndTime(day.now)) UTC"]
    if day.daemonAge < DayTimeline.span {
      let start = day.now + Interval(nanoseconds: -Int64(day.daemonAge * 1e9))
      facts.append("the daemon started at \(ClockText.hourAndMinute(start))")
      facts.append("its history before that is unknown")
    }
    if day.lanes.isEmpty { facts.append("no history") }
    if day.appsLeftOut > 0 {
      facts.append(CountText.words(day.appsLeftOut, "more app") + " had no place")
    }
    return facts
  }

  // MARK: Lanes

  /// The name of a lane; returns where the lane begins.
  private func drawName(
    _ name: String, at y: inout Double, into canvas: inout SVGCanvas
  ) {
    if isWide {
      let clipped = SVGCanvas.clipped(name, size: 12, to: left - DayPicture.margin - 12)
      canvas.text("t", clipped, x: DayPicture.margin, y: y + DayPicture.laneHeight - 7)
    } else {
      let clipped = SVGCanvas.clipped(name, size: 12, to: right - left)
      canvas.text("t", clipped, x: DayPicture.margin, y: y + 12)
      y += 18
    }
  }

  private func draw(_ lane: DayTimeline.Lane, at y: inout Double, into canvas: inout SVGCanvas) {
    let name =
      switch lane.part {
      case .movement: "movement"
      case .receiver: "receiver"
      case .light: "indicator"
      case .app: lane.app ?? "?"
      }
    drawName(name, at: &y, into: &canvas)
    let bottom = y + DayPicture.laneHeight
    drawUnknown(until: lane.segments.first?.from ?? 0, top: y, bottom: bottom, into: &canvas)
    for run in runs(lane) {
      let height = DayPicture.height(run.state)
      canvas.rectangle(
        run.state.rawValue, x: run.from, y: bottom - height, width: run.to - run.from,
        height: height,
        title: run.title)
    }
    canvas.line("thin", left, bottom, right, bottom)
    y = bottom + (isWide ? 10 : 8)
  }

  private static func height(_ state: DayState) -> Double {
    switch state.level {
    case 3: laneHeight
    case 2: 14
    case 1: 7
    default: 2
    }
  }

  private struct Run {
    var from: Double
    var to: Double
    var state: DayState
    var title: String
  }

  /// The segments; neighbors that are narrower than half a unit become one, with the state of most activity.
  private func runs(_ lane: DayTimeline.Lane) -> [Run] {
    var runs: [Run] = []
    for segment in lane.segments {
      let run = Run(
        from: x(segment.from), to: x(segment.to), state: segment.state,
        title: "\(segment.state.words), \(span(segment.from, segment.to))")
      guard let last = runs.last, last.to - last.from < 0.5 || run.to - run.from < 0.5 else {
        runs.append(run)
        continue
      }
      if last.state == run.state || run.to - last.from < 1 {
        let isStronger = run.state.level > last.state.level
        runs[runs.count - 1].to = run.to
        if isStronger {
          (runs[runs.count - 1].state, runs[runs.count - 1].title) = (run.state, run.title)
        }
      } else {
        runs.append(run)
      }
    }
    // A short time with much activity is visible.
    return runs.map { run in
      var run = run
      if run.to - run.from < 1, run.state.level > 1 { run.from = max(left, run.to - 1) }
      return run
    }
  }

  private func span(_ from: Double, _ to: Double) -> String {
    func time(_ age: Double) -> String {
      ClockText.hourAndMinute(day.now + Interval(nanoseconds: -Int64(age * 1e9)))
    }
    return "\(time(from)) to \(to == 0 ? "now" : time(to)) (\(ClockText.duration(from - to)))"
  }

  private func drawUnknown(
    until age: Double, top: Double, bottom: Double, into canvas: inout SVGCanvas
  ) {
    let end = x(age)
    guard end - left > 0.5 else { return }
    canvas.rectangle("veil", x: left, y: top, width: end - left, height: bottom - top)
    canvas.nested([
      ("x", SVGCanvas.number(left)), ("y", SVGCanvas.number(top)),
      ("width", SVGCanvas.number(end - left)), ("height", SVGCanvas.number(bottom - top)),
    ]) { canvas in
      let height = bottom - top
      for start in stride(from: -height, to: end - left, by: 10) {
        canvas.line("hatch", start, height, start + height, 0)
      }
    }
  }

  // MARK: Use in the background

  private var usingApps: [String] {
    var apps: [String] = []
    for use in day.uses where !apps.contains(use.app) { apps.append(use.app) }
    return apps
  }

  private func drawUses(by app: String, at y: inout Double, into canvas: inout SVGCanvas) {
    drawName("\(isWide ? "use: " : "locations in the background: ")\(app)", at: &y, into: &canvas)
    let bottom = y + DayPicture.laneHeight
    for use in day.uses where use.app == app {
      let (from, to) = (x(use.from), x(use.to))
      let lamp = use.isLampVerified ? "indicator lit" : "indicator not read back"
      let place = (from: min(from, to - 1), width: max(1, to - from))
      canvas.rectangle(
        "use", x: place.from, y: bottom - 10, width: place.width, height: 10,
        title: "\(span(use.from, use.to)), \(CountText.words(use.updates, "location")), \(lamp)")
      // Without the indicator the bar is open at its top.
      if !use.isLampVerified {
        canvas.line("rule", place.from, bottom - 13, place.from + place.width, bottom - 13)
      }
    }
    canvas.line("thin", left, bottom, right, bottom)
    y = bottom + (isWide ? 10 : 8)
  }

  // MARK: Axis and legend

  private func drawHours(top: Double, bottom: Double, into canvas: inout SVGCanvas) {
    let calendar = day.now.calendar
    let sinceHour = Double(calendar.minute * 60 + calendar.second)
    let step = isWide ? 3 : 6
    for hour in 0..<24 {
      let name = (calendar.hour - hour + 24) % 24
      let place = x(sinceHour + Double(hour) * 3_600)
      let isNamed = name % step == 0
      if isNamed || isWide { canvas.line("grid", place, top - 4, place, bottom) }
      if isNamed, place > left + 10, place < right - 10 {
        canvas.text(
          "s", DecimalText.padded(name, width: 2) + ":00", x: place, y: bottom + 12, anchor: .middle
        )
      }
    }
  }

  private func drawLegend(_ flow: inout LegendFlow, into canvas: inout SVGCanvas) {
    for part in DayPart.allCases {
      let lanes = day.lanes.filter { $0.part == part }
      let states = DayState.allCases.filter { state in
        lanes.contains { $0.segments.contains { $0.state == state } }
      }
      for state in states {
        var label = state.words
        // A sum over several apps would be meaningless.
        if lanes.count == 1, part != .app {
          let total = DayTimeline.totals(of: lanes[0]).first { $0.state == state }
          if let total { label += " \(ClockText.duration(total.seconds))" }
        }
        entry(label, &flow, into: &canvas) { place, canvas in
          let height = DayPicture.height(state) * 0.6
          canvas.rectangle(
            state.rawValue, x: place.x, y: place.y + 1 - max(2, height), width: 14,
            height: max(2, height))
        }
      }
      if !states.isEmpty { flow.newLine() }
    }
    if !day.uses.isEmpty {
      entry("locations in the background", &flow, into: &canvas) { place, canvas in
        canvas.rectangle("use", x: place.x, y: place.y - 6, width: 14, height: 7)
      }
    }
    if day.daemonAge < DayTimeline.span {
      entry("unknown", &flow, into: &canvas) { place, canvas in
        canvas.rectangle("veil", x: place.x, y: place.y - 9, width: 14, height: 10)
        canvas.line("hatch", place.x + 2, place.y + 1, place.x + 12, place.y - 9)
      }
    }
  }

  private func entry(
    _ label: String, _ flow: inout LegendFlow, into canvas: inout SVGCanvas,
    _ draw: (PlanePoint, inout SVGCanvas) -> Void
  ) {
    let place = flow.next(width: 20 + SVGCanvas.width(of: label, size: 12) + 14)
    draw(place, &canvas)
    canvas.text("t", label, x: place.x + 20, y: place.y)
  }
}

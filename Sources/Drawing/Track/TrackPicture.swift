import BinnacleBasics

/// The drawing of a track: a plain grid with scale and north, the line colored by speed, accuracy, pauses, gaps and marks.
public struct TrackPicture {
  let shape: TrackShape
  let scale: SpeedScale
  let frame: PlotFrame
  let width: Double
  let count: Int
  let rejectedCount: Int

  static let margin = 16.0
  /// The widths of a drawing for a screen and for a phone.
  public static let (wide, narrow) = (900.0, 400.0)

  /// - Parameters:
  ///   - track: the points.
  ///   - width: the width of the drawing.
  public init(_ track: TrackCollection, width: Double = wide) {
    shape = TrackShape(track)
    scale = SpeedScale(shape.speeds)
    self.width = width
    count = track.count
    rejectedCount = track.rejectedCount
    let places = shape.legs.joined().map(\.place) + shape.marks
    let accuracy = shape.legs.first?.first?.accuracyMeters ?? 0
    frame = PlotFrame(
      places, margin: max(5, min(accuracy * 1.3, 20_000)), width: width - 2 * TrackPicture.margin)
  }

  /// The drawing, which depends on nothing else.
  public var figure: Figure {
    var canvas = SVGCanvas()
    var text = LegendFlow(left: TrackPicture.margin, right: width - TrackPicture.margin, y: 30)
    canvas.text("h", "Track", x: TrackPicture.margin, y: 30)
    text.newLine()
    text.write("t", facts, size: 12, into: &canvas)
    let top = text.y - 6
    drawPlot(top: top, into: &canvas)
    var legend = LegendFlow(
      left: TrackPicture.margin, right: width - TrackPicture.margin, y: top + frame.size.y + 28)
    drawScale(at: legend.y, into: &canvas)
    legend.newLine()
    legend.newLine()
    drawLegend(&legend, into: &canvas)
    let height = legend.y + 12
    var page = SVGCanvas()
    page.rectangle("bg", x: 0, y: 0, width: width, height: height)
    page.append(canvas)
    return Figure(
      width: width, height: height, title: "Track", summary: facts.joined(separator: ", "),
      canvas: page,
      facts: [
        ("meters-per-unit", SVGCanvas.number(1 / frame.unitsPerMeter, places: 6)),
        ("length-m", SVGCanvas.number(shape.lengthMeters)), ("positions", "\(count)"),
        ("pauses", "\(shape.pauses.count)"), ("gaps", "\(shape.gaps.count)"),
      ])
  }

  /// The track in a few phrases.
  public var facts: [String] {
    if count == 0 { return ["there are no positions"] }
    var facts: [String] = []
    if let span = shape.timeSpan {
      let (from, to) = (TrackPicture.time(span.from), TrackPicture.time(span.to))
      facts.append(from == to ? "\(from) UTC" : "\(from) to \(to) UTC")
      if from != to { facts.append(ClockText.duration(Double(span.to - span.from) / 1_000)) }
    } else {
      facts.append("the recording has no date")
    }
    if count > 1 { facts.append(RoundStep.length(shape.lengthMeters.rounded())) }
    facts.append(CountText.words(count, "position"))
    if !shape.pauses.isEmpty { facts.append(CountText.words(shape.pauses.count, "pause")) }
    if !shape.gaps.isEmpty { facts.append(CountText.words(shape.gaps.count, "gap")) }
    if rejectedCount > 0 {
      facts.append(CountText.words(rejectedCount, "impossible position") + " left out")
    }
    return facts
  }

  private static func time(_ milliseconds: Int64) -> String {
    ClockText.dateAndTime(UTCTime(secondsSince1970: milliseconds / 1_000))
  }
}

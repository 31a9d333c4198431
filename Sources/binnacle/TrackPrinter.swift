import BinnacleModel
import BinnacleText
import LocationEngine

/// Writes the points of a track: one line each for people or programs, or a GPX 1.1 document.
///
/// A gap of more than three periods, and more than ten seconds, begins a new segment of the document: a segment is "a
/// continuous span of track data" (GPX 1.1 schema, trksegType). GPX 1.1 has no speed and course; they are in Garmin's
/// extension (TrackPointExtension v2), which other programs also read.
struct TrackPrinter {
  private let form: TrackCommand.Form
  private var text = ""
  private var last: TrackPoint?

  private static let gapMin: Int64 = 10_000

  init(_ form: TrackCommand.Form) {
    self.form = form
  }

  mutating func begin() -> Bool {
    guard form == .gpx else { return true }
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="binnacle \(Release.version)" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
      xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">

      """
    return flush()
  }

  /// Writes a mark before the track: GPX 1.1 has waypoints before tracks (gpxType).
  mutating func addWaypoint(_ point: TrackPoint) {
    text += TrackPrinter.element("wpt", point, name: "mark") + "\n"
  }

  /// Begins the track after the waypoints.
  mutating func beginTrack() {
    if form == .gpx { text += "<trk>\n" }
  }

  mutating func add(_ point: TrackPoint, of stretch: TrackStretch) {
    switch form {
    case .lines: text += TrackPrinter.line(point) + "\n"
    case .json: text += TrackPrinter.json(point) + "\n"
    // Marks are waypoints.
    case .gpx where point.isMark: return
    case .gpx:
      if let last, isGap(last, point, stretch) { text += "</trkseg>\n<trkseg>\n" }
      if last == nil { text += "<trkseg>\n" }
      text += TrackPrinter.element("trkpt", point) + "\n"
    }
    last = point
  }

  /// Writes the collected text; false if standard output is closed.
  mutating func flush() -> Bool {
    defer { text.removeAll(keepingCapacity: true) }
    return text.isEmpty || Output.write(Array(text.utf8))
  }

  mutating func end() -> Bool {
    if form == .gpx { text += (last == nil ? "" : "</trkseg>\n") + "</trk>\n</gpx>\n" }
    return flush()
  }

  private func isGap(_ last: TrackPoint, _ next: TrackPoint, _ stretch: TrackStretch) -> Bool {
    let step = next.timeMilliseconds - last.timeMilliseconds
    return step < 0 || step > max(3 * stretch.periodMilliseconds, TrackPrinter.gapMin)
  }

  // MARK: One point

  private static func line(_ point: TrackPoint) -> String {
    var parts = [
      point.time.rfc3339(fractionDigits: 3),
      "\(degrees(point.latitudeE7)), \(degrees(point.longitudeE7))",
      "±\(number(point.horizontalAccuracyCentimeters, 100)) m",
    ]
    if point.verticalAccuracyCentimeters >= 0 {
      parts.append(
        "altitude \(number(point.altitudeCentimeters, 100)) "
          + "±\(number(point.verticalAccuracyCentimeters, 100)) m")
    }
    if point.speedCentimetersPerSecond >= 0 {
      parts.append("\(number(point.speedCentimetersPerSecond, 100)) m/s")
    }
    if point.courseDecidegrees >= 0 {
      parts.append("course \(number(point.courseDecidegrees, 10))°")
    }
    if point.isMark { parts.append("mark") }
    return parts.joined(separator: "  ")
  }

  private static func json(_ point: TrackPoint) -> String {
    var object = JSONObject()
    object.add("latitude", Double(point.latitudeE7) / 1e7)
    object.add("longitude", Double(point.longitudeE7) / 1e7)
    if point.verticalAccuracyCentimeters >= 0 {
      object.add("altitude", Double(point.altitudeCentimeters) / 100)
      object.add("verticalAccuracy", Double(point.verticalAccuracyCentimeters) / 100)
    }
    object.add("horizontalAccuracy", Double(point.horizontalAccuracyCentimeters) / 100)
    if point.speedCentimetersPerSecond >= 0 {
      object.add("speed", Double(point.speedCentimetersPerSecond) / 100)
    }
    if point.courseDecidegrees >= 0 {
      object.add("course", Double(point.courseDecidegrees) / 10)
    }
    object.add("timestamp", point.time.rfc3339(fractionDigits: 3))
    if point.isMark { object.add("mark", true) }
    return object.text
  }

  /// The elements in the order of the schema: ele, time, name, extensions.
  private static func element(_ tag: String, _ point: TrackPoint, name: String? = nil) -> String {
    var element =
      "<\(tag) lat=\"\(degrees(point.latitudeE7))\" lon=\"\(degrees(point.longitudeE7))\">"
    if point.verticalAccuracyCentimeters >= 0 {
      element += "<ele>\(number(point.altitudeCentimeters, 100))</ele>"
    }
    element += "<time>\(point.time.rfc3339(fractionDigits: 3))</time>"
    if let name { element += "<name>\(name)</name>" }
    var extra = ""
    if point.speedCentimetersPerSecond >= 0 {
      extra += "<gpxtpx:speed>\(number(point.speedCentimetersPerSecond, 100))</gpxtpx:speed>"
    }
    if point.courseDecidegrees >= 0 {
      extra += "<gpxtpx:course>\(number(point.courseDecidegrees, 10))</gpxtpx:course>"
    }
    if !extra.isEmpty {
      element +=
        "<extensions><gpxtpx:TrackPointExtension>\(extra)</gpxtpx:TrackPointExtension></extensions>"
    }
    return element + "</\(tag)>"
  }

  private static func degrees(_ value: Int64) -> String { number(value, 10_000_000) }

  /// An integer number of parts as an exact decimal: 1234 hundredths are 12.34.
  private static func number(_ value: Int64, _ parts: Int64) -> String {
    let rest = String(value.magnitude % UInt64(parts))
    let zeros = String(repeating: "0", count: max(0, String(parts).count - 1 - rest.count))
    return (value < 0 ? "-" : "") + "\(value.magnitude / UInt64(parts)).\(zeros)\(rest)"
  }
}

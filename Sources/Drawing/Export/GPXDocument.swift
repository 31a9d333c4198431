/// GPX 1.1: a segment for each leg of the track.
///
/// A segment is "a continuous span of track data" (GPX 1.1 schema, trksegType). GPX 1.1 has no speed and course; they are
/// in Garmin's extension (TrackPointExtension v2), which other programs also read.
struct GPXDocument: TrackDocument {
  private let creator: String
  private var rule = GapRule()
  private var state = State.waypoints

  private enum State {
    case waypoints
    case track
    case segment
  }

  init(creator: String) { self.creator = creator }

  mutating func begin() -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="\(Markup.escaped(creator))" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
    xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
    xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">

    """
  }

  mutating func addMark(_ mark: TrackSample) -> String {
    GPXDocument.element("wpt", mark, name: "mark") + "\n"
  }

  mutating func add(_ sample: TrackSample) -> String {
    let isGap = rule.isGap(before: sample)
    let start =
      switch state {
      case .waypoints: "<trk>\n<trkseg>\n"
      case .track: "<trkseg>\n"
      case .segment: isGap ? "</trkseg>\n<trkseg>\n" : ""
      }
    state = .segment
    return start + GPXDocument.element("trkpt", sample) + "\n"
  }

  mutating func end() -> String {
    switch state {
    case .waypoints: "<trk>\n</trk>\n</gpx>\n"
    case .track: "</trk>\n</gpx>\n"
    case .segment: "</trkseg>\n</trk>\n</gpx>\n"
    }
  }

  /// The elements in the order of the schema: ele, time, name, extensions.
  private static func element(_ tag: String, _ sample: TrackSample, name: String? = nil) -> String {
    let latitude = DecimalParts.degrees(sample.latitudeE7)
    let longitude = DecimalParts.degrees(sample.longitudeE7)
    var element = "<\(tag) lat=\"\(latitude)\" lon=\"\(longitude)\">"
    if let altitude = sample.altitudeCentimeters {
      element += "<ele>\(DecimalParts.hundredths(altitude))</ele>"
    }
    if let time = sample.time { element += "<time>\(time.rfc3339(fractionDigits: 3))</time>" }
    if let name { element += "<name>\(name)</name>" }
    var extra = ""
    if let speed = sample.speedCentimetersPerSecond {
      extra += "<gpxtpx:speed>\(DecimalParts.hundredths(speed))</gpxtpx:speed>"
    }
    if let course = sample.courseDecidegrees {
      extra += "<gpxtpx:course>\(DecimalParts.number(course, 10))</gpxtpx:course>"
    }
    if !extra.isEmpty {
      element +=
        "<extensions><gpxtpx:TrackPointExtension>\(extra)</gpxtpx:TrackPointExtension></extensions>"
    }
    return element + "</\(tag)>"
  }
}

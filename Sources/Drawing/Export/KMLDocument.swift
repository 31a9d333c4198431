/// KML 2.2: a `gx:Track` with times for each leg, or a line for a leg without times.
struct KMLDocument: TrackDocument {
  private let creator: String
  private var piece = LegPiece()
  private var count = 0

  init(creator: String) { self.creator = creator }

  mutating func begin() -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
    <Document>
    <name>Track</name>
    <description>\(Markup.escaped(creator))</description>
    <Style id="track"><LineStyle><color>ffda6909</color><width>4</width></LineStyle></Style>

    """
  }

  mutating func addMark(_ mark: TrackSample) -> String {
    let time = mark.time.map {
      "<TimeStamp><when>\($0.rfc3339(fractionDigits: 3))</when></TimeStamp>"
    }
    return "<Placemark><name>mark</name>\(time ?? "")<Point>\(KMLDocument.mode([mark]))"
      + "<coordinates>\(KMLDocument.coordinates(mark, ","))</coordinates></Point></Placemark>\n"
  }

  mutating func add(_ sample: TrackSample) -> String {
    piece.add(sample).map { write($0) } ?? ""
  }

  mutating func end() -> String {
    (piece.end().map { write($0) } ?? "") + "</Document>\n</kml>\n"
  }

  private mutating func write(_ samples: [TrackSample]) -> String {
    count += 1
    var text = "<Placemark><name>leg \(count)</name><styleUrl>#track</styleUrl>\n"
    if samples.allSatisfy({ $0.timeMilliseconds != nil }) {
      text += "<gx:Track>\(KMLDocument.mode(samples))\n"
      for sample in samples {
        if let time = sample.time { text += "<when>\(time.rfc3339(fractionDigits: 3))</when>\n" }
      }
      for sample in samples {
        text += "<gx:coord>\(KMLDocument.coordinates(sample, " "))</gx:coord>\n"
      }
      text += "</gx:Track>"
    } else if samples.count == 1 {
      text += "<Point>\(KMLDocument.mode(samples))<coordinates>"
      text += "\(KMLDocument.coordinates(samples[0], ","))</coordinates></Point>"
    } else {
      text += "<LineString>\(KMLDocument.mode(samples))<coordinates>\n"
      for sample in samples { text += KMLDocument.coordinates(sample, ",") + "\n" }
      text += "</coordinates></LineString>"
    }
    return text + "</Placemark>\n"
  }

  /// Heights of KML are over mean sea level; without the height of each point the line lies on the ground.
  private static func mode(_ samples: [TrackSample]) -> String {
    let isAbsolute = samples.allSatisfy { $0.altitudeCentimeters != nil }
    return "<altitudeMode>\(isAbsolute ? "absolute" : "clampToGround")</altitudeMode>"
  }

  private static func coordinates(_ sample: TrackSample, _ separator: String) -> String {
    [
      DecimalParts.degrees(sample.longitudeE7), DecimalParts.degrees(sample.latitudeE7),
      DecimalParts.hundredths(sample.altitudeCentimeters ?? 0),
    ].joined(separator: separator)
  }
}

import BinnacleModel
import BinnacleText
import Drawing

/// The points of a track as rows for people or programs.
struct TrackPrinter {
  let isJSON: Bool

  /// A line with its line feed.
  func row(_ sample: TrackSample) -> String {
    (isJSON ? TrackPrinter.json(sample) : TrackPrinter.line(sample)) + "\n"
  }

  private static func line(_ sample: TrackSample) -> String {
    var parts = [
      sample.time?.rfc3339(fractionDigits: 3) ?? "time unknown",
      "\(degrees(sample.latitudeE7)), \(degrees(sample.longitudeE7))",
    ]
    if let accuracy = sample.accuracyCentimeters { parts.append("±\(number(accuracy, 100)) m") }
    if let altitude = sample.altitudeCentimeters {
      let accuracy = sample.verticalAccuracyCentimeters.map { " ±\(number($0, 100))" } ?? ""
      parts.append("altitude \(number(altitude, 100))\(accuracy) m")
    }
    if let speed = sample.speedCentimetersPerSecond { parts.append("\(number(speed, 100)) m/s") }
    if let course = sample.courseDecidegrees { parts.append("course \(number(course, 10))°") }
    if sample.isMark { parts.append("mark") }
    return parts.joined(separator: "  ")
  }

  private static func json(_ sample: TrackSample) -> String {
    var object = JSONObject()
    object.add("latitude", Double(sample.latitudeE7) / 1e7)
    object.add("longitude", Double(sample.longitudeE7) / 1e7)
    if let altitude = sample.altitudeCentimeters { object.add("altitude", Double(altitude) / 100) }
    if let accuracy = sample.verticalAccuracyCentimeters {
      object.add("verticalAccuracy", Double(accuracy) / 100)
    }
    if let accuracy = sample.accuracyCentimeters {
      object.add("horizontalAccuracy", Double(accuracy) / 100)
    }
    if let speed = sample.speedCentimetersPerSecond { object.add("speed", Double(speed) / 100) }
    if let course = sample.courseDecidegrees { object.add("course", Double(course) / 10) }
    if let time = sample.time { object.add("timestamp", time.rfc3339(fractionDigits: 3)) }
    if sample.isMark { object.add("mark", true) }
    return object.text
  }

  private static func degrees(_ value: Int64) -> String { DecimalParts.degrees(value) }

  private static func number(_ value: Int64, _ parts: Int64) -> String {
    DecimalParts.number(value, parts)
  }
}

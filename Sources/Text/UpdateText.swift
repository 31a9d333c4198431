import BinnacleBasics
public import BinnacleModel

/// The formats of an update in `binnacle watch`.
public enum UpdateText {
  /// One JSON object; `Docs/SPEC-json.md` lists its keys.
  ///
  /// - Parameters:
  ///   - update: the update.
  ///   - nanoseconds: the time of the update's arrival on `CLOCK_MONOTONIC`.
  /// - Returns: the object in one line.
  public static func json(_ update: Update, receivedAt nanoseconds: Int64) -> String {
    var object = JSONObject()
    if let fix = update.fix {
      object.add("latitude", fix.latitude)
      object.add("longitude", fix.longitude)
      object.add("altitude", fix.altitude)
      object.add("ellipsoidalAltitude", fix.ellipsoidalAltitude)
      object.add("horizontalAccuracy", fix.horizontalAccuracy)
      object.add("verticalAccuracy", fix.verticalAccuracy)
      object.add("speed", fix.speed)
      object.add("speedAccuracy", fix.speedAccuracy)
      object.add("course", fix.course)
      object.add("courseAccuracy", fix.courseAccuracy)
      object.add("timestamp", timestamp(fix.time))
    }
    object.add("stationary", update.flags.contains(.stationary))
    for (name, flag) in Update.Flags.reasons where update.flags.contains(flag) {
      object.add(name, true)
    }
    object.add("received_monotonic_ns", nanoseconds)
    return object.text
  }

  /// One line for a person.
  public static func line(_ update: Update) -> String {
    var parts: [String] = []
    if let fix = update.fix {
      parts.append(timestamp(fix.time))
      parts.append(
        "\(DecimalText.fixed(fix.latitude, places: 7)), \(DecimalText.fixed(fix.longitude, places: 7))"
      )
      parts.append("±\(DecimalText.fixed(fix.horizontalAccuracy, places: 1)) m")
      if fix.verticalAccuracy > 0 {
        parts.append(
          "altitude \(DecimalText.fixed(fix.altitude, places: 1)) ±\(DecimalText.fixed(fix.verticalAccuracy, places: 1)) m"
        )
      }
      if fix.speed >= 0 { parts.append("\(DecimalText.fixed(fix.speed, places: 2)) m/s") }
      if fix.course >= 0 { parts.append("course \(DecimalText.fixed(fix.course, places: 1))°") }
    } else {
      parts.append("no location")
    }
    if update.flags.contains(.stationary) { parts.append("stationary") }
    for (name, flag) in Update.Flags.reasons where update.flags.contains(flag) {
      parts.append(name)
    }
    return parts.joined(separator: "  ")
  }

  /// The time rounded to milliseconds, because receivers' time stamps are some microseconds off the full second.
  private static func timestamp(_ time: UTCTime) -> String {
    (time + .microseconds(500)).rfc3339(fractionDigits: 3)
  }
}

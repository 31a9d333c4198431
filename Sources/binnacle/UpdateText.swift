import BinnacleBasics
import BinnacleModel

/// How `binnacle watch` shows an update.
enum UpdateText {
  /// One JSON object; `Docs/SPEC-json.md` lists its keys.
  static func json(_ update: Update) -> String {
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
    for (name, flag) in reasons where update.flags.contains(flag) {
      object.add(name, true)
    }
    return object.text
  }

  /// One line for a person.
  static func line(_ update: Update) -> String {
    var parts: [String] = []
    if let fix = update.fix {
      parts.append(timestamp(fix.time))
      parts.append("\(decimal(fix.latitude, 7)), \(decimal(fix.longitude, 7))")
      parts.append("±\(decimal(fix.horizontalAccuracy, 1)) m")
      if fix.verticalAccuracy > 0 {
        parts.append(
          "altitude \(decimal(fix.altitude, 1)) ±\(decimal(fix.verticalAccuracy, 1)) m")
      }
      if fix.speed >= 0 { parts.append("\(decimal(fix.speed, 2)) m/s") }
      if fix.course >= 0 { parts.append("course \(decimal(fix.course, 1))°") }
    } else {
      parts.append("no location")
    }
    if update.flags.contains(.stationary) { parts.append("stationary") }
    for (name, flag) in reasons where update.flags.contains(flag) { parts.append(name) }
    return parts.joined(separator: "  ")
  }

  /// The time to the nearest millisecond: receivers stamp their epochs some microseconds beside the second.
  private static func timestamp(_ time: UTCTime) -> String {
    (time + .microseconds(500)).rfc3339(fractionDigits: 3)
  }

  private static let reasons: [(String, Update.Flags)] = [
    ("authorizationDenied", .authorizationDenied),
    ("authorizationDeniedGlobally", .authorizationDeniedGlobally),
    ("authorizationRestricted", .authorizationRestricted),
    ("insufficientlyInUse", .insufficientlyInUse),
    ("locationUnavailable", .locationUnavailable),
    ("accuracyLimited", .accuracyLimited),
    ("serviceSessionRequired", .serviceSessionRequired),
    ("authorizationRequestInProgress", .authorizationRequestInProgress),
  ]

  /// A number with a fixed count of decimals, rounded half away from zero.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    guard let scaled = Int64(exactly: (value.magnitude * scale).rounded()) else {
      return value.description
    }
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard digits > 0 else { return sign + String(scaled) }
    let text = String(scaled)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}

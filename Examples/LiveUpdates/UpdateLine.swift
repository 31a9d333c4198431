import CoreLocation

/// Updates in words and numbers for a person.
enum UpdateLine {
  /// A location without what is unknown of it.
  static func text(of location: CLLocation) -> String {
    var parts = [
      time(of: location.timestamp),
      String(
        format: "%.7f, %.7f ± %.1f m", location.coordinate.latitude,
        location.coordinate.longitude, location.horizontalAccuracy),
    ]
    if location.verticalAccuracy > 0 {
      parts.append(
        String(format: "%.1f ± %.1f m high", location.altitude, location.verticalAccuracy))
    }
    if location.speed >= 0 { parts.append(String(format: "%.1f m/s", location.speed)) }
    if location.course >= 0 { parts.append(String(format: "%.0f°", location.course)) }
    if location.sourceInformation?.isSimulatedBySoftware == true { parts.append("simulated") }
    return parts.joined(separator: "  ")
  }

  /// The update as a JSON object.
  static func json(of update: CLLocationUpdate, receivedAt nanoseconds: Int64) -> String {
    var parts: [String] = []
    if let location = update.location {
      parts.append("\"latitude\":\(location.coordinate.latitude)")
      parts.append("\"longitude\":\(location.coordinate.longitude)")
      parts.append("\"horizontalAccuracy\":\(location.horizontalAccuracy)")
    }
    parts.append("\"stationary\":\(update.stationary)")
    let flags: [(name: String, isSet: Bool)] = [
      ("authorizationDenied", update.authorizationDenied),
      ("authorizationDeniedGlobally", update.authorizationDeniedGlobally),
      ("authorizationRestricted", update.authorizationRestricted),
      ("authorizationRequestInProgress", update.authorizationRequestInProgress),
      ("insufficientlyInUse", update.insufficientlyInUse),
      ("serviceSessionRequired", update.serviceSessionRequired),
      ("accuracyLimited", update.accuracyLimited),
      ("locationUnavailable", update.locationUnavailable),
    ]
    for flag in flags where flag.isSet { parts.append("\"\(flag.name)\":true") }
    parts.append("\"received_monotonic_ns\":\(nanoseconds)")
    return "{\(parts.joined(separator: ","))}"
  }

  /// The time of `CLOCK_MONOTONIC` in nanoseconds.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time of day in UTC to the nearest millisecond; Foundation's own formats cut instead of rounding.
  private static func time(of date: Date) -> String {
    guard let sinceDay0 = Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) else {
      return "at no time"
    }
    let day: Int64 = 86_400_000
    let milliseconds = (sinceDay0 % day + day) % day
    let (seconds, minutes) = (milliseconds / 1_000, milliseconds / 60_000)
    return String(
      format: "%02d:%02d:%02d.%03d", Int(minutes / 60), Int(minutes % 60), Int(seconds % 60),
      Int(milliseconds % 1_000))
  }

  /// Why no more locations come for now, a sentence for each reason.
  static func explanations(of update: CLLocationUpdate) -> [String] {
    let reasons: [(holds: Bool, sentence: String)] = [
      (update.stationary, "resting: updates pause until the board moves"),
      (update.authorizationRequestInProgress, "waiting for the user's answer"),
      (update.authorizationDeniedGlobally, "location services are off"),
      (
        update.authorizationDenied && !update.authorizationDeniedGlobally,
        "this program may not know its location"
      ),
      (update.authorizationRestricted, "policy forbids location"),
      (update.insufficientlyInUse, "this program is not in use"),
      (update.serviceSessionRequired, "a service session is needed"),
      (update.accuracyLimited, "only a coarse location, and rarely"),
      (update.locationUnavailable, "no location: no fix, or the daemon is away"),
    ]
    return reasons.filter(\.holds).map(\.sentence)
  }
}

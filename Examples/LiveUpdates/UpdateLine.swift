import CoreLocation

/// Updates in words and numbers for a person.
enum UpdateLine {
  /// A location without what is unknown of it.
  static func text(of location: CLLocation) -> String {
    let time = location.timestamp.formatted(.iso8601.time(includingFractionalSeconds: true))
    var parts = [
      time,
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

import CoreLocation

/// Records a trip with the delegate methods alone, as an app for iOS does.
///
/// The file has nothing of Linux or of Binnacle.
final class TripRecorder: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let report: (String) -> Void
  private(set) var visited: [CLLocation] = []
  private var isStarted = false
  private var session: CLServiceSession?

  /// - Parameter report: gets a line for each event.
  init(report: @escaping (String) -> Void) {
    self.report = report
    super.init()
    manager.delegate = self
    manager.activityType = .fitness
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.distanceFilter = kCLDistanceFilterNone
  }

  /// Also records while the app is in the background.
  func recordInBackground() {
    manager.allowsBackgroundLocationUpdates = true
    manager.pausesLocationUpdatesAutomatically = false
  }

  /// Records cells of some kilometers only.
  func recordRoughly() { manager.desiredAccuracy = kCLLocationAccuracyReduced }

  /// Asks for the exact location with the usage text for the purpose `trip`, while the user gives the approximate one.
  func recordExactly() {
    session = CLServiceSession(authorization: .whenInUse, fullAccuracyPurposeKey: "trip")
  }

  func finish() {
    manager.stopUpdatingLocation()
    session?.invalidate()
    report("finished with \(visited.count) locations")
  }

  // MARK: CLLocationManagerDelegate

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined:
      report("asking")
      manager.requestWhenInUseAuthorization()
    case .authorizedAlways, .authorizedWhenInUse:
      if isStarted { return }
      isStarted = true
      let isExact = manager.accuracyAuthorization == .fullAccuracy
      report("authorized, \(isExact ? "exact" : "approximate")")
      manager.startUpdatingLocation()
    case .denied: report("denied")
    case .restricted: report("restricted")
    @unknown default: report("unknown")
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations where location.horizontalAccuracy >= 0 {
      visited.append(location)
      let place = location.coordinate
      report(String(format: "at %.4f, %.4f", place.latitude, place.longitude))
    }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    switch error {
    case CLError.locationUnknown: report("no location at present")
    case CLError.denied:
      manager.stopUpdatingLocation()
      report("stopped, because location is denied")
    default: report("failed: \(error.localizedDescription)")
    }
  }

  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
    report("paused")
    manager.startUpdatingLocation()
  }

  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
    report("resumed")
  }
}

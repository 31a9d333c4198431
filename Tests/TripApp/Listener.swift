import CoreLocation

/// A delegate that adopts the protocol and has none of its methods.
class Listener: NSObject, CLLocationManagerDelegate {}

/// A delegate whose methods Swift does not call, unlike iOS.
final class LateListener: Listener {
  private let manager = CLLocationManager()

  func listen() {
    manager.delegate = self
    manager.startUpdatingLocation()
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    print("a location")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("an error")
  }
}

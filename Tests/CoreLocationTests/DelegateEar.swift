import CoreLocation
import Foundation

/// A delegate that records its calls as words.
///
/// Its stream may be used on every thread.
final class DelegateEar: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  private let heard: AsyncStream<String>.Continuation
  private let stream: AsyncStream<String>

  override init() {
    (stream, heard) = AsyncStream.makeStream()
    super.init()
  }

  /// The next call.
  func next() async -> String? {
    for await word in stream { return word }
    return nil
  }

  /// The number of an error of Core Location; -1: another error.
  static func code(_ error: any Error) -> Int { (error as? CLError)?.code.rawValue ?? -1 }

  // MARK: CLLocationManagerDelegate

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    heard.yield("authorization \(manager.authorizationStatus.rawValue)")
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations { heard.yield("at \(location.coordinate.latitude)") }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    heard.yield("failed \(DelegateEar.code(error))")
  }

  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
    heard.yield("paused")
  }

  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
    heard.yield("resumed")
  }

  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {
    heard.yield("deferred \(error.map { DelegateEar.code($0) } ?? 0)")
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    heard.yield("state of \(region.identifier) \(state.rawValue)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    heard.yield("monitoring of \(region?.identifier ?? "-") failed \(DelegateEar.code(error))")
  }

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {
    heard.yield("ranging of \(beaconConstraint.major ?? 0) failed \(DelegateEar.code(error))")
  }

  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error
  ) {
    heard.yield("ranging in \(region.identifier) failed \(DelegateEar.code(error))")
  }
}

public import Foundation

/// The methods through which a manager informs an app.
///
/// Each method has an empty default, because Linux has no optional requirements. The manager calls the methods on the
/// main queue if it was created on the main thread, else on the run loop of the thread that created it.
///
/// The class that adopts the protocol declares the methods, and its subclasses override them. A method that only a subclass
/// declares is not called, because Swift does not call methods by selector. If a location or an error is lost in this way, one line
/// for the class appears on standard error.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  /// New locations, the oldest first.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// A new heading; no board has a compass today.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Whether the calibration of the compass may be shown.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
  /// The state of a region is known.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// Beacons were ranged.
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint)
  /// Ranging of beacons failed.
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error)
  /// The former form of ``locationManager(_:didRange:satisfying:)``.
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)
  /// The former form of ``locationManager(_:didFailRangingFor:error:)``.
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error)
  /// The board entered a region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The board left a region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// A location or another service failed; `CLError.locationUnknown` is temporary.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// Monitoring of a region failed.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )
  /// The former form of ``locationManagerDidChangeAuthorization(_:)``.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// The authorization is known, or it has changed.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// Monitoring of a region has begun.
  func locationManager(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// Updates pause because the board rests; the app starts them again.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// Updates that had paused have begun again.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
  /// Deferred updates have ended.
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
  /// A visit began or ended.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
}

extension CLLocationManagerDelegate {
  public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    UncalledMethods.ofThisProcess.defaultCalled("locationManager(_:didUpdateLocations:)", of: self)
  }
  public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  {}
  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
    false
  }
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}
  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {}
  public func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {}
  public func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {}
  public func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error
  ) {}
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    UncalledMethods.ofThisProcess.defaultCalled("locationManager(_:didFailWithError:)", of: self)
  }
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    UncalledMethods.ofThisProcess.defaultCalled(
      "locationManagerDidChangeAuthorization(_:)", of: self)
  }
  /// Calls the former method, for a delegate that implements only that one.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }
  public func locationManager(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
  ) {}
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
  public func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {}
  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}

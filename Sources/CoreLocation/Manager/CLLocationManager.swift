internal import BinnacleModel
public import Foundation
internal import Synchronization

/// The classic interface to location services: authorization, and standard updates to a delegate.
///
/// A manager belongs to the thread that made it. The delegate is called on the main queue for a manager of the main
/// thread, else on the run loop of that thread. A forked child makes managers of its own: in the child a manager of the
/// parent gets no changes of the authorization.
open class CLLocationManager: NSObject {
  private let core: ClassicService

  /// Makes a manager; the delegate soon gets the present authorization.
  public override init() {
    let parts = CLLocationManager.partsOfTest.get() ?? .ofThisProcess
    core = ClassicService(
      parts.authorization, service: parts.service, searchEnd: parts.searchEnd)
    super.init()
    core.begin(for: self)
  }

  deinit { core.end() }

  /// The object that is informed; the manager does not keep it.
  ///
  /// A task may set it while the main queue calls the delegate.
  open weak var delegate: (any CLLocationManagerDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  // MARK: Capabilities

  /// Whether location services are on for the whole board.
  open class func locationServicesEnabled() -> Bool {
    AuthorizationStorage.ofThisProcess.state.areServicesOn
  }

  /// The authorization of the app; the property of the same name replaces this method.
  @available(*, deprecated, message: "use the property authorizationStatus")
  open class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(AuthorizationStorage.ofThisProcess.state.authorization)
  }

  /// Whether the board has a compass: no.
  open class func headingAvailable() -> Bool { false }
  /// Whether significant changes of the location are reported: no.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { false }
  /// Whether regions of a class are monitored: no.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }
  /// Whether beacons are ranged: no.
  open class func isRangingAvailable() -> Bool { false }
  /// Whether updates can be deferred: no.
  open class func deferredLocationUpdatesAvailable() -> Bool { false }

  // MARK: Authorization

  /// The authorization of the app; `denied` while location services are off.
  open var authorizationStatus: CLAuthorizationStatus {
    CLAuthorizationStatus(core.authorization.state.authorization)
  }

  /// The accuracy of the app's locations; it counts only together with the authorization.
  open var accuracyAuthorization: CLAccuracyAuthorization {
    core.authorization.state.isReduced ? .reducedAccuracy : .fullAccuracy
  }

  /// Whether widgets get locations: no.
  open var isAuthorizedForWidgetUpdates: Bool { false }

  /// Asks the user for locations while the app is in use, if the user has not answered yet and the app is in the foreground.
  open func requestWhenInUseAuthorization() {
    core.request(.authorizationRequest(isAlways: false))
  }

  /// Asks the user for locations at all times; from `authorizedWhenInUse` the user is asked once.
  open func requestAlwaysAuthorization() { core.request(.authorizationRequest(isAlways: true)) }

  /// Asks the user for full accuracy until the app is no longer in use.
  ///
  /// - Parameters:
  ///   - purposeKey: the key of the usage text, `TemporaryUsageDescription.KEY` in the manifest.
  ///   - completion: is called after the answer, with nil; with `CLError.promptDeclined` if the user was not asked.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    nonisolated(unsafe) let completion = completion
    core.requestFullAccuracy(purposeKey) { wasAsked in
      completion?(wasAsked ? nil : CLError(.promptDeclined))
    }
  }

  /// Asks the user for full accuracy until the app is no longer in use.
  ///
  /// - Parameters:
  ///   - purposeKey: the key of the usage text, `TemporaryUsageDescription.KEY` in the manifest.
  ///   - isolation: the caller's actor, on which the method runs.
  /// - Throws: `CLError.promptDeclined` if the user was not asked.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await PlainAccuracyRequest(manager: self).perform(purposeKey)
  }

  /// Asks the user for full accuracy until the app is no longer in use.
  ///
  /// This form has the type of Apple's method, so that a subclass can override it and a protocol can require it. A call uses
  /// the form with `isolation`, to which an actor does not send the manager, and that form calls this one.
  ///
  /// - Parameter purposeKey: the key of the usage text, `TemporaryUsageDescription.KEY` in the manifest.
  /// - Throws: `CLError.promptDeclined` if the user was not asked.
  @_disfavoredOverload
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    try await askForFullAccuracy(purposeKey)
  }

  final func askForFullAccuracy(_ purposeKey: String) async throws {
    let core = core
    let wasAsked = await withCheckedContinuation { continuation in
      core.requestFullAccuracy(purposeKey) { continuation.resume(returning: $0) }
    }
    if !wasAsked { throw CLError(.promptDeclined) }
  }

  // MARK: Standard updates

  /// The activity of the user, which selects the receiver's settings and the conditions for a pause.
  open var activityType = CLActivityType.other {
    didSet { core.change { [activityType] in $0.activityType = activityType } }
  }

  /// The distance in meters after which a location is delivered; a more accurate location is delivered, too.
  open var distanceFilter = kCLDistanceFilterNone {
    didSet { core.change { [distanceFilter] in $0.distanceFilter = distanceFilter } }
  }

  /// The accuracy that the app wants; ``requestLocation()`` waits for it.
  ///
  /// With `kCLLocationAccuracyReduced` the app gets the approximate location, also if it may have the exact one. With each
  /// other value locations are as accurate as possible.
  open var desiredAccuracy = kCLLocationAccuracyBest {
    didSet { core.change { [desiredAccuracy] in $0.desiredAccuracy = desiredAccuracy } }
  }

  /// Whether updates pause when the board rests; the app then starts them again.
  open var pausesLocationUpdatesAutomatically = true {
    didSet {
      core.change { [pausesLocationUpdatesAutomatically] in
        $0.pausesAutomatically = pausesLocationUpdatesAutomatically
      }
    }
  }

  /// Whether updates continue in the background.
  ///
  /// The manifest needs `BackgroundModes=location`. Without it, true is an error of the program, as on Apple's systems: the
  /// process ends with a sentence on standard error.
  open var allowsBackgroundLocationUpdates = false {
    didSet {
      if allowsBackgroundLocationUpdates { core.backgroundAllowed() }
      core.change { [allowsBackgroundLocationUpdates] in
        $0.continuesInBackground = allowsBackgroundLocationUpdates
      }
    }
  }

  /// The indicator of a board is lit for each use in the background, so the value has no effect.
  open var showsBackgroundLocationIndicator = false

  /// The last location, also after the end of updates; nil before the first one.
  open var location: CLLocation? { core.location }

  /// Starts updates; the first location may be a second old.
  ///
  /// Updates that run continue. While the app is denied, each call fails with `CLError.denied`, and locations arrive after a
  /// later grant.
  open func startUpdatingLocation() { core.start() }

  /// Stops updates.
  open func stopUpdatingLocation() { core.stop() }

  /// Delivers one location: the first one of ``desiredAccuracy``, or the best one of 10 s.
  ///
  /// With reduced accuracy the first approximate location is delivered. A repeated request joins the open one. While updates
  /// run, they deliver the location, and a request has no effect; if the app is denied, it fails with `CLError.denied`.
  open func requestLocation() { core.requestLocation(within: desiredAccuracy) }

  // MARK: Former and missing services

  /// Deferred updates are not available; the delegate is informed.
  @available(*, deprecated)
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) {
    core.inform {
      $0.delegate?.locationManager($0, didFinishDeferredUpdatesWithError: CLError(.deferredFailed))
    }
  }

  /// Has no effect.
  @available(*, deprecated)
  open func disallowDeferredLocationUpdates() {}

  /// The turn in degrees after which a heading is delivered.
  open var headingFilter: CLLocationDegrees = 1
  /// The orientation of the board for headings.
  ///
  /// The values `unknown`, `faceUp` and `faceDown` have no effect, as on Apple's systems: the former value stays.
  open var headingOrientation = CLDeviceOrientation.portrait {
    didSet {
      switch headingOrientation {
      case .unknown, .faceUp, .faceDown: headingOrientation = oldValue
      case .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight: break
      }
    }
  }
  /// The last heading: nil, because no board has a compass.
  open var heading: CLHeading? { nil }

  /// Fails with `CLError.headingFailure`.
  open func startUpdatingHeading() { core.fail(.headingFailure) }
  /// Has no effect.
  open func stopUpdatingHeading() {}
  /// Has no effect.
  open func dismissHeadingCalibrationDisplay() {}

  /// Fails with `CLError.locationUnknown`, because the service is not available.
  ///
  /// Apps stop all their updates at `CLError.denied`.
  open func startMonitoringSignificantLocationChanges() { core.fail(.locationUnknown) }
  /// Has no effect.
  open func stopMonitoringSignificantLocationChanges() {}
  /// Fails with `CLError.locationUnknown`, because the service is not available.
  ///
  /// Apps stop all their updates at `CLError.denied`.
  open func startMonitoringVisits() { core.fail(.locationUnknown) }
  /// Has no effect.
  open func stopMonitoringVisits() {}

  /// The greatest radius of a region: -1, because no region is monitored.
  open var maximumRegionMonitoringDistance: CLLocationDistance { -1 }
  /// The monitored regions: none.
  open var monitoredRegions: Set<CLRegion> { [] }

  /// Fails with `CLError.regionMonitoringFailure`, because the service is not available.
  open func startMonitoring(for region: CLRegion) {
    core.inform {
      $0.delegate?.locationManager(
        $0, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
    }
  }

  /// Has no effect.
  open func stopMonitoring(for region: CLRegion) {}

  /// Reports the state `unknown`.
  open func requestState(for region: CLRegion) {
    core.inform { $0.delegate?.locationManager($0, didDetermineState: .unknown, for: region) }
  }

  /// The ranged beacons: none.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }

  /// The ranged regions: none.
  @available(*, deprecated, message: "use rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> { [] }

  /// Fails with `CLError.rangingUnavailable`.
  @available(*, deprecated, message: "use startRangingBeacons(satisfying:)")
  open func startRangingBeacons(in region: CLBeaconRegion) {
    core.inform {
      $0.delegate?.locationManager(
        $0, rangingBeaconsDidFailFor: region, withError: CLError(.rangingUnavailable))
    }
  }

  /// Has no effect.
  @available(*, deprecated, message: "use stopRangingBeacons(satisfying:)")
  open func stopRangingBeacons(in region: CLBeaconRegion) {}

  /// Fails with `CLError.rangingUnavailable`.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    core.inform {
      $0.delegate?.locationManager(
        $0, didFailRangingFor: constraint, error: CLError(.rangingUnavailable))
    }
  }

  /// Has no effect.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
}

extension CLLocationManager {
  /// The parts of a manager that a test replaces.
  struct Parts: Sendable {
    var authorization: AuthorizationStorage
    var service: @Sendable () -> DaemonConnection
    var searchEnd = ClassicService.endOfSearch

    static var ofThisProcess: Parts {
      Parts(authorization: .ofThisProcess) { DaemonConnection.ofThisProcess }
    }
  }

  /// The parts of the managers that a test makes; nil in apps.
  ///
  /// `init()` has no parameter for the parts: a subclass of an app overrides `init()`, and inherits it only if every
  /// designated initializer is public.
  private static let partsOfTest = TaskLocal<Parts?>(wrappedValue: nil)

  /// Makes a manager with other parts than those of this process.
  static func with<Manager: CLLocationManager>(_ parts: Parts, _ make: () -> Manager) -> Manager {
    partsOfTest.withValue(parts, operation: make)
  }
}

extension CLAuthorizationStatus {
  init(_ authorization: Authorization) {
    self =
      switch authorization {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      case .denied: .denied
      case .always: .authorizedAlways
      case .whenInUse: .authorizedWhenInUse
      }
  }
}

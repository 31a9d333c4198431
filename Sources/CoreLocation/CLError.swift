public import Foundation

/// An error of location services.
///
/// `catch CLError.denied` catches one kind of error; `CLError(.denied)` makes one. As an `NSError` the error has the
/// domain `kCLErrorDomain` and its code. On Linux a cast of an `NSError` to `CLError` fails, so Core Location throws
/// and delivers values of this type only.
public struct CLError: CustomNSError, Hashable, Sendable {
  private let error: NSError

  /// Makes an error of a kind, with further information.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    error = NSError(domain: kCLErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// The kind of the error.
  public var code: Code { Code(rawValue: error.code) ?? .locationUnknown }

  /// Further information about the error.
  public var userInfo: [String: Any] { error.userInfo }

  /// A region that can be monitored in place of the region of the error; only with `regionMonitoringResponseDelayed`.
  ///
  /// No board monitors regions, so errors of the daemon have no such region.
  public var alternateRegion: CLRegion? {
    userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
  }

  /// The domain of all errors of Core Location.
  public static var errorDomain: String { kCLErrorDomain }

  /// The number of the kind.
  public var errorCode: Int { error.code }

  /// Further information about the error.
  public var errorUserInfo: [String: Any] { error.userInfo }

  /// The human-readable message.
  public var localizedDescription: String { error.localizedDescription }

  /// The kinds of errors, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// There is no location at present; the service keeps trying.
    case locationUnknown = 0
    /// The user denies location.
    case denied = 1
    /// The network failed or refused; here the network is the daemon.
    case network = 2
    /// The heading cannot be determined.
    case headingFailure = 3
    /// The user denies monitoring of regions.
    case regionMonitoringDenied = 4
    /// A region cannot be monitored.
    case regionMonitoringFailure = 5
    /// Monitoring could not start immediately.
    case regionMonitoringSetupDelayed = 6
    /// Events arrive late.
    case regionMonitoringResponseDelayed = 7
    /// The geocoder found no result.
    case geocodeFoundNoResult = 8
    /// The geocoder found a part of the result.
    case geocodeFoundPartialResult = 9
    /// The geocoder was canceled.
    case geocodeCanceled = 10
    /// Deferred mode could not start.
    case deferredFailed = 11
    /// Deferred mode needs location updates.
    case deferredNotUpdatingLocation = 12
    /// Deferred mode needs a higher accuracy.
    case deferredAccuracyTooLow = 13
    /// Deferred mode does not support a distance filter.
    case deferredDistanceFiltered = 14
    /// Deferred mode was canceled.
    case deferredCanceled = 15
    /// Ranging of beacons is unavailable.
    case rangingUnavailable = 16
    /// Ranging of beacons failed.
    case rangingFailure = 17
    /// The authorization prompt was not shown to the user.
    case promptDeclined = 18
    /// Historical locations are unavailable.
    case historicalLocationError = 19
  }

  // MARK: Hashing

  /// Whether domain, code and further information are equal.
  public static func == (left: CLError, right: CLError) -> Bool {
    left.error.isEqual(right.error)
  }

  /// Hashes the code: equal errors have equal codes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(error.code)
  }
}

extension CLError.Code {
  /// Whether an error is of this kind; the error may be a `CLError`, or an `NSError` of its domain.
  public static func ~= (code: CLError.Code, error: any Error) -> Bool {
    let bridged = error as NSError
    return bridged.domain == kCLErrorDomain && bridged.code == code.rawValue
  }
}

/// Short names of the kinds, for `catch CLError.denied`.
extension CLError {
  /// There is no location at present; the service keeps trying.
  public static var locationUnknown: Code { .locationUnknown }
  /// The user denies location.
  public static var denied: Code { .denied }
  /// The network failed or refused; here the network is the daemon.
  public static var network: Code { .network }
  /// The heading cannot be determined.
  public static var headingFailure: Code { .headingFailure }
  /// The user denies monitoring of regions.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// A region cannot be monitored.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// Monitoring could not start immediately.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// Events arrive late.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// The geocoder found no result.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// The geocoder found a part of the result.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The geocoder was canceled.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// Deferred mode could not start.
  public static var deferredFailed: Code { .deferredFailed }
  /// Deferred mode needs location updates.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// Deferred mode needs a higher accuracy.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// Deferred mode does not support a distance filter.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// Deferred mode was canceled.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// Ranging of beacons is unavailable.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// Ranging of beacons failed.
  public static var rangingFailure: Code { .rangingFailure }
  /// The authorization prompt was not shown to the user.
  public static var promptDeclined: Code { .promptDeclined }
  /// Historical locations are unavailable.
  public static var historicalLocationError: Code { .historicalLocationError }
}

public import Foundation

/// What can go wrong with a location service.
///
/// `catch CLError.denied` catches one kind; `CLError(.denied)` makes one. As an `NSError` it has the domain
/// `kCLErrorDomain` and its code. An `NSError` is not cast to `CLError` on Linux, so Core Location throws and
/// delivers values of this type only.
public struct CLError: CustomNSError, Hashable, Sendable {
  private let error: NSError

  /// An error of a kind, with what else is known about it.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    error = NSError(domain: kCLErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// What kind of error it is.
  public var code: Code { Code(rawValue: error.code) ?? .locationUnknown }

  /// What else is known about it.
  public var userInfo: [String: Any] { error.userInfo }

  /// The domain of all errors of Core Location.
  public static var errorDomain: String { kCLErrorDomain }

  /// The number of its kind.
  public var errorCode: Int { error.code }

  /// What else is known about it.
  public var errorUserInfo: [String: Any] { error.userInfo }

  /// The sentence for a person.
  public var localizedDescription: String { error.localizedDescription }

  /// The kinds of errors, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// There is no location now; the service keeps trying.
    case locationUnknown = 0
    /// The user forbids it.
    case denied = 1
    /// The network, or here the daemon, could not be reached or refused.
    case network = 2
    /// The heading cannot be determined.
    case headingFailure = 3
    /// The user forbids monitoring regions.
    case regionMonitoringDenied = 4
    /// A region cannot be monitored.
    case regionMonitoringFailure = 5
    /// Monitoring could not start at once.
    case regionMonitoringSetupDelayed = 6
    /// Events will come late.
    case regionMonitoringResponseDelayed = 7
    /// There is no such place.
    case geocodeFoundNoResult = 8
    /// Only a part of the place was found.
    case geocodeFoundPartialResult = 9
    /// The geocoder was told to stop.
    case geocodeCanceled = 10
    /// Deferred mode could not be entered.
    case deferredFailed = 11
    /// Deferred mode needs running updates.
    case deferredNotUpdatingLocation = 12
    /// Deferred mode needs a better accuracy.
    case deferredAccuracyTooLow = 13
    /// Deferred mode allows no distance filter.
    case deferredDistanceFiltered = 14
    /// Deferred mode was left.
    case deferredCanceled = 15
    /// Ranging of beacons is off.
    case rangingUnavailable = 16
    /// Ranging of beacons failed.
    case rangingFailure = 17
    /// The request was not shown to the user.
    case promptDeclined = 18
    /// There is no history of locations.
    case historicalLocationError = 19
  }

  // MARK: Hashing

  /// Whether domain, code and what else is known are equal.
  public static func == (left: CLError, right: CLError) -> Bool {
    left.error.isEqual(right.error)
  }

  /// Hashes the code: equal errors have equal codes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(error.code)
  }
}

extension CLError.Code {
  /// Whether an error is of this kind: a `CLError`, or an `NSError` of its domain.
  public static func ~= (code: CLError.Code, error: any Error) -> Bool {
    let bridged = error as NSError
    return bridged.domain == kCLErrorDomain && bridged.code == code.rawValue
  }
}

/// The kinds by short names, for `catch CLError.denied`.
extension CLError {
  /// There is no location now; the service keeps trying.
  public static var locationUnknown: Code { .locationUnknown }
  /// The user forbids it.
  public static var denied: Code { .denied }
  /// The network, or here the daemon, could not be reached or refused.
  public static var network: Code { .network }
  /// The heading cannot be determined.
  public static var headingFailure: Code { .headingFailure }
  /// The user forbids monitoring regions.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// A region cannot be monitored.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// Monitoring could not start at once.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// Events will come late.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// There is no such place.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// Only a part of the place was found.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The geocoder was told to stop.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// Deferred mode could not be entered.
  public static var deferredFailed: Code { .deferredFailed }
  /// Deferred mode needs running updates.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// Deferred mode needs a better accuracy.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// Deferred mode allows no distance filter.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// Deferred mode was left.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// Ranging of beacons is off.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// Ranging of beacons failed.
  public static var rangingFailure: Code { .rangingFailure }
  /// The request was not shown to the user.
  public static var promptDeclined: Code { .promptDeclined }
  /// There is no history of locations.
  public static var historicalLocationError: Code { .historicalLocationError }
}

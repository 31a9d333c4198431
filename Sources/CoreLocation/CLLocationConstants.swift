public import Foundation

/// Degrees on WGS 84; north and east are positive.
public typealias CLLocationDegrees = Double
/// Meters; negative means that the associated value is invalid.
public typealias CLLocationAccuracy = Double
/// Meters per second; negative means invalid.
public typealias CLLocationSpeed = Double
/// Meters per second; negative means invalid.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees from true north, 0 up to 360; negative means invalid.
public typealias CLLocationDirection = Double
/// Degrees; negative means invalid.
public typealias CLLocationDirectionAccuracy = Double
/// Meters.
public typealias CLLocationDistance = Double
/// Microteslas.
public typealias CLHeadingComponentValue = Double
/// The upper half of a beacon's identity.
public typealias CLBeaconMajorValue = UInt16
/// The lower half of a beacon's identity.
public typealias CLBeaconMinorValue = UInt16

/// No distance filter: each movement is reported.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// No heading filter: each turn is reported.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// The best accuracy, with additional sensors for driving.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Within ten meters.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Within a hundred meters.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Within a kilometer.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
/// Within three kilometers.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// The accuracy for apps with reduced accuracy.
///
/// Apple does not document the value. An app may rely only on a value above `kCLLocationAccuracyThreeKilometers`.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// The largest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// An invalid coordinate: its latitude lies beyond a pole.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
  latitude: -180, longitude: -180)

/// The domain of the errors of Core Location.
public let kCLErrorDomain = "kCLErrorDomain"
/// The key of the alternative region in an error.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

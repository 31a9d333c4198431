public import Foundation

/// Degrees on WGS 84; north and east are positive.
public typealias CLLocationDegrees = Double
/// Meters; negative means that the value it belongs to is invalid.
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
/// The more significant half of a beacon's identity.
public typealias CLBeaconMajorValue = UInt16
/// The less significant half of a beacon's identity.
public typealias CLBeaconMinorValue = UInt16

/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// Every turn counts.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// The best accuracy there is, with everything that helps while driving.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy there is.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Within ten meters.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Within a hundred meters.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Within a kilometer.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
/// Within three kilometers.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// As little as an app with reduced accuracy gets.
///
/// Apple does not document the value; nothing may depend on more than its being larger than
/// `kCLLocationAccuracyThreeKilometers`.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// The largest distance there is.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time there is.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// A coordinate that is none: its latitude lies beyond a pole.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
  latitude: -180, longitude: -180)

/// The domain of the errors of Core Location.
public let kCLErrorDomain = "kCLErrorDomain"
/// The key of the region that an error offers instead.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

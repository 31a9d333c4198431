import CoreLocation
import Testing

/// The values that apps handle, as the reference of Core Location describes them.
struct CLLocationTests {
  private let coordinate = CLLocationCoordinate2D(latitude: 37.332409, longitude: -122.030512)
  private let date = Date(timeIntervalSince1970: 1_763_700_000)

  @Test func aLocationOfTwoNumbersIsValidAndKnowsNothingElse() {
    let before = Date()
    let location = CLLocation(latitude: 1, longitude: 2)
    #expect(location.coordinate.latitude == 1 && location.coordinate.longitude == 2)
    #expect(location.horizontalAccuracy == 0 && location.altitude == 0)
    #expect(location.verticalAccuracy == -1 && location.ellipsoidalAltitude == 0)
    #expect(location.speed == -1 && location.speedAccuracy == -1)
    #expect(location.course == -1 && location.courseAccuracy == -1)
    #expect(location.floor == nil && location.sourceInformation == nil)
    #expect(location.timestamp >= before && location.timestamp <= Date())
    #expect(CLLocation().coordinate.latitude == 0 && CLLocation().horizontalAccuracy == 0)
  }

  @Test func everyInitializerKeepsItsArguments() {
    let brief = CLLocation(
      coordinate: coordinate, altitude: 10, horizontalAccuracy: 5, verticalAccuracy: 6,
      timestamp: date)
    #expect(brief.altitude == 10 && brief.horizontalAccuracy == 5 && brief.verticalAccuracy == 6)
    #expect(brief.timestamp == date && brief.speed == -1 && brief.course == -1)
    let moving = CLLocation(
      coordinate: coordinate, altitude: 10, horizontalAccuracy: 5, verticalAccuracy: 6,
      course: 7, speed: 8, timestamp: date)
    #expect(moving.course == 7 && moving.speed == 8)
    #expect(moving.courseAccuracy == -1 && moving.speedAccuracy == -1)
    let full = full()
    #expect(full.courseAccuracy == 9 && full.speedAccuracy == 11)
    #expect(full.sourceInformation?.isSimulatedBySoftware == true)
    #expect(full.sourceInformation?.isProducedByAccessory == false)
  }

  @Test func descriptionsHaveApplesShape() {
    let location = CLLocation(
      coordinate: coordinate, altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1,
      timestamp: date)
    #expect(
      location.description.hasPrefix(
        "<+37.33240900,-122.03051200> +/- 5.00m (speed -1.00 mps / course -1.00) @ "))
    #expect("\(location)" == location.description)
  }

  @Test func distancesAreThoseOfTheEllipsoid() {
    let origin = CLLocation(latitude: 0, longitude: 0)
    let antipode = CLLocation(latitude: 0.5, longitude: 179.5)
    #expect((origin.distance(from: antipode) - 19_936_288.579).magnitude < 0.000_5)
    #expect(origin.distance(from: antipode) == antipode.distance(from: origin))
    #expect(origin.distance(from: origin) == 0)
    let nowhere = CLLocation(latitude: -180, longitude: -180)
    #expect(origin.distance(from: nowhere).isNaN)
  }

  @Test func equalityIsIdentity() {
    let one = CLLocation(latitude: 1, longitude: 2)
    #expect(one == one && one != CLLocation(latitude: 1, longitude: 2))
    #expect(one.copy() as? CLLocation === one)
  }

  @Test func anArchiveGivesEverythingBack() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: full(), requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(read.coordinate.latitude == 37.332409 && read.coordinate.longitude == -122.030512)
    #expect(read.altitude == 10 && read.ellipsoidalAltitude == 0)
    #expect(read.horizontalAccuracy == 5 && read.verticalAccuracy == 6)
    #expect(read.course == 7 && read.courseAccuracy == 9)
    #expect(read.speed == 8 && read.speedAccuracy == 11)
    #expect(read.timestamp == date && read.floor == nil)
    #expect(read.sourceInformation?.isSimulatedBySoftware == true)
  }

  @Test func anArchiveOfSomethingElseIsNoLocation() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSString("hello"), requiringSecureCoding: true)
    let read = try? NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
    #expect(read == nil)
  }

  @Test func aSubclassMayOverrideItsProperties() {
    // Nothing is stored here, so nothing can change.
    final class Elsewhere: CLLocation, @unchecked Sendable {
      override var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: 0, longitude: 1)
      }
    }
    let origin = CLLocation(latitude: 0, longitude: 0)
    let distance = Elsewhere(latitude: 50, longitude: 50).distance(from: origin)
    #expect((distance - 111_319.491).magnitude < 0.000_5)
  }

  @Test func validityIsAMatterOfRanges() {
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90, -180)))
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2D()))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90.000_001, 0)))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(0, 180.000_001)))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    #expect(kCLLocationCoordinate2DInvalid.latitude == -180)
    #expect(kCLLocationCoordinate2DInvalid.longitude == -180)
  }

  @Test func constantsHaveApplesValues() {
    #expect(kCLDistanceFilterNone == -1 && kCLHeadingFilterNone == -1)
    #expect(kCLLocationAccuracyBestForNavigation == -2 && kCLLocationAccuracyBest == -1)
    #expect(kCLLocationAccuracyNearestTenMeters == 10 && kCLLocationAccuracyHundredMeters == 100)
    #expect(kCLLocationAccuracyKilometer == 1_000 && kCLLocationAccuracyThreeKilometers == 3_000)
    #expect(kCLLocationAccuracyReduced > kCLLocationAccuracyThreeKilometers)
    #expect(
      CLLocationDistanceMax == .greatestFiniteMagnitude
        && CLTimeIntervalMax == CLLocationDistanceMax)
  }

  @Test func enumerationsHaveApplesNumbers() {
    #expect(CLAuthorizationStatus(rawValue: 4) == .authorizedWhenInUse)
    #expect(CLAuthorizationStatus.authorizedAlways.rawValue == 3)
    #expect(CLActivityType.other.rawValue == 1 && CLActivityType.airborne.rawValue == 5)
    #expect(CLAccuracyAuthorization.reducedAccuracy.rawValue == 1)
    #expect(CLDeviceOrientation.faceDown.rawValue == Int32(6))
    #expect(CLRegionState.outside.rawValue == 2 && CLProximity.far.rawValue == 3)
  }

  @Test func aCoordinateDoesNotConformToEquatable() {
    // An app's own conformance must be the one that counts.
    let value: Any = coordinate
    #expect(!(value is any Equatable) && !(value is any Codable))
    #expect(!((CLAuthorizationStatus.denied as Any) is any CustomStringConvertible))
  }

  private func full() -> CLLocation {
    CLLocation(
      coordinate: coordinate, altitude: 10, horizontalAccuracy: 5, verticalAccuracy: 6,
      course: 7, courseAccuracy: 9, speed: 8, speedAccuracy: 11, timestamp: date,
      sourceInfo: CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false))
  }
}

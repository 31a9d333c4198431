import CoreLocation
import Testing

/// Regions and identities of beacons in archives.
struct RegionArchiveTests {
  /// An object after a way through an archive.
  private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
  }

  @Test func aCircleKeepsItsValues() throws {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 47, longitude: 8), radius: 200, identifier: "home")
    region.notifyOnEntry = false
    let read = try archived(region)
    #expect(read.identifier == "home" && read.radius == 200)
    #expect(read.center.latitude == 47 && read.center.longitude == 8)
    #expect(!read.notifyOnEntry && read.notifyOnExit)
  }

  @Test func aRegionOfBeaconsKeepsItsIdentity() throws {
    let uuid = UUID()
    let region = CLBeaconRegion(uuid: uuid, major: 65_535, identifier: "door")
    region.notifyOnExit = false
    region.notifyEntryStateOnDisplay = true
    let read = try archived(region)
    #expect(read.identifier == "door" && read.uuid == uuid)
    #expect(read.major == 65_535 && read.minor == nil)
    #expect(read.beaconIdentityConstraint == region.beaconIdentityConstraint)
    #expect(read.beaconIdentityConstraint.hash == region.beaconIdentityConstraint.hash)
    #expect(read.beaconIdentityConstraint != CLBeaconIdentityConstraint(uuid: uuid))
    #expect(read.notifyOnEntry && !read.notifyOnExit && read.notifyEntryStateOnDisplay)
  }

  @Test func anIdentityKeepsItsHalves() throws {
    let read = try archived(CLBeaconIdentityConstraint(uuid: UUID(), major: 0, minor: 7))
    #expect(read.major == 0 && read.minor == 7)
    let any = try archived(CLBeaconIdentityConstraint(uuid: UUID()))
    #expect(any.major == nil && any.minor == nil)
  }

  @Test func headingsVisitsAndBeaconsMayBeInAnArchive() throws {
    #expect(try archived(CLHeading()).trueHeading == -1)
    #expect(try archived(CLVisit()).horizontalAccuracy == -1)
    #expect(try archived(CLBeacon()).rssi == 0)
  }

  @Test func anArchiveWithoutValuesHasNoRegion() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.finishEncoding()
    let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(CLRegion(coder: coder) == nil)
    #expect(CLCircularRegion(coder: coder) == nil)
    #expect(CLBeaconRegion(coder: coder) == nil)
    #expect(CLBeaconIdentityConstraint(coder: coder) == nil)
  }
}

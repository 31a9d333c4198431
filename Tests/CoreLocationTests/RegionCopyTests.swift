import CoreLocation
import Testing

/// Copies of regions.
struct RegionCopyTests {
  /// A region of an app.
  private final class Harbor: CLCircularRegion, @unchecked Sendable {}

  private static let center = CLLocationCoordinate2D(latitude: 47, longitude: 8)

  @Test func aCopyOfACircleHasItsOwnSettings() throws {
    let region = CLCircularRegion(center: Self.center, radius: 200, identifier: "home")
    region.notifyOnEntry = false
    let copy = try #require(region.copy() as? CLCircularRegion)
    region.notifyOnEntry = true
    region.notifyOnExit = false
    #expect(!copy.notifyOnEntry && copy.notifyOnExit)
    #expect(copy.identifier == "home" && copy.radius == 200)
    #expect(copy.center.latitude == 47 && copy.center.longitude == 8)
  }

  @Test func aCopyOfARegionOfBeaconsHasItsOwnSettings() throws {
    let region = CLBeaconRegion(uuid: UUID(), major: 9, identifier: "door")
    region.notifyOnExit = false
    region.notifyEntryStateOnDisplay = true
    let copy = try #require(region.copy() as? CLBeaconRegion)
    region.notifyOnExit = true
    region.notifyEntryStateOnDisplay = false
    #expect(copy.notifyOnEntry && !copy.notifyOnExit && copy.notifyEntryStateOnDisplay)
    #expect(copy.identifier == "door")
    #expect(copy.beaconIdentityConstraint == region.beaconIdentityConstraint)
  }

  @Test func aCopyOfARegionWithoutAPlaceHasItsOwnSettings() throws {
    let region = CLRegion()
    let copy = try #require(region.copy() as? CLRegion)
    region.notifyOnEntry = false
    #expect(copy.notifyOnEntry)
  }

  @Test func aCopyOfAnAppsRegionHasTheClassOfTheApp() {
    let harbor = Harbor(center: Self.center, radius: 200, identifier: "harbor")
    #expect(harbor.copy() is Harbor)
  }
}

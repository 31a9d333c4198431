import AppRuntime
import CoreLocation
import Foundation
import Model
import Testing
import Waymarks

struct TrailTests {
  private let trail = Trail([
    Waymark(name: "New York", latitude: 40.7128, longitude: -74.0060),
    Waymark(name: "London", latitude: 51.5074, longitude: -0.1278),
  ])

  @Test func aTrailIsAsLongAsOnTheEllipsoid() {
    #expect((trail.length - 5_585_233.579).magnitude < 0.001)
  }

  @Test func theNearestWaymarkIsFound() {
    #expect(trail.nearest(to: CLLocation(latitude: 48.9, longitude: 2.35))?.name == "London")
  }

  /// Foundation's types and those of Core Location in one calculation.
  @Test func solarNoonOfAPlaceIsCalculated() throws {
    let midsummer = try #require(ISO8601DateFormatter().date(from: "2026-06-21T03:00:00Z"))
    let noon = try #require(ISO8601DateFormatter().date(from: "2026-06-21T12:02:20Z"))
    let london = try #require(trail.waymarks.last)
    let calculated = try #require(london.location.coordinate.solarNoon(on: midsummer))
    #expect(calculated.timeIntervalSince(noon).magnitude < 60)
    #expect(kCLLocationCoordinate2DInvalid.solarNoon(on: midsummer) == nil)
    let location = CLLocation(
      coordinate: london.location.coordinate, altitude: 0, horizontalAccuracy: 5,
      verticalAccuracy: -1, timestamp: midsummer)
    #expect(location.timestamp == midsummer)
  }

  @Test func thePackagesOwnEqualityCounts() {
    let one = CLLocationCoordinate2D(latitude: 1, longitude: 2)
    #expect(one == CLLocationCoordinate2D(latitude: 1.000_000_1, longitude: 2))
  }

  @Test func followingEndsWhenItIsCanceled() async throws {
    let following = Task { [trail] in try await trail.follow { _, _ in } }
    following.cancel()
    try await following.value
  }

  /// With a daemon or without one; that it is seen shows that the library is there.
  @Test func registeredDefaultsAreVisible() {
    DeviceDefaults.standard.register(defaults: ["the fourth waymark": "Land's End"])
    #expect(DeviceDefaults.standard.string(forKey: "the fourth waymark") == "Land's End")
  }

  /// As the tests of an app for iOS replace a manager.
  @Test func aManagerOfASharedLibraryHasSubclasses() {
    final class AnsweredRequests: CLLocationManager {
      override init() { super.init() }
      override func requestLocation() {
        delegate?.locationManager(self, didUpdateLocations: [CLLocation(latitude: 1, longitude: 2)])
      }
    }
    final class FixedAuthorization: CLLocationManager {
      var stubbed = CLAuthorizationStatus.denied
      override var authorizationStatus: CLAuthorizationStatus { stubbed }
    }
    final class Ear: NSObject, CLLocationManagerDelegate {
      var heard: [Double] = []
      func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
      ) {
        heard += locations.map(\.coordinate.latitude)
      }
    }
    let (mock, ear) = (AnsweredRequests(), Ear())
    mock.delegate = ear
    mock.requestLocation()
    #expect(ear.heard == [1])
    let stub = FixedAuthorization()
    #expect((stub as CLLocationManager).authorizationStatus == .denied)
  }

  @Test func theIdentityOfBeaconsHasSubclasses() {
    // Its own value is a constant.
    final class NamedBeacons: CLBeaconIdentityConstraint, @unchecked Sendable {
      let name = "doors"
    }
    let beacons = NamedBeacons(uuid: UUID(), major: 4)
    #expect(beacons.major == 4 && beacons.name == "doors")
  }

  @Test func enumerationsOfASharedLibraryAreOpen() {
    switch CLAuthorizationStatus.denied {
    case .denied: break
    case .notDetermined, .restricted, .authorizedAlways, .authorizedWhenInUse:
      Issue.record("denied is denied")
    @unknown default: Issue.record("denied is known")
    }
  }
}

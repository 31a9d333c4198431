import CoreLocation

// Subclasses as the tests of an app for iOS have them: with an initializer, or with stored values for overridden properties.

final class CountedRequests: CLLocationManager {
  private(set) var requests = 0

  override init() { super.init() }

  override func requestLocation() { requests += 1 }
}

final class FixedAuthorization: CLLocationManager {
  var stubbed = CLAuthorizationStatus.denied

  override var authorizationStatus: CLAuthorizationStatus { stubbed }
}

/// The part of the manager that an app names, so that a test can replace it.
protocol FullAccuracyRequests {
  func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws
}

extension CLLocationManager: FullAccuracyRequests {}

final class DeclinedAccuracy: CLLocationManager {
  override func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    throw CLError(.promptDeclined)
  }
}

/// Its own value is a constant.
final class StubLocation: CLLocation, @unchecked Sendable {
  let stubbed = CLLocationCoordinate2D(latitude: 47, longitude: 8)

  override var coordinate: CLLocationCoordinate2D { stubbed }
}

/// Its own value is a constant.
final class StubFloor: CLFloor, @unchecked Sendable {
  let stubbed = 3

  override var level: Int { stubbed }
}

/// Its own value is a constant.
final class StubSource: CLLocationSourceInformation, @unchecked Sendable {
  let note = "tunnel"
}

/// Its own value is a constant.
final class StubHeading: CLHeading, @unchecked Sendable {
  let stubbed = 90.0

  override var trueHeading: CLLocationDirection { stubbed }
}

/// An app keeps it in an archive, as on Apple's systems.
final class KeptHeading: CLHeading, @unchecked Sendable {
  let stubbed: Double

  init(_ stubbed: Double) {
    self.stubbed = stubbed
    super.init()
  }

  required init?(coder: NSCoder) {
    stubbed = coder.decodeDouble(forKey: "true")
    super.init(coder: coder)
  }

  override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(stubbed, forKey: "true")
  }

  override var trueHeading: CLLocationDirection { stubbed }
}

/// Its own value is a constant.
final class StubVisit: CLVisit, @unchecked Sendable {
  let stubbed = 20.0

  override var horizontalAccuracy: CLLocationAccuracy { stubbed }
}

/// Its own value is a constant.
final class StubBeacon: CLBeacon, @unchecked Sendable {
  let stubbed = -60

  override var rssi: Int { stubbed }
}

/// Its own value is a constant.
final class StubRegion: CLRegion, @unchecked Sendable {
  let stubbed = "harbor"

  override var identifier: String { stubbed }
}

/// Its own value is a constant.
final class StubCircle: CLCircularRegion, @unchecked Sendable {
  let stubbed = 50.0

  override var radius: CLLocationDistance { stubbed }
}

/// Its own value is a constant.
final class NamedBeacons: CLBeaconIdentityConstraint, @unchecked Sendable {
  let name = "doors"
}

/// It has no value of its own.
final class DoorBeacons: CLBeaconIdentityConstraint, @unchecked Sendable {
  init(door: CLBeaconMajorValue) { super.init(uuid: UUID(), major: door) }

  required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// Its own value is a constant.
final class NamedBeaconRegion: CLBeaconRegion, @unchecked Sendable {
  let name = "doors"
}

/// It has no value of its own.
final class DoorBeaconRegion: CLBeaconRegion, @unchecked Sendable {
  init(door: CLBeaconMajorValue) { super.init(uuid: UUID(), major: door, identifier: "door") }

  required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// Makes each of them, and reads an overridden property where there is one.
func checkSubclasses() {
  let mock = CountedRequests()
  mock.requestLocation()
  precondition(mock.requests == 1)
  let stub = FixedAuthorization()
  precondition(stub.authorizationStatus == .denied)
  stub.stubbed = .authorizedAlways
  precondition((stub as CLLocationManager).authorizationStatus == .authorizedAlways)

  let location: CLLocation = StubLocation(latitude: 0, longitude: 0)
  precondition(location.coordinate.latitude == 47)
  precondition((StubFloor() as CLFloor).level == 3)
  let source = StubSource(softwareSimulationState: true, andExternalAccessoryState: false)
  precondition(source.isSimulatedBySoftware && source.note == "tunnel")
  precondition((StubHeading() as CLHeading).trueHeading == 90)
  let archive = try? NSKeyedArchiver.archivedData(
    withRootObject: KeptHeading(45), requiringSecureCoding: true)
  let kept = archive.flatMap {
    try? NSKeyedUnarchiver.unarchivedObject(ofClass: KeptHeading.self, from: $0)
  }
  precondition(kept?.trueHeading == 45)
  precondition((StubVisit() as CLVisit).horizontalAccuracy == 20)
  precondition((StubBeacon() as CLBeacon).rssi == -60)

  precondition((StubRegion() as CLRegion).identifier == "harbor")
  let circle: CLCircularRegion = StubCircle(
    center: CLLocationCoordinate2D(latitude: 47, longitude: 8), radius: 1, identifier: "harbor")
  precondition(circle.radius == 50 && circle.identifier == "harbor")
  precondition(NamedBeacons(uuid: UUID(), major: 4, minor: 2).minor == 2)
  precondition(DoorBeacons(door: 4).major == 4)
  precondition(NamedBeaconRegion(uuid: UUID(), major: 4, identifier: "door").major == 4)
  precondition(DoorBeaconRegion(door: 4).identifier == "door")
}

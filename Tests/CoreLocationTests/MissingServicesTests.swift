import BinnacleModel
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// The deprecated members of the manager; a test calls them by this protocol without a warning.
private protocol FormerMembers {
  static func authorizationStatus() -> CLAuthorizationStatus
  var rangedRegions: Set<CLRegion> { get }
  func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval)
  func disallowDeferredLocationUpdates()
  func startRangingBeacons(in region: CLBeaconRegion)
  func stopRangingBeacons(in region: CLBeaconRegion)
}

extension CLLocationManager: FormerMembers {}

/// The members of the manager for services that a board does not have, the methods of the class, and a late delegate.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct MissingServicesTests {
  private static let home = CLCircularRegion(
    center: CLLocationCoordinate2D(latitude: 47, longitude: 8), radius: 200, identifier: "home")
  private static let beacons = CLBeaconIdentityConstraint(uuid: UUID(), major: 9)
  private static let door = CLBeaconRegion(uuid: UUID(), identifier: "door")

  /// A manager whose delegate is set between two reads of one call.
  private final class LateDelegateCore: CLLocationManager {
    /// The delegate that the second read of the property sets.
    var late: DelegateEar?
    private var readCount = 0

    override weak var delegate: (any CLLocationManagerDelegate)? {
      get {
        readCount += 1
        if readCount == 2 { super.delegate = late }
        return super.delegate
      }
      set { super.delegate = newValue }
    }
  }

  // MARK: Missing services

  @Test func theServicesAreReportedAsUnavailable() {
    #expect(!CLLocationManager.deferredLocationUpdatesAvailable())
    #expect(!CLLocationManager.significantLocationChangeMonitoringAvailable())
    #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
    #expect(!CLLocationManager.isRangingAvailable())
  }

  @Test func theStartOfEachServiceIsAnsweredByItsOwnMethod() async throws {
    let desk = try await DelegateDesk()
    let (manager, ear) = (desk.manager, desk.ear)
    let former: any FormerMembers = manager
    former.allowDeferredLocationUpdates(untilTraveled: 1_000, timeout: 60)
    #expect(await ear.next() == "deferred 11")
    manager.startMonitoring(for: Self.home)
    #expect(await ear.next() == "monitoring of home failed 5")
    manager.requestState(for: Self.home)
    #expect(await ear.next() == "state of home 0")
    // A denial would be a reason to stop all updates.
    manager.startMonitoringSignificantLocationChanges()
    #expect(await ear.next() == "failed 0")
    manager.startMonitoringVisits()
    #expect(await ear.next() == "failed 0")
    manager.startRangingBeacons(satisfying: Self.beacons)
    #expect(await ear.next() == "ranging of 9 failed 16")
    former.startRangingBeacons(in: Self.door)
    #expect(await ear.next() == "ranging in door failed 16")
    withExtendedLifetime(desk) {}
  }

  @Test func nothingIsMonitoredOrRangedAfterAStart() async throws {
    let desk = try await DelegateDesk()
    let manager = desk.manager
    let former: any FormerMembers = manager
    manager.startMonitoring(for: Self.home)
    manager.startRangingBeacons(satisfying: Self.beacons)
    former.startRangingBeacons(in: Self.door)
    #expect(manager.monitoredRegions.isEmpty)
    #expect(manager.rangedBeaconConstraints.isEmpty)
    #expect(former.rangedRegions.isEmpty)
    // Apple documents -1 for a device that monitors no regions.
    #expect(manager.maximumRegionMonitoringDistance == -1)
    #expect(manager.heading == nil)
    withExtendedLifetime(desk) {}
  }

  @Test(arguments: [CLDeviceOrientation.unknown, .faceUp, .faceDown])
  func anOrientationWithoutATopDoesNotReplaceTheFormerOne(
    _ orientation: CLDeviceOrientation
  ) async throws {
    let desk = try await DelegateDesk()
    desk.manager.headingOrientation = .landscapeLeft
    desk.manager.headingOrientation = orientation
    #expect(desk.manager.headingOrientation == .landscapeLeft)
    withExtendedLifetime(desk) {}
  }

  @Test func theEndOfAServiceCallsNoMethod() async throws {
    let desk = try await DelegateDesk()
    let (manager, ear) = (desk.manager, desk.ear)
    let former: any FormerMembers = manager
    former.disallowDeferredLocationUpdates()
    manager.stopMonitoring(for: Self.home)
    manager.stopMonitoringSignificantLocationChanges()
    manager.stopMonitoringVisits()
    manager.stopRangingBeacons(satisfying: Self.beacons)
    former.stopRangingBeacons(in: Self.door)
    manager.stopUpdatingHeading()
    manager.startUpdatingHeading()
    #expect(await ear.next() == "failed 3")
    withExtendedLifetime(desk) {}
  }

  // MARK: The class and the delegate

  @Test func theMethodsOfTheClassHaveTheAuthorizationOfTheProcess() {
    let storage = AuthorizationStorage.ofThisProcess
    let former: any FormerMembers.Type = CLLocationManager.self
    storage.arrived(AuthorizationState(.denied, areServicesOn: false))
    #expect(!CLLocationManager.locationServicesEnabled())
    #expect(former.authorizationStatus() == .denied)
    storage.arrived(AuthorizationState(.denied))
    #expect(CLLocationManager.locationServicesEnabled())
    #expect(former.authorizationStatus() == .denied)
    storage.arrived(AuthorizationState(.always))
    #expect(CLLocationManager.locationServicesEnabled())
    #expect(former.authorizationStatus() == .authorizedAlways)
  }

  /// A scripted daemon, and a connection to it with the authorization of its app.
  private struct Place {
    let directory: TemporaryDirectory
    let daemon: ScriptedDaemon
    let connection: DaemonConnection
    let storage: AuthorizationStorage

    init() throws {
      directory = try TemporaryDirectory()
      let path = directory.path
      daemon = try ScriptedDaemon(in: path)
      let connection = DaemonConnection(program: "test") { path }
      self.connection = connection
      storage = AuthorizationStorage { connection }
    }
  }

  @Test func aDelegateThatIsSetLateGetsTheAuthorizationOnce() async throws {
    let place = try Place()
    let (storage, connection) = (place.storage, place.connection)
    let manager = CLLocationManager.with(.init(authorization: storage) { connection }) {
      CLLocationManager()
    }
    storage.arrived(AuthorizationState(.whenInUse))
    // The manager finds no delegate on the main queue.
    await Self.mainQueueServed()
    let ear = DelegateEar()
    manager.delegate = ear
    #expect(await ear.next() == "authorization 4")
    manager.delegate = ear
    await Self.mainQueueServed()
    manager.requestState(for: Self.home)
    #expect(await ear.next() == "state of home 0")
    withExtendedLifetime((place, manager)) {}
  }

  @Test func aDelegateThatIsSetDuringTheFirstCallGetsTheAuthorizationOnce() async throws {
    let place = try Place()
    let (storage, connection) = (place.storage, place.connection)
    let manager = CLLocationManager.with(.init(authorization: storage) { connection }) {
      LateDelegateCore()
    }
    let ear = DelegateEar()
    manager.late = ear
    storage.arrived(AuthorizationState(.whenInUse))
    await Self.mainQueueServed()
    manager.delegate = ear
    #expect(await ear.next() == "authorization 4")
    await Self.mainQueueServed()
    manager.requestState(for: Self.home)
    #expect(await ear.next() == "state of home 0")
    withExtendedLifetime((place, manager)) {}
  }

  @Test func aTaskMaySetTheDelegateWhileTheMainQueueReadsIt() async throws {
    let place = try Place()
    let (storage, connection) = (place.storage, place.connection)
    let ear = DelegateEar()
    let task = Task.detached { () -> [String?] in
      let manager = CLLocationManager.with(.init(authorization: storage) { connection }) {
        CLLocationManager()
      }
      storage.arrived(AuthorizationState(.whenInUse))
      for _ in 0..<1_000 {
        manager.delegate = nil
        manager.delegate = ear
      }
      manager.startUpdatingHeading()
      let heard = [await ear.next(), await ear.next()]
      withExtendedLifetime(manager) {}
      return heard
    }
    #expect(await task.value == ["authorization 4", "failed 3"])
    withExtendedLifetime(place) {}
  }

  /// Returns after the blocks that the main queue has now.
  private static func mainQueueServed() async {
    await withCheckedContinuation { (served: CheckedContinuation<Void, Never>) in
      DispatchQueue.main.async { served.resume() }
    }
  }
}

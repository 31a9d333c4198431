import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// A manager whose delegate records its calls, beside a daemon that follows a script.
@MainActor
struct DelegateDesk {
  private let directory: TemporaryDirectory
  private let connection: DaemonConnection
  private let authorization: AuthorizationStorage
  let daemon: ScriptedDaemon
  let manager: CLLocationManager
  let ear = DelegateEar()

  /// The app is authorized while it is in use, and its delegate knows it.
  ///
  /// - Parameter searchEnd: the end of a search for one location.
  /// - Throws: an error of the folder or of the socket.
  init(searchEnd: @escaping ClassicService.SearchEnd = ClassicService.endOfSearch) async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let path = directory.path
    let connection = DaemonConnection(program: "test") { path }
    self.connection = connection
    daemon = try ScriptedDaemon(in: path)
    authorization = AuthorizationStorage { connection }
    let parts = CLLocationManager.Parts(
      authorization: authorization, service: { connection }, searchEnd: searchEnd)
    manager = CLLocationManager.with(parts) { CLLocationManager() }
    manager.delegate = ear
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    try daemon.send(.authorization(AuthorizationState(.whenInUse)))
    #expect(await ear.next() == "authorization 4")
  }

  /// Another manager of the same process, without a delegate.
  func anotherManager() -> CLLocationManager {
    let connection = connection
    let parts = CLLocationManager.Parts(authorization: authorization) { connection }
    return CLLocationManager.with(parts) { CLLocationManager() }
  }

  func fix(_ latitude: Double, accuracy: Double = 3) -> Fix {
    Fix(
      latitude: latitude, longitude: 8, horizontalAccuracy: accuracy,
      time: UTCTime(secondsSince1970: 1_763_700_000))
  }
}

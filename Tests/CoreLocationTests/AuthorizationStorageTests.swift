import BinnacleModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreLocation

/// The authorization of a process without a daemon.
@Suite(.timeLimit(.minutes(5)))
struct AuthorizationStorageTests {
  /// An authorization that a thread reads.
  private final class Reading: Sendable {
    private let read = Mutex(AuthorizationState?.none)

    init(_ storage: AuthorizationStorage, within seconds: Double) {
      Thread {
        let state = storage.state(within: seconds)
        self.read.withLock { $0 = state }
      }.start()
    }

    var state: AuthorizationState? { read.withLock { $0 } }
  }

  @Test func onlyTheFirstReadWaitsForAnAbsentDaemon() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let connection = DaemonConnection(program: "test") { path }
    let storage = AuthorizationStorage { connection }
    #expect(storage.state(within: 0).authorization == .notDetermined)
    // A read that waits would wait longer than this test.
    let later = [Reading(storage, within: 600), Reading(storage, within: 600)]
    for reading in later {
      let hasRead = try eventually { reading.state != nil }
      #expect(hasRead)
      #expect(reading.state?.authorization == .notDetermined)
    }
    storage.arrived(AuthorizationState(.whenInUse))
    #expect(storage.state(within: 600).authorization == .whenInUse)
  }
}

import Testing

@testable import CoreLocation

/// The part of the manager that an app names in a protocol.
private protocol FullAccuracyRequests {
  func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws
}

extension CLLocationManager: FullAccuracyRequests {}

/// The asynchronous request for full accuracy as a requirement of a protocol, and in a subclass.
@Suite(.timeLimit(.minutes(1)))
struct FullAccuracyMockTests {
  /// A mock that records its requests, as the tests of an app for iOS have it.
  private final class RecordingMock: CLLocationManager {
    private(set) var keys: [String] = []

    override func requestTemporaryFullAccuracyAuthorization(
      withPurposeKey purposeKey: String
    ) async throws {
      keys.append(purposeKey)
    }
  }

  /// A subclass that records its requests, and makes them.
  private final class Spy: CLLocationManager {
    private(set) var keys: [String] = []

    override func requestTemporaryFullAccuracyAuthorization(
      withPurposeKey purposeKey: String
    ) async throws {
      keys.append(purposeKey)
      try await super.requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey)
    }
  }

  private let parts: CLLocationManager.Parts

  /// No daemon listens.
  init() {
    let connection = DaemonConnection(program: "test") { "/nowhere" }
    parts = CLLocationManager.Parts(
      authorization: AuthorizationStorage { connection }, service: { connection })
  }

  @Test func aSubclassAnswersTheRequestOfAProtocol() async throws {
    let manager = CLLocationManager.with(parts) { RecordingMock() }
    let requests: any FullAccuracyRequests = manager
    try await requests.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "delivery")
    #expect(manager.keys == ["delivery"])
  }

  /// The code under test has the manager's own type.
  @Test @MainActor func aSubclassAnswersTheRequestOfItsBaseClass() async throws {
    let mock = CLLocationManager.with(parts) { RecordingMock() }
    let manager: CLLocationManager = mock
    try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "delivery")
    #expect(mock.keys == ["delivery"])
  }

  @Test @MainActor func aSubclassThatCallsItsBaseClassIsCalledOnce() async {
    let spy = CLLocationManager.with(parts) { Spy() }
    let manager: CLLocationManager = spy
    var code = CLError.Code?.none
    do {
      // An empty key is answered as an unknown one.
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "")
    } catch {
      code = (error as? CLError)?.code
    }
    #expect(code == .promptDeclined)
    #expect(spy.keys == [""])
  }

  @Test func theManagerAnswersTheRequestOfAProtocol() async {
    let requests: any FullAccuracyRequests = CLLocationManager.with(parts) { CLLocationManager() }
    var code = CLError.Code?.none
    do {
      // An empty key is answered as an unknown one.
      try await requests.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "")
    } catch {
      code = (error as? CLError)?.code
    }
    #expect(code == .promptDeclined)
  }
}

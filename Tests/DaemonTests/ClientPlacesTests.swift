import Testing

@testable import Daemon

/// Operators and apps get in, whatever the clients of other users do.
struct ClientPlacesTests {
  private let places = ClientPlaces()

  /// Four users that hold every place that a user may have.
  private static let full: [ClientPlaces.Place] = (UInt32(1)...4).flatMap {
    [ClientPlaces.Place](repeating: .shared(userID: 1_000 + $0), count: 16)
  }

  @Test func usersThatHoldEverySharedPlaceKeepOutNoOperatorAndNoApp() {
    let full = ClientPlacesTests.full
    #expect(places.refusal(of: .shared(userID: 2_000), among: full)?.contains("64 clients") == true)
    #expect(places.refusal(of: .operator(userID: 0), among: full) == nil)
    #expect(places.refusal(of: .app("org.example.a"), among: full) == nil)
    #expect(places.refusal(of: .userOfApp(2_000), among: full) == nil)
  }

  @Test func aUserHasItsShareOnly() {
    let held = [ClientPlaces.Place](repeating: .shared(userID: 1_000), count: 16)
    #expect(places.refusal(of: .shared(userID: 1_000), among: held)?.contains("user 1000") == true)
    #expect(places.refusal(of: .shared(userID: 1_001), among: held) == nil)
  }

  @Test func anAppAndAnOperatorHaveLimitsOfTheirOwn() {
    let ofApp = [ClientPlaces.Place](repeating: .app("org.example.a"), count: 16)
    #expect(
      places.refusal(of: .app("org.example.a"), among: ofApp)
        == "16 clients of app org.example.a are connected, which is the limit")
    #expect(places.refusal(of: .app("org.example.b"), among: ofApp) == nil)
    let ofRoot = [ClientPlaces.Place](repeating: .operator(userID: 0), count: 64)
    #expect(places.refusal(of: .operator(userID: 0), among: ofRoot) != nil)
    #expect(places.refusal(of: .operator(userID: 990), among: ofRoot) == nil)
  }
}

import BinnacleModel
import BinnaclePosix
import Board
import TestSupport
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

  @Test func rootAppsAndTheirUsersAreNotCountedWithOtherUsers() throws {
    let directory = try TemporaryDirectory()
    var shelf = AppShelf()
    let manifest = "[App]\nIdentifier=org.example.a\nExecutable=/opt/a\nUser=1000\n"
    shelf.take([SettingsFile(path: "org.example.a", bytes: Array(manifest.utf8))])
    let table = ClientTable(
      listener: try LocalListener(path: directory("s"), mode: 0o600),
      operators: Operators(userIDs: [0, 990], groupID: { nil }))
    var outcomes: [ClientTable.Outcome] = []
    table.identify(by: AppRegistry(shelf), at: .zero, into: &outcomes)
    func place(_ userID: UInt32, _ app: AppID) -> ClientPlaces.Place {
      table.place(
        of: Peer(
          userID: userID, processID: 7, app: app, mayOperate: userID == 0 || userID == 990))
    }
    func unlisted(_ userID: UInt32) -> AppID {
      .unlisted(userID: userID, executable: "/usr/bin/python3")
    }
    #expect(place(0, unlisted(0)) == .operator(userID: 0))
    #expect(place(990, unlisted(990)) == .operator(userID: 990))
    #expect(place(1_000, .listed("org.example.a")) == .app("org.example.a"))
    #expect(place(1_000, unlisted(1_000)) == .userOfApp(1_000))
    #expect(place(1_001, unlisted(1_001)) == .shared(userID: 1_001))
  }
}

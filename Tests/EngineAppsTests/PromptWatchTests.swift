import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Operators who watch the open requests of apps.
@Suite struct PromptWatchTests {
  private static let watcher = ClientID(number: 800)

  private static func desk() -> ConsentDesk {
    var desk = ConsentDesk()
    let peer = Peer(
      userID: 0, processID: 2, app: .unlisted(userID: 0, executable: "/bin/binnacle"),
      mayOperate: true)
    desk.desk.send(.client(watcher, .connected(peer, program: "binnacle prompts")))
    desk.desk.send(.client(watcher, .requested(5, .consent(.watchPrompts))))
    return desk
  }

  /// The lists that the watcher has got, as the apps of each list.
  private static func lists(_ desk: ConsentDesk) -> [[String]] {
    desk.desk.effects.compactMap {
      guard case .client(watcher, .rows(request: 5, let rows)) = $0 else { return nil }
      return rows.compactMap { $0[.rowID] }
    }
  }

  @Test func eachChangeOfTheOpenRequestsIsSent() {
    var desk = Self.desk()
    #expect(Self.lists(desk) == [[]])
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(Self.lists(desk).last == ["org.example.tracker"])
    let count = Self.lists(desk).count
    desk.desk.wait(100)
    desk.fix()
    #expect(Self.lists(desk).count == count)
    desk.request(.allow(app: "org.example.tracker", nil))
    #expect(Self.lists(desk).last == [])
    #expect(Self.lists(desk).count == count + 1)
  }

  @Test func aRequestThatItsAppWithdrawsIsGone() {
    var desk = Self.desk()
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.end(app)
    #expect(Self.lists(desk).last == [])
  }

  @Test func aWatcherThatHasDisconnectedGetsNothing() {
    var desk = Self.desk()
    desk.desk.send(.client(Self.watcher, .disconnected))
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(Self.lists(desk) == [[]])
  }
}

import BinnacleModel
import Testing

@testable import LocationEngine

/// Locations that are delivered between the request to stop and the end of the daemon, while the disk is slow.
@Suite struct StopUseTests {
  /// The daemon stops while the disk answers nothing, and ends after its time limit or the disk's answers.
  private static func stop(
    _ desk: inout ConsentDesk, meanwhile: (inout ConsentDesk) -> Void
  ) -> [Report] {
    desk.desk.holdsCommits = true
    desk.desk.send(.stopRequested)
    meanwhile(&desk)
    desk.desk.holdsCommits = false
    desk.desk.release()
    #expect(desk.desk.engine.outlook.isStateSettled)
    desk.killDaemon()
    return desk.rows(.audit)
  }

  @Test func theEpochOfAnAppHasEachLocationUntilTheEnd() throws {
    var (desk, app) = SessionTests.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    for _ in 0..<5 { desk.fix() }
    let rows = Self.stop(&desk) { desk in
      for _ in 0..<3 { desk.fix() }
      #expect(desk.seen(app) == "ffffffff")
    }
    let row = try #require(rows.first)
    #expect(row[.rowUpdates] == 8)
    #expect(row[.rowIsInterrupted] == nil)
  }

  @Test func theEpochOfAToolHasEachLocationUntilTheEnd() throws {
    var desk = ConsentDesk()
    let client = ClientID(number: 70)
    let peer = Peer(
      userID: 0, processID: 9, app: .unlisted(userID: 0, executable: "/usr/bin/binnacle"),
      file: ConsentDesk.file, mayOperate: true, isOperator: true)
    desk.desk.send(.client(client, .connected(peer, program: "binnacle")))
    desk.desk.open(client)
    for _ in 0..<5 { desk.fix() }
    let rows = Self.stop(&desk) { desk in
      for _ in 0..<3 { desk.fix() }
    }
    let row = try #require(rows.first)
    #expect(row[.rowUpdates] == 8)
    #expect(row[.rowIsInterrupted] == nil)
  }

  @Test func aUseThatBeginsWhileTheDaemonStopsIsAnEpoch() throws {
    var (desk, app) = SessionTests.desk()
    desk.hold(.backgroundActivity, by: app)
    let rows = Self.stop(&desk) { desk in
      desk.request(.home)
      for _ in 0..<3 { desk.fix() }
      #expect(desk.seen(app) == "fff")
    }
    let row = try #require(rows.first)
    #expect(row[.rowUpdates] == 3)
    #expect(row[.rowIsInterrupted] == nil)
  }
}

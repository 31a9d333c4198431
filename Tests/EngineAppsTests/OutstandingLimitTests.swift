import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// How much apps can have written of the live updates that they have begun, and what is kept when there are too many.
@Suite struct OutstandingLimitTests {
  private static let tracker = OutstandingDesk.tracker
  private static let walker = OutstandingDesk.walker
  private static let one = LiveUpdatesRecord([.default: 1])

  /// The most that an app can have written: six commits at once, then one a minute.
  @Test func anAppThatRestartsUpdatesForAnHourCausesFewWrites() {
    var desk = OutstandingDesk()
    let client = desk.connect(OutstandingLimitTests.walker)
    for turn in 0..<UInt32(6_000) {
      desk.open(client, turn)
      desk.close(client, turn)
      desk.now += .milliseconds(600)
      desk.wait(0)
    }
    #expect(desk.commits.count == 1)
    let configurations = LiveConfiguration.allCases
    for turn in 0..<UInt32(3_600) {
      // Each time another one, so that it always is more than the log says.
      desk.open(client, 50_000 + turn, configurations[Int(turn) % configurations.count])
      desk.wait(1)
      desk.close(client, 50_000 + turn)
    }
    #expect((60...66).contains(desk.commits.count))
    // One of them may be the log's move to its other segment.
    #expect(desk.flushCount <= 66)
    #expect(desk.bytesWritten <= 68 * 4_096)
    // The last word counts.
    desk.open(client, 90_000, .airborne)
    desk.wait(120)
    #expect(desk.kept(OutstandingLimitTests.walker) == LiveUpdatesRecord([.airborne: 1]))
  }

  /// The door admits an app of a manifest to a place of its own.
  @Test func anAppIsServedHoweverManyClientsTheDoorHasAdmitted() {
    var desk = OutstandingDesk()
    for number in 0..<300 { _ = desk.connect(.listed("org.example.a\(number)")) }
    let client = desk.connect(OutstandingLimitTests.tracker)
    desk.open(client)
    #expect(desk.engine.apps.client(client) != nil)
    #expect(desk.engine.apps.ignoredCount == 0)
    #expect(desk.engine.updates.sequences(of: client).count == 1)
  }

  @Test func anAppThatCrashesForAnHourWritesOnce() {
    var desk = OutstandingDesk()
    for _ in 0..<720 {
      let client = desk.connect(OutstandingLimitTests.walker)
      desk.open(client)
      desk.wait(2)
      desk.end(client)
      desk.wait(3)
    }
    #expect(desk.commits.count == 1)
    #expect(desk.count("outstanding.rejoined") == 719)
  }

  @Test func the257thAppIsServedAndTheLogStatesThatItIsNotKept() {
    var desk = OutstandingDesk()
    for number in 0..<256 {
      let app = AppID.listed("org.example.a\(number)")
      let client = desk.connect(app)
      desk.open(client)
      // Its place is for others as long as it waits.
      if number > 0 { desk.end(client) }
    }
    let late = OutstandingLimitTests.tracker
    let client = desk.connect(late)
    desk.open(client)
    let said =
      "live updates of org.example.tracker: served, but not kept over a restart: the updates "
      + "of 256 other apps are kept, which is the maximum"
    #expect(desk.lines.filter { $0.contains("not kept") } == [said])
    // The first app is in the foreground, and all others are in the background.
    #expect(desk.updates.last == Update(fix: nil, flags: .insufficientlyInUse))
    desk.wait(5)
    #expect(desk.kept(late) == nil)
    // When others have lapsed there is room for it.
    desk.wait(36)
    #expect(desk.kept(late) == OutstandingLimitTests.one)
  }

  @Test func aPathThatIsTooLongIsServedAndNotKept() {
    var desk = OutstandingDesk()
    let path = "/" + String(repeating: "x", count: 300)
    desk.open(desk.connect(.unlisted(userID: 1_000, executable: path)))
    #expect(desk.commits.isEmpty)
    #expect(desk.lines.contains { $0.contains("give it a manifest") })
  }

  @Test func appsThatComeOnceAreForgotten() {
    var desk = OutstandingDesk()
    for number in 0..<600 {
      let client = desk.connect(.listed("org.example.a\(number)"))
      desk.open(client)
      desk.close(client)
      desk.end(client)
      desk.now += .milliseconds(200)
      desk.wait(0)
    }
    #expect(desk.engine.apps.outstanding.apps.count <= 256 + 160)
  }

  /// A user whose program may be any program, such as root with many copies of a program, gets the writes of one app.
  @Test func unlistedProgramsOfAUserShareAWriteBudget() {
    var desk = OutstandingDesk()
    for number in 0..<1_200 {
      let app = AppID.unlisted(userID: 1_000, executable: "/tmp/copy\(number)")
      let client = desk.connect(app)
      desk.open(client)
      desk.end(client)
      desk.wait(1)
    }
    // Sixty at once, and 120 in the 20 minutes; each is one to begin with and one in the end.
    #expect((170...181).contains(desk.commits.count))
    // An app with a manifest does not wait behind them.
    desk.open(desk.connect(OutstandingLimitTests.tracker))
    #expect(desk.kept(OutstandingLimitTests.tracker) == OutstandingLimitTests.one)
    // An app of a user without earlier writes does not wait either.
    let other = AppID.unlisted(userID: 0, executable: "/usr/bin/other")
    desk.open(desk.connect(other, user: 0))
    #expect(desk.kept(other) == OutstandingLimitTests.one)
  }
}

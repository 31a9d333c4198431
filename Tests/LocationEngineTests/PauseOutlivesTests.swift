import Basics
import Model
import Simulation
import StateLog
import Testing

@testable import LocationEngine

/// Pauses over the end of the app, of the daemon and of the power, with a receiver that sleeps and a body that rests or does not.
@Suite struct PauseOutlivesTests {
  private static let walker = AppID.unlisted(userID: 1_000, executable: "/usr/bin/walker")
  private static let tracker = AppID.listed("org.example.tracker")
  private static let second = ClientID(number: 2)

  private static func desk(
    path: Body.Path = .still, _ records: RecordSet = RecordSet(),
    startSeconds: Int64 = 1_790_000_000
  ) -> EngineDesk {
    EngineDesk(path: path, startSeconds: startSeconds, reading: StateReading(records: records)) {
      $0.dwells.default = .seconds(60)
      $0.dwells.fitness = .seconds(60)
      $0.backgroundApps = ["org.example.tracker"]
    }
  }

  private static func open(
    _ desk: inout EngineDesk, _ client: ClientID = EngineDesk.client, app: AppID = walker
  ) {
    desk.open(user: 1_000, app: app, client: client)
  }

  /// A board that pauses and whose receiver sleeps, and what is on its disk.
  private static func paused(
    app: AppID = walker, seconds: Double = 200
  ) -> (EngineDesk, RecordSet) {
    var desk = desk()
    open(&desk, app: app)
    desk.run(seconds: seconds)
    return (desk, records(of: desk))
  }

  private static func records(of desk: EngineDesk) -> RecordSet {
    var records = RecordSet()
    for change in desk.commits.joined() { records.apply(change) }
    return records
  }

  private static func letters(_ updates: some Sequence<Update>) -> String {
    updates.map { update in
      switch (update.fix != nil, update.flags) {
      case (true, []): "f"
      case (true, .stationary): "s"
      case (false, .locationUnavailable): "u"
      case _: "?"
      }
    }.joined()
  }

  // MARK: The power

  @Test func aBoardThatStillRestsAfterAPowerCutIsToldOnceWithItsFirstFix() {
    let (_, records) = PauseOutlivesTests.paused()
    var desk = PauseOutlivesTests.desk(records)
    desk.run(seconds: 4)
    PauseOutlivesTests.open(&desk)
    desk.run(seconds: 3_600)
    #expect(PauseOutlivesTests.letters(desk.updates) == "s")
    #expect(desk.report()["power.state"] == .text("asleep"))
    // The control: the same with nothing on the disk.
    desk = PauseOutlivesTests.desk()
    desk.run(seconds: 4)
    PauseOutlivesTests.open(&desk)
    desk.run(seconds: 3_600)
    #expect(desk.updates.count > 50)
  }

  @Test func aBoardThatIsElsewhereOrDrivesAfterAPowerCutHasUpdatesAtOnce() throws {
    let (_, records) = PauseOutlivesTests.paused()
    for path in [Body.Path.motorway, .journey] {
      // Where the journeys begin is where the other body rests, so these are farther on.
      var desk = EngineDesk(
        path: path, startSeconds: 1_790_000_000, reading: StateReading(records: records)
      ) { $0.dwells.default = .seconds(60) }
      desk.run(seconds: 14)
      PauseOutlivesTests.open(&desk)
      desk.run(seconds: 20)
      #expect(PauseOutlivesTests.letters(desk.updates.prefix(3)) == "fff", "\(path.rawValue)")
    }
  }

  @Test func anAppThatDidNotPauseHasItsDwellAfterAPowerCut() {
    let (_, records) = PauseOutlivesTests.paused(seconds: 50)
    var desk = PauseOutlivesTests.desk(records)
    PauseOutlivesTests.open(&desk)
    desk.run(seconds: 50)
    #expect(!desk.updates.contains { $0.flags.contains(.stationary) })
  }

  @Test func aRestThatIsOverIsForgottenWithinAMinute() {
    let (desk, records) = PauseOutlivesTests.paused()
    #expect(records[RecordName(kind: RecordTable.rest.number)] != nil)
    var after = desk
    // Another body: it leaves.
    after.receiver.world.body = Body(path: .motorway)
    after.run(seconds: 400)
    #expect(PauseOutlivesTests.letters(after.updates).hasSuffix("fff"))
    let left = PauseOutlivesTests.records(of: after)
    #expect(left[RecordName(kind: RecordTable.rest.number)] == nil)
  }

  @Test func whatErasesPositionsErasesTheRest() {
    var (desk, _) = PauseOutlivesTests.paused()
    let peer = Peer(userID: 0, processID: 8)
    desk.send(.clientConnected(PauseOutlivesTests.second, peer, program: "binnacle"))
    desk.send(.stateWished(PauseOutlivesTests.second, request: 5, .erase(.fix)))
    desk.run(seconds: 700)
    let left = PauseOutlivesTests.records(of: desk)
    #expect(left[RecordName(kind: RecordTable.rest.number)] == nil)
  }

  @Test func aRecordThatCannotBeReadIsToldAndCountsForNothing() throws {
    var (_, records) = PauseOutlivesTests.paused()
    let name = RecordName(kind: RecordTable.rest.number)
    let value = try #require(records[name])
    #expect(try #require(RestRecord(bytes: value)).bytes == value)
    for bytes in [[], [0] + value.dropFirst(), value.dropLast(), value + [0]] {
      #expect(RestRecord(bytes: Array(bytes)) == nil)
    }
    records.apply(Change(name, .put([9], isCautious: false)))
    var desk = PauseOutlivesTests.desk(records)
    desk.run(seconds: 4)
    PauseOutlivesTests.open(&desk)
    desk.run(seconds: 20)
    #expect(desk.lines.contains { $0.contains("the last rest cannot be read") })
    #expect(PauseOutlivesTests.letters(desk.updates.prefix(2)) == "ff")
  }

  // MARK: The app

  @Test func anAppThatWasKilledIsToldThePauseAgainAndTheReceiverSleepsOn() {
    var (desk, _) = PauseOutlivesTests.paused()
    #expect(desk.report()["power.state"] == .text("asleep"))
    let before = desk.updates.count
    let wakes = desk.report()["power.wakes"]
    desk.send(.clientDisconnected(EngineDesk.client))
    desk.run(seconds: 5)
    PauseOutlivesTests.open(&desk, PauseOutlivesTests.second)
    desk.run(seconds: 5)
    #expect(PauseOutlivesTests.letters(desk.updates.dropFirst(before)) == "s")
    #expect(desk.report()["power.wakes"] == wakes)
    #expect(desk.report()["power.state"] == .text("asleep"))
  }

  @Test func whoIsKilledWhileItSettlesHasNoLongerToWait() {
    var (desk, _) = PauseOutlivesTests.paused(seconds: 45)
    desk.send(.clientDisconnected(EngineDesk.client))
    desk.run(seconds: 5)
    PauseOutlivesTests.open(&desk, PauseOutlivesTests.second)
    desk.run(seconds: 25)
    #expect(desk.updates.last?.flags == .stationary)
    #expect(desk.updates.last?.fix != nil)
  }

  @Test func aBackgroundAppThatIsStartedLaterIsToldWithItsFirstFix() {
    var (desk, _) = PauseOutlivesTests.paused(app: PauseOutlivesTests.tracker)
    let before = desk.updates.count
    desk.send(.clientDisconnected(EngineDesk.client))
    desk.run(seconds: 1_000)
    #expect(desk.report()["power.state"] == .text("off"))
    let start = desk.now
    PauseOutlivesTests.open(&desk, PauseOutlivesTests.second, app: PauseOutlivesTests.tracker)
    desk.run(seconds: 600)
    let updates = desk.updates.dropFirst(before)
    #expect(PauseOutlivesTests.letters(updates) == "s")
    let time = desk.receiver.world.utc(at: start)
    #expect(updates.first?.fix.map { $0.time > time } == true)
  }

  @Test func aBackgroundAppThatIsStartedInMotionHasUpdates() {
    var (desk, _) = PauseOutlivesTests.paused(app: PauseOutlivesTests.tracker)
    let before = desk.updates.count
    desk.send(.clientDisconnected(EngineDesk.client))
    desk.run(seconds: 1_000)
    desk.receiver.world.body = Body(path: .motorway)
    PauseOutlivesTests.open(&desk, PauseOutlivesTests.second, app: PauseOutlivesTests.tracker)
    desk.run(seconds: 60)
    #expect(PauseOutlivesTests.letters(desk.updates.dropFirst(before).prefix(3)) == "fff")
  }
}

import Accelerometers
import BinnacleBasics
import BinnacleModel
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
      $0.motion.dwells.default = .seconds(60)
      $0.motion.dwells.fitness = .seconds(60)
      $0.apps = [
        AppDeclaration(identifier: "org.example.tracker", hasBackgroundLocation: true)
      ]
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

  @Test func aBoardThatStillRestsAfterAPowerCutIsReportedOnceWithItsFirstFix() {
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

  /// A board at its old place that shakes is not reported at rest, even if the disk has a pause.
  @Test(arguments: [0, 60]) func aBoardThatIsShakenInItsPlaceAfterAPowerCutDoesNotPause(
    _ milliG: Int16
  ) {
    let (_, records) = PauseOutlivesTests.paused()
    var desk = EngineDesk(
      startSeconds: 1_790_000_000, reading: StateReading(records: records)
    ) {
      $0.motion.dwells.default = .seconds(60)
      $0.hasAccelerometer = true
    }
    desk.receiver.world.departure = .zero + .seconds(1_000_000_000)
    desk.open(user: 1_000, app: PauseOutlivesTests.walker)
    for step in 0..<40 {
      let first = desk.now
      desk.run(seconds: 0.5)
      let counts = (0..<25).flatMap { index -> [Int16] in
        let sway = (step * 25 + index) / 10 % 2 == 0 ? milliG : -milliG
        return [sway + Int16((step + index) % 3), 0, 1_000]
      }
      let batch = AccelerationBatch(
        first: first, interval: .milliseconds(20), gPerCount: 0.001, counts: counts)
      desk.send(.accelerometer(.samples(batch)))
    }
    #expect(desk.updates.contains { $0.flags.contains(.stationary) } == (milliG == 0))
  }

  /// The power comes back when the board is so many seconds into a journey from where it rested.
  ///
  /// 53 s after the start the car stands 300 m away. The car on the motorway is still driving. After 12 s the walker is
  /// still within the wander of a receiver at rest, so only the speed shows the motion.
  @Test(arguments: [(.journey, 53), (.motorway, 14), (.walk, 12)] as [(Body.Path, Int64)])
  func aBoardThatIsElsewhereOrDrivesAfterAPowerCutHasUpdatesAtOnce(
    _ path: Body.Path, seconds: Int64
  ) {
    let (_, records) = PauseOutlivesTests.paused()
    var desk = PauseOutlivesTests.desk(path: path, records)
    desk.receiver.world.departure = .zero - .seconds(seconds)
    desk.run(seconds: 1)
    PauseOutlivesTests.open(&desk)
    desk.run(seconds: 20)
    #expect(PauseOutlivesTests.letters(desk.updates.prefix(3)) == "fff")
    // It was taken up as one that paused: else it would have updates whatever the board did.
    #expect(desk.report()["outstanding.rejoined"] == .integer(1))
  }

  /// Another app pauses in another configuration at the place.
  @Test func anAppThatDidNotPauseHasItsDwellAfterAPowerCut() {
    let other = ClientID(number: 3)
    let app = PauseOutlivesTests.tracker
    var before = PauseOutlivesTests.desk()
    before.open(.fitness, user: 1_000, app: PauseOutlivesTests.walker)
    before.run(seconds: 150)
    before.open(user: 1_000, app: app, client: other)
    before.run(seconds: 50)
    var desk = PauseOutlivesTests.desk(PauseOutlivesTests.records(of: before))
    desk.run(seconds: 1)
    desk.open(.fitness, user: 1_000, app: PauseOutlivesTests.walker)
    desk.open(user: 1_000, app: app, client: other)
    desk.run(seconds: 50)
    #expect(PauseOutlivesTests.letters(desk.updates(of: EngineDesk.client)) == "s")
    let letters = PauseOutlivesTests.letters(desk.updates(of: other))
    #expect(letters.hasPrefix("fff") && !letters.contains("s"))
  }

  /// One of two sequences of the same configuration pauses, and the record of the rest cannot distinguish them.
  @Test func onlyAConfigurationWhoseSequencesAllPausedPausesAtOnceAfterAPowerCut() {
    var (before, records) = PauseOutlivesTests.paused(seconds: 150)
    #expect(records[RecordName(kind: RecordTable.rest.number)] != nil)
    PauseOutlivesTests.open(
      &before, PauseOutlivesTests.second, app: PauseOutlivesTests.tracker)
    // The record goes with the changes of a minute.
    before.send(.stopRequested)
    before.run(seconds: 5)
    records = PauseOutlivesTests.records(of: before)
    #expect(records[RecordName(kind: RecordTable.rest.number)] == nil)
    var desk = PauseOutlivesTests.desk(records)
    PauseOutlivesTests.open(&desk)
    desk.run(seconds: 50)
    let letters = PauseOutlivesTests.letters(desk.updates)
    #expect(letters.hasPrefix("fff") && !letters.contains("s"))
  }

  @Test func aRestThatIsOverIsForgottenWithinAMinute() throws {
    var (desk, records) = PauseOutlivesTests.paused()
    let name = RecordName(kind: RecordTable.rest.number)
    #expect(records[name] != nil)
    let count = desk.updates.count
    // Another body: it leaves.
    desk.receiver.world.body = Body(path: .motorway)
    while desk.updates.count == count, desk.now < .zero + .seconds(600) { desk.run(seconds: 1) }
    #expect(PauseOutlivesTests.letters(desk.updates.dropFirst(count)) == "f")
    desk.run(seconds: 61)
    #expect(PauseOutlivesTests.letters(desk.updates).hasSuffix("fff"))
    #expect(PauseOutlivesTests.records(of: desk)[name] == nil)
  }

  @Test func erasingPositionsErasesTheRest() {
    var (desk, _) = PauseOutlivesTests.paused()
    let peer = Peer(userID: 0, processID: 8, isOperator: true)
    desk.send(.client(PauseOutlivesTests.second, .connected(peer, program: "binnacle")))
    desk.send(.client(PauseOutlivesTests.second, .requested(5, .state(.erase(.fix)))))
    desk.run(seconds: 700)
    let left = PauseOutlivesTests.records(of: desk)
    #expect(left[RecordName(kind: RecordTable.rest.number)] == nil)
  }

  @Test func aRecordThatCannotBeReadIsReportedAndCountsForNothing() throws {
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

  @Test func anAppThatWasKilledGetsThePauseAgainAndTheReceiverSleepsOn() {
    var (desk, _) = PauseOutlivesTests.paused()
    #expect(desk.report()["power.state"] == .text("asleep"))
    let before = desk.updates.count
    let wakes = desk.report()["power.wakes"]
    desk.send(.client(EngineDesk.client, .disconnected))
    desk.run(seconds: 5)
    PauseOutlivesTests.open(&desk, PauseOutlivesTests.second)
    desk.run(seconds: 5)
    #expect(PauseOutlivesTests.letters(desk.updates.dropFirst(before)) == "s")
    #expect(desk.report()["power.wakes"] == wakes)
    #expect(desk.report()["power.state"] == .text("asleep"))
  }

  @Test func aKilledAppContinuesItsDwell() {
    var (desk, _) = PauseOutlivesTests.paused(seconds: 45)
    desk.send(.client(EngineDesk.client, .disconnected))
    desk.run(seconds: 5)
    PauseOutlivesTests.open(&desk, PauseOutlivesTests.second)
    desk.run(seconds: 25)
    #expect(desk.updates.last?.flags == .stationary)
    #expect(desk.updates.last?.fix != nil)
  }

  @Test func aBackgroundAppThatIsStartedLaterIsReportedWithItsFirstFix() {
    var (desk, _) = PauseOutlivesTests.paused(app: PauseOutlivesTests.tracker)
    let before = desk.updates.count
    desk.send(.client(EngineDesk.client, .disconnected))
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
    desk.send(.client(EngineDesk.client, .disconnected))
    desk.run(seconds: 1_000)
    desk.receiver.world.body = Body(path: .motorway)
    PauseOutlivesTests.open(&desk, PauseOutlivesTests.second, app: PauseOutlivesTests.tracker)
    desk.run(seconds: 60)
    #expect(PauseOutlivesTests.letters(desk.updates.dropFirst(before).prefix(3)) == "fff")
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// The locations that wait for an app, over restarts of the daemon and power cuts.
struct WaitingUpdatesTests {
  /// A board whose app is suspended with an always-session, and gets its updates after ten minutes.
  private static func suspended(
    seconds: Int, _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> AppLifeDesk {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)]) {
      $0.life.wakeInterval = .seconds(600)
      adjust(&$0)
    }
    desk.consent.request(.home)
    while !desk.isFrozen { desk.consent.fix() }
    for _ in 0..<seconds { desk.consent.fix() }
    return desk
  }

  private static func waiting(_ desk: inout AppLifeDesk) -> Int64? { desk.row()?[.rowWaiting] }

  private static func records(of desk: AppLifeDesk) -> [RecordName] {
    desk.consent.desk.engine.storage.state.records.entries.map(\.name)
      .filter { $0.kind == RecordTable.waitingUpdates.number }
  }

  /// The commits that write locations, and those that remove their records.
  private static func commits(of desk: AppLifeDesk) -> (writes: Int, removals: Int) {
    var counts = (writes: 0, removals: 0)
    for case .storage(.commit(_, let changes)) in desk.consent.desk.effects {
      let own = changes.filter { $0.name.kind == RecordTable.waitingUpdates.number }
      if own.contains(where: { $0.action == .remove }) { counts.removals += 1 }
      if own.contains(where: { $0.action != .remove }) { counts.writes += 1 }
    }
    return counts
  }

  @Test func afterAPowerCutAnAppGetsTheLocationsThatWaitedLessThoseOfTheLastMinute() {
    var desk = WaitingUpdatesTests.suspended(seconds: 200)
    let before = desk.seconds.last ?? 0
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    let end = desk.consent.desk.now
    desk.consent.cutPower()
    desk.connectLauncher()
    let count = WaitingUpdatesTests.waiting(&desk) ?? 0
    #expect((140...200).contains(count))
    #expect(desk.consent.desk.lines.contains { $0.contains("\(count) updates wait from before") })
    desk.consent.desk.wait(11)
    desk.begin([.service(.always)])
    desk.consent.fix()
    let seconds = desk.seconds
    #expect(seconds.first == before + 1)
    #expect(Array(seconds.prefix(Int(count))) == Array(before + 1...before + count))
    #expect(Set(seconds).count == seconds.count)
    #expect((end - .zero).seconds - Double(before + count) <= 61)
  }

  @Test func aSearchForOneLocationLeavesTheLocationsThatWaitToTheUpdates() throws {
    var desk = WaitingUpdatesTests.suspended(seconds: 60)
    let last = try #require(desk.seconds.last)
    desk.end()
    desk.consent.desk.wait(11)
    desk.connect()
    desk.consent.hold(.service(.always), by: desk.client)
    let search = SequenceID(number: 2)
    desk.consent.desk.send(.client(desk.client, .updatesOpened(search, .default, .search)))
    desk.consent.fix()
    #expect(desk.seconds.allSatisfy { $0 > last + 60 })
    #expect(WaitingUpdatesTests.waiting(&desk) ?? 0 >= 60)
    desk.consent.desk.close(desk.client, 2)
    #expect(WaitingUpdatesTests.waiting(&desk) ?? 0 >= 60)
    desk.consent.desk.open(desk.client)
    #expect(desk.seconds.contains(last + 1))
    #expect(WaitingUpdatesTests.waiting(&desk) == nil)
  }

  /// The lamp fails while the app is suspended, or while the power is off.
  @Test(arguments: [false, true])
  func waitingLocationsWaitOnUntilTheIndicatorIsLitAgain(afterAPowerCut: Bool) throws {
    var desk = WaitingUpdatesTests.suspended(seconds: 90)
    let before = desk.seconds
    let last = try #require(before.last)
    desk.consent.desk.lamp = .lost
    if afterAPowerCut {
      _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
      desk.consent.restart()
      desk.connectLauncher()
      desk.consent.desk.wait(11)
      desk.begin([.service(.always)])
    }
    desk.consent.desk.wait(700)
    #expect(desk.seconds == (afterAPowerCut ? [] : before))
    #expect(desk.seen.hasSuffix("i"))
    let count = Int(WaitingUpdatesTests.waiting(&desk) ?? 0)
    #expect(count >= 80)
    desk.consent.desk.lamp = .works
    desk.consent.desk.wait(700)
    #expect(desk.seconds.suffix(count) == Array(last + 1...last + Int64(count))[...])
    #expect(WaitingUpdatesTests.waiting(&desk) == nil)
    let uses = desk.consent.rows(.audit).compactMap { $0[.rowUpdates] }
    #expect(uses.reduce(0, +) >= Int64(count))
  }

  /// Two sequences of one configuration share the locations that wait; neither a close nor a lost connection doubles or keeps them.
  @Test(arguments: [false, true])
  func locationsWaitForOpenSequencesInTheBackgroundUntilTheIndicatorIsLit(reconnects: Bool) throws {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)]) {
      $0.life.wakeInterval = .seconds(600)
    }
    desk.consent.desk.open(desk.client, 2)
    desk.consent.request(.home)
    while !desk.isFrozen { desk.consent.fix() }
    for _ in 0..<30 { desk.consent.fix() }
    desk.end()
    desk.consent.desk.wait(1)
    desk.consent.desk.lamp = .lost
    desk.consent.desk.wait(11)
    let last = try #require(desk.seconds.last)
    desk.begin([.service(.always)])
    if reconnects {
      desk.consent.desk.end(desk.client)
      desk.begin([.service(.always)])
    } else {
      desk.consent.desk.open(desk.client, 2)
      desk.consent.desk.close(desk.client)
    }
    #expect(desk.seconds == [])
    desk.consent.desk.lamp = .works
    desk.consent.desk.wait(700)
    #expect(desk.seconds.count >= 30)
    #expect(desk.seconds == Array(last + 1...last + Int64(desk.seconds.count)))
    #expect(WaitingUpdatesTests.waiting(&desk) == nil)
  }

  @Test func noAppIsLaunchedForWaitingLocationsUntilTheIndicatorIsLit() {
    var desk = WaitingUpdatesTests.suspended(seconds: 20)
    desk.consent.desk.lamp = .lost
    desk.consent.desk.wait(11)
    desk.end()
    desk.consent.desk.wait(700)
    #expect(!desk.isRunning)
    #expect(WaitingUpdatesTests.waiting(&desk) ?? 0 >= 20)
    desk.consent.desk.lamp = .works
    desk.consent.desk.wait(61)
    #expect(desk.isRunning)
  }

  @Test func afterACleanStopNoWaitingLocationIsMissing() {
    var desk = WaitingUpdatesTests.suspended(seconds: 90)
    let before = desk.seconds.last ?? 0
    let count = WaitingUpdatesTests.waiting(&desk) ?? 0
    desk.consent.restart()
    desk.connectLauncher()
    #expect(WaitingUpdatesTests.waiting(&desk) == count)
    desk.consent.desk.wait(600)
    #expect(!desk.isFrozen)
    desk.begin([.service(.always)])
    #expect(desk.seconds == Array(before + 1...before + count))
  }

  @Test func aQueueThatIsDeliveredWithinAMinuteCausesNoWrite() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)])
    desk.consent.request(.home)
    for _ in 0..<600 { desk.consent.fix() }
    #expect(desk.orders.filter { $0 == .thaw }.count > 5)
    #expect(WaitingUpdatesTests.commits(of: desk) == (0, 0))
  }

  @Test func waitingLocationsAreWrittenOnceInAMinuteAndRemovedOnceAfterTheirDelivery() {
    var desk = WaitingUpdatesTests.suspended(seconds: 300)
    #expect(WaitingUpdatesTests.commits(of: desk) == (5, 0))
    #expect(WaitingUpdatesTests.records(of: desk).count == 5)
    desk.consent.request(.home)
    #expect(!desk.isFrozen)
    #expect(WaitingUpdatesTests.records(of: desk) == [])
  }

  @Test func aRecordThatIsDueWhileTheAppIsResumedLeavesNoDeadlineInThePast() throws {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)])
    desk.consent.request(.home)
    while !desk.isFrozen { desk.consent.fix() }
    desk.consent.desk.launcher.hangsWhileThawing = true
    for _ in 0..<70 { desk.consent.fix() }
    #expect(desk.orders.last == .thaw)
    let due = try #require(desk.consent.desk.engine.nextDeadline)
    #expect(due > desk.consent.desk.now)
  }

  @Test func locationsThatOneOfTwoConfigurationsHasGotDoNotComeAgainAfterAPowerCut() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)]) {
      $0.life.wakeInterval = .seconds(600)
    }
    desk.consent.desk.send(
      .client(desk.client, .updatesOpened(SequenceID(number: 2), .airborne)))
    desk.consent.request(.home)
    while !desk.isFrozen { desk.consent.fix() }
    for _ in 0..<70 { desk.consent.fix() }
    desk.end()
    desk.consent.desk.wait(1)
    desk.begin([.service(.always)])
    let first = desk.seconds
    #expect(first.count >= 70)
    desk.consent.desk.wait(3)
    #expect(WaitingUpdatesTests.waiting(&desk) ?? 0 > 0)
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    desk.consent.cutPower()
    desk.connectLauncher()
    desk.consent.desk.wait(11)
    #expect(desk.isRunning)
    desk.begin([.service(.always)])
    desk.consent.fix()
    #expect(desk.seconds.count == 1)
    #expect(desk.seconds.allSatisfy { !first.contains($0) })
  }

  @Test func aDenialRemovesTheRecordsAndALaterPermissionBringsNothingBack() {
    var desk = WaitingUpdatesTests.suspended(seconds: 130)
    #expect(WaitingUpdatesTests.records(of: desk).count == 2)
    desk.consent.request(.deny(app: AppLifeDesk.name))
    #expect(WaitingUpdatesTests.records(of: desk) == [])
    desk.consent.request(.allow(app: AppLifeDesk.name, .always))
    desk.consent.cutPower()
    desk.connectLauncher()
    #expect(WaitingUpdatesTests.waiting(&desk) == nil)
  }

  @Test func reducedAccuracyRemovesTheFullLocationsThatWait() {
    var desk = WaitingUpdatesTests.suspended(seconds: 130)
    desk.consent.request(.allow(app: AppLifeDesk.name, .always, isReduced: true))
    #expect(desk.row()?[.rowWaiting] ?? 0 <= 1)
    #expect(WaitingUpdatesTests.records(of: desk) == [])
    let full = desk.seconds.count
    desk.consent.request(.home)
    let places = desk.consent.places(desk.client).dropFirst(full)
    #expect(places.allSatisfy { $0.horizontalAccuracy > 1_000 })
  }

  @Test func anAppThatNoLongerHasTheRightGetsNothingAfterAPowerCut() throws {
    var desk = WaitingUpdatesTests.suspended(seconds: 130)
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    // The grant is lost with its record, and the waiting locations are not.
    let grant = try RecordTable.grant.change(key: Array(AppLifeDesk.name.utf8), to: nil)
    try desk.consent.desk.plant(grant)
    desk.consent.cutPower()
    desk.connectLauncher()
    #expect(WaitingUpdatesTests.waiting(&desk) == nil)
    #expect(WaitingUpdatesTests.records(of: desk) == [])
  }

  @Test func aDamagedRecordIsReportedAndRemoved() throws {
    var desk = WaitingUpdatesTests.suspended(seconds: 70)
    let key = try #require(WaitingUpdatesKey(app: AppLifeDesk.tracker, number: 0).bytes)
    try desk.consent.desk.plant(RecordTable.waitingUpdates.change(key: key, to: [1, 1, 9, 4]))
    desk.consent.cutPower()
    #expect(desk.consent.desk.lines.contains { $0.contains("not taken over") })
    #expect(WaitingUpdatesTests.records(of: desk) == [])
  }

  @Test func theOldestRecordsAreGivenUpBeforeTheLogLosesItsRoomForDecisions() {
    var desk = WaitingUpdatesTests.suspended(seconds: 9_000) {
      $0.life.queueMax = 20_000
      $0.life.wakeInterval = .seconds(20_000)
    }
    let records = desk.consent.desk.engine.storage.state.records
    #expect(WaitingUpdatesTests.waiting(&desk) ?? 0 > 8_990)
    #expect(records.encodedSize <= StorageLimits.sizeMaxWithWaitingUpdates(.ofFile))
    #expect(WaitingUpdatesTests.records(of: desk).count <= RecordTable.waitingUpdates.countMax)
    let newest = desk.consent.desk.now
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    desk.consent.cutPower()
    desk.connectLauncher()
    desk.consent.desk.wait(11)
    desk.begin([.service(.always)])
    let last = desk.seconds.last ?? 0
    #expect((newest - .zero).seconds - Double(last) <= 61)
    let steps = zip(desk.seconds, desk.seconds.dropFirst()).map { $1 - $0 }
    #expect(Set(steps) == [1])
  }

  /// A program that fills its defaults would otherwise leave no room for the first denial.
  @Test func theOldestRecordsAreGivenUpBeforeDefaultsTakeTheRoomForDecisions() throws {
    var desk = WaitingUpdatesTests.suspended(seconds: 310)
    let before = WaitingUpdatesTests.records(of: desk)
    let sizeMax = StorageLimits.sizeMaxWithWaitingUpdates(.ofFile)
    // A newer version has left a record that fills the log up to a kilobyte.
    let size = desk.consent.desk.engine.storage.state.records.encodedSize
    let filler = [UInt8](repeating: 1, count: sizeMax - size - 1_000)
    try desk.consent.desk.plant(
      Change(RecordName(kind: 9_999), .put(filler, isCautious: false)))
    desk.consent.killDaemon()
    desk.connectLauncher()
    #expect(Set(WaitingUpdatesTests.records(of: desk)) == Set(before))
    let program = desk.consent.start(ConsentDesk.script)
    desk.consent.desk.send(.client(program, .requested(1, .openDefaults)))
    desk.consent.desk.effects = []
    let entry = DefaultsEntry("note", .data([UInt8](repeating: 7, count: 2_000)))
    desk.consent.desk.send(
      .client(program, .requested(2, .setDefaults(isLast: true, [entry]))))
    #expect(
      desk.consent.desk.effects.contains(.client(program, .defaultsSettled(request: 2, nil))))
    #expect(desk.consent.desk.engine.storage.state.records.encodedSize <= sizeMax)
    #expect((1..<before.count).contains(WaitingUpdatesTests.records(of: desk).count))
    let kinds = desk.consent.desk.effects.flatMap { effect -> [UInt16] in
      if case .storage(.commit(_, let changes)) = effect { changes.map(\.name.kind) } else { [] }
    }
    let removal = try #require(kinds.firstIndex(of: RecordTable.waitingUpdates.number))
    let defaults = try #require(kinds.firstIndex(of: RecordTable.appDefaults.number))
    #expect(removal < defaults)
  }

  // MARK: The last app

  @Test func homeBringsTheLastAppBackAlsoAfterAPowerCut() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.wait(70)
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    desk.consent.cutPower()
    desk.connectLauncher()
    desk.consent.desk.wait(11)
    desk.begin([.backgroundActivity])
    #expect(desk.state() == "background")
    desk.consent.request(.home)
    #expect(desk.state() == "foreground")
  }

  @Test func theLastAppIsForgottenWithTheSessions() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    desk.consent.desk.send(
      .client(ClientID(number: 900), .requested(7_000, .state(.erase(.sequences)))))
    desk.consent.restart()
    desk.connectLauncher()
    #expect(desk.consent.request(.home) != nil)
  }

  // MARK: The value

  private static func update(_ number: Int) -> Update {
    let fix = Fix(
      latitude: -48.123_456_7 + Double(number) * 1e-5, longitude: 179.999_999_9, altitude: 512.345,
      ellipsoidalAltitude: 559.01, horizontalAccuracy: 1.234, verticalAccuracy: 2.5, speed: 3.217,
      speedAccuracy: 0.07, course: 359.123_45, courseAccuracy: 12.5,
      time: UTCTime(secondsSince1970: 1_790_000_000 + Int64(number), nanoseconds: 123_456_789),
      isSimulatedBySoftware: number % 2 == 0, satelliteCount: number % 3 == 0 ? nil : number)
    return Update(fix: fix, flags: number == 5 ? [.stationary] : [])
  }

  @Test func aRecordKeepsEveryFieldOfALocation() throws {
    let updates = (0..<120).map(WaitingUpdatesTests.update)
    let record = try #require(WaitingUpdatesRecord(updates, for: [.default, .airborne]))
    #expect(record.bytes.count < 120 * 30)
    let read = try #require(WaitingUpdatesRecord(bytes: record.bytes))
    #expect(read.configurations == [.default, .airborne])
    for (before, after) in zip(updates, read.updates) {
      let (old, new) = try (#require(before.fix), #require(after.fix))
      #expect(before.flags == after.flags)
      #expect(old.time == new.time)
      #expect(old.satelliteCount == new.satelliteCount)
      #expect(old.isSimulatedBySoftware == new.isSimulatedBySoftware)
      #expect(abs(old.latitude - new.latitude) < 1e-9 && abs(old.longitude - new.longitude) < 1e-9)
      let pairs = [
        (old.altitude, new.altitude), (old.ellipsoidalAltitude, new.ellipsoidalAltitude),
        (old.horizontalAccuracy, new.horizontalAccuracy), (old.speed, new.speed),
        (old.verticalAccuracy, new.verticalAccuracy), (old.speedAccuracy, new.speedAccuracy),
        (old.course, new.course), (old.courseAccuracy, new.courseAccuracy),
      ]
      for (before, after) in pairs { #expect(abs(before - after) < 0.001) }
    }
  }

  @Test func damagedBytesAreRefused() throws {
    let record = try #require(
      WaitingUpdatesRecord((0..<20).map(WaitingUpdatesTests.update), for: [.fitness]))
    let bytes = record.bytes
    for count in 0..<bytes.count {
      #expect(WaitingUpdatesRecord(bytes: Array(bytes[..<count])) == nil)
    }
    #expect(WaitingUpdatesRecord(bytes: bytes + [0]) == nil)
    var random = Random(seed: 5)
    for _ in 0..<5_000 {
      var damaged = bytes
      damaged[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8))
      guard let read = WaitingUpdatesRecord(bytes: damaged) else { continue }
      #expect(WaitingUpdatesRecord(bytes: read.bytes) != nil)
    }
  }

  @Test func aKeyIsReadBack() throws {
    let key = WaitingUpdatesKey(app: .listed("org.example.a"), number: 0x0100_00FF)
    #expect(try WaitingUpdatesKey(bytes: #require(key.bytes)) == key)
    for bytes in [[], [0, 0, 0, 0], [0, 0, 0, 0, 0], Array("org".utf8)] as [[UInt8]] {
      #expect(WaitingUpdatesKey(bytes: bytes) == nil)
    }
  }
}

import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

/// Where the board was, kept when the profile wants that.
@Suite struct TrackTests {
  static func start(
    _ settings: TrackSettings? = TrackSettings(accuracy: .full), disk: TrackDisk = TrackDisk(),
    after seconds: Int64 = 0
  ) -> EngineDesk {
    var desk = EngineDesk(
      .m10, lastSpeed: 9_600, path: .motorway, startSeconds: 1_790_000_000 + seconds
    ) { $0.track = settings }
    desk.tracks = disk
    return desk
  }

  static func clock(
    _ desk: EngineDesk, plusDays days: Int64 = 0, isSure: Bool = true
  ) -> Event {
    .wallClockRead(
      desk.receiver.world.utc(at: desk.now) + .seconds(days * 86_400),
      within: isSure ? .milliseconds(500) : nil)
  }

  /// Whether a point says what a fix says, as far as its numbers go.
  static func agrees(_ point: TrackPoint, with fix: Fix) -> Bool {
    (Double(point.latitudeE7) - fix.latitude * 1e7).magnitude <= 0.51
      && (Double(point.longitudeE7) - fix.longitude * 1e7).magnitude <= 0.51
      && (Double(point.altitudeCentimeters) - fix.altitude * 100).magnitude <= 0.51
      && (Double(point.speedCentimetersPerSecond) - fix.speed * 100).magnitude <= 0.51
      && (Double(point.horizontalAccuracyCentimeters) - fix.horizontalAccuracy * 100).magnitude
        <= 0.51
  }

  @Test func everyFixOfAProgramIsOnTheDiskAfterAMinuteAndAtAStop() throws {
    var desk = Self.start()
    desk.open()
    desk.run(seconds: 100)
    let fixes = desk.fixes
    let early = desk.tracks.points
    // Waiting points are at most a minute old.
    #expect(early.count >= fixes.count - 61)
    for (point, fix) in zip(early, fixes) { #expect(Self.agrees(point, with: fix)) }
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    let points = desk.tracks.points
    #expect(points.count >= fixes.count)
    for (point, fix) in zip(points, fixes) {
      #expect(point.timeMilliseconds == TrackPoint.milliseconds(fix.time))
      #expect(Self.agrees(point, with: fix))
    }
    #expect(desk.engine.outlook.isStateSettled)
  }

  @Test func withoutTheKeyNothingIsOpenedAndNothingKept() {
    var desk = Self.start(nil)
    desk.open()
    desk.run(seconds: 100)
    #expect(desk.tracks.commits.isEmpty)
    #expect(!desk.effects.contains(.track(.open)))
    #expect(desk.report()["track.is_on"] == .flag(false))
  }

  @Test func nothingIsWrittenWhileNoProgramGetsPositionsOrServicesAreOff() {
    var desk = Self.start()
    desk.run(seconds: 200)
    #expect(desk.tracks.commits.isEmpty)
    desk.open()
    desk.run(seconds: 10)
    desk.send(.client(EngineDesk.client, .requested(9, .setServices(isOn: false))))
    desk.run(seconds: 90)
    // The waiting points are written; no point is added.
    #expect(desk.tracks.commits.count == 1)
    let count = desk.tracks.points.count
    #expect((5...12).contains(count))
    desk.run(seconds: 600)
    #expect(desk.tracks.points.count == count)
  }

  @Test func theLastStretchIsWrittenWhenTheLastUpdatesEnd() {
    var desk = Self.start()
    desk.open()
    desk.run(seconds: 50)
    #expect(desk.tracks.commits.isEmpty)
    let count = desk.fixes.count
    #expect(count > 5)
    desk.send(.client(EngineDesk.client, .updatesClosed(SequenceID(number: 1))))
    #expect(desk.tracks.points.count == count)
  }

  @Test func aGroupIsSixtyPointsOrAMinute() {
    var fast = Self.start(TrackSettings(accuracy: .full, period: .milliseconds(100)))
    fast.open(.automotiveNavigation)
    fast.run(seconds: 100)
    #expect(fast.tracks.records.entries.contains { TrackStretch($0.value)?.points.count == 60 })
    var slow = Self.start(TrackSettings(accuracy: .full, period: .seconds(2)))
    slow.open()
    slow.run(seconds: 300)
    let counts = slow.tracks.records.entries.compactMap { TrackStretch($0.value)?.points.count }
    #expect(counts.allSatisfy { (29...32).contains($0) })
    // A point takes few bytes: the record of a group fits into a block four times over.
    let bytes = fast.tracks.records.encodedSize
    let points = fast.tracks.points.count
    #expect(bytes <= points * 16, "\(bytes) bytes for \(points) points")
  }

  @Test func aPeriodThinsTheTrackOut() {
    var desk = Self.start(TrackSettings(accuracy: .full, period: .seconds(10)))
    desk.open()
    desk.run(seconds: 205)
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    #expect((19...22).contains(desk.tracks.points.count))
  }

  @Test func reducedPointsContainOnlyTheCell() throws {
    var desk = Self.start(TrackSettings(accuracy: .reduced))
    desk.open()
    desk.run(seconds: 2_000)
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    let points = desk.tracks.points
    // At most every quarter of an hour.
    #expect(points.count == 3)
    let fix = try #require(desk.fixes.first)
    for point in points {
      #expect(point.horizontalAccuracyCentimeters == 500_000)
      #expect(point.speedCentimetersPerSecond == -1 && point.courseDecidegrees == -1)
      #expect(point.altitudeCentimeters == 0 && point.verticalAccuracyCentimeters == -1)
    }
    #expect(!Self.agrees(points[0], with: fix))
    #expect((Double(points[0].latitudeE7) / 1e7 - fix.latitude).magnitude < 0.03)
    #expect((Double(points[0].longitudeE7) / 1e7 - fix.longitude).magnitude < 0.05)
  }

  @Test func oldPointsAreRemovedWithTheNextStretchAndOnceADay() throws {
    var first = Self.start(TrackSettings(accuracy: .full, daysKept: 2))
    first.open()
    first.run(seconds: 400)
    let old = first.tracks.records.entries.count
    #expect(old >= 5)
    // Three days later a program gets positions again, and the clock is right.
    var second = Self.start(
      TrackSettings(accuracy: .full, daysKept: 2), disk: first.tracks, after: 3 * 86_400)
    second.open()
    second.run(seconds: 5)
    second.send(Self.clock(second))
    second.run(seconds: 90)
    #expect(second.tracks.points.allSatisfy { $0.timeMilliseconds > 1_790_200_000_000 })
    // The wall clock alone reaches the limit, and the clock is right.
    var idle = Self.start(
      TrackSettings(accuracy: .full, daysKept: 2), disk: first.tracks, after: 86_400)
    idle.run(seconds: 5)
    idle.send(Self.clock(idle))
    idle.run(seconds: 5)
    #expect(idle.tracks.records.entries.count == old)
    idle.run(seconds: 600)
    idle.send(Self.clock(idle, plusDays: 2))
    // Old stretches are removed once a day.
    #expect(idle.tracks.records.entries.count == old)
    var later = Self.start(
      TrackSettings(accuracy: .full, daysKept: 2), disk: idle.tracks, after: 3 * 86_400)
    later.run(seconds: 1)
    later.send(Self.clock(later))
    later.run(seconds: 1)
    #expect(later.tracks.records.isEmpty)
  }

  @Test func aReceiverThatIsYearsAheadErasesNothing() throws {
    let settings = TrackSettings(accuracy: .full, daysKept: 2)
    var first = Self.start(settings)
    first.open()
    first.run(seconds: 400)
    let points = first.tracks.points
    #expect(points.count > 300)
    var ahead = Self.start(settings, disk: first.tracks, after: 10 * 365 * 86_400)
    ahead.open()
    ahead.run(seconds: 200)
    #expect(ahead.tracks.points.count > points.count + 60)
    #expect(Array(ahead.tracks.points.prefix(points.count)) == points)
    // A sure clock erases points that are too old, also those behind points of years ahead.
    var later = Self.start(settings, disk: ahead.tracks, after: 3 * 86_400)
    later.run(seconds: 1)
    later.send(Self.clock(later, isSure: false))
    later.run(seconds: 1)
    #expect(later.tracks.points == ahead.tracks.points)
    later.send(Self.clock(later))
    later.run(seconds: 1)
    #expect(later.tracks.points == Array(ahead.tracks.points.dropFirst(points.count)))
  }

  @Test func theOldestTimeIsReportedAfterAReceiverThatWasYearsAheadAtTheBeginning() {
    var ahead = Self.start(after: 10 * 365 * 86_400)
    ahead.open()
    ahead.run(seconds: 100)
    var later = Self.start(disk: ahead.tracks)
    later.open()
    later.run(seconds: 100)
    guard case .text(let oldest)? = later.report()["track.oldest"] else {
      Issue.record("the oldest time is not reported")
      return
    }
    #expect(oldest.hasPrefix("2026-09-21T14:"), "\(oldest)")
  }

  @Test func whenTheLogIsFullTheOldestMakesRoom() throws {
    var disk = TrackDisk()
    disk.geometry = try #require(LogGeometry(blockSize: 512, blocksPerSegment: 40))
    var desk = Self.start(disk: disk)
    desk.open()
    desk.run(seconds: 700)
    let sizeMax = disk.geometry.liveSizeMax
    #expect(desk.tracks.records.encodedSize <= sizeMax)
    #expect(desk.tracks.records.encodedSize > sizeMax / 2)
    let points = desk.tracks.points
    // The newest are there, without a gap.
    let last = try #require(points.last)
    #expect(last.timeMilliseconds > 1_790_000_630_000)
    for (one, next) in zip(points, points.dropFirst()) {
      #expect((950...1_050).contains(next.timeMilliseconds - one.timeMilliseconds))
    }
  }

  @Test func aFailingDiskIsReportedOnceAndLosesOnlyTheOldestPoints() {
    var desk = Self.start()
    desk.open()
    desk.run(seconds: 100)
    desk.tracks.failure = .fault(.noSpace)
    desk.run(seconds: 300)
    #expect(desk.lines.count { $0.contains("track: not written: no space") } == 1)
    #expect(desk.report()["track.kept"] == .flag(false))
    desk.tracks.failure = nil
    desk.run(seconds: 100)
    #expect(desk.lines.contains { $0.contains("track: writing to the disk works again") })
    #expect(desk.report()["track.points_dropped"] == .integer(0))
    let times = desk.tracks.points.map(\.timeMilliseconds)
    for (one, next) in zip(times, times.dropFirst()) {
      #expect((950...1_050).contains(next - one))
    }
    // Ten minutes of points wait at most.
    desk.tracks.failure = .fault(.inputOutput)
    desk.run(seconds: 900)
    guard case .integer(let dropped)? = desk.report()["track.points_dropped"] else {
      Issue.record("it is told")
      return
    }
    #expect((200...400).contains(dropped))
    #expect(desk.report()["track.points_waiting"] == .integer(600))
  }

  @Test func aFailedWriteIsTriedAgainAfterHalfAMinuteWithoutANewPoint() {
    var desk = Self.start()
    desk.open()
    desk.run(seconds: 50)
    desk.tracks.failure = .fault(.noSpace)
    desk.send(.client(EngineDesk.client, .updatesClosed(SequenceID(number: 1))))
    #expect(desk.report()["track.kept"] == .flag(false))
    desk.tracks.failure = nil
    desk.run(seconds: 31)
    #expect(desk.report()["track.kept"] == .flag(true))
    #expect(!desk.tracks.points.isEmpty)
  }

  @Test func anEraseThatSucceedsEndsTheFaultOfAnEarlierWrite() {
    var desk = Self.start()
    desk.open()
    desk.run(seconds: 50)
    desk.tracks.failure = .fault(.noSpace)
    desk.send(.client(EngineDesk.client, .updatesClosed(SequenceID(number: 1))))
    #expect(desk.report()["track.kept"] == .flag(false))
    desk.tracks.failure = nil
    desk.send(.client(EngineDesk.client, .requested(9, .state(.erase(.tracks)))))
    #expect(desk.report()["track.kept"] == .flag(true))
    #expect(desk.lines.contains("track: writing to the disk works again"))
  }

  @Test func aLogThatCannotBeOpenedIsTriedAgain() {
    var disk = TrackDisk()
    disk.obstacle = .init(.passing, "no space")
    var desk = Self.start(disk: disk)
    desk.open()
    desk.run(seconds: 100)
    #expect(desk.tracks.commits.isEmpty)
    #expect(desk.lines.count { $0.contains("track: nothing is kept") } == 1)
    desk.tracks.obstacle = nil
    desk.run(seconds: 70)
    #expect(desk.tracks.points.count >= 100)
  }

  @Test func anEraseCoversStoredAndWaitingPoints() throws {
    var desk = Self.start()
    desk.open()
    desk.run(seconds: 75)
    #expect(!desk.tracks.points.isEmpty)
    var effects: [Effect] = []
    desk.engine.eraseTracks(for: .client(EngineDesk.client, request: 77), into: &effects)
    #expect(effects.count == 1)
    guard case .track(let order)? = effects.first else {
      Issue.record("there is no order for the log of tracks")
      return
    }
    desk.send(.track(desk.tracks.carryOut(order)))
    #expect(desk.tracks.records.isEmpty)
    #expect(desk.effects.contains(.client(EngineDesk.client, .answer(request: 77, failure: nil))))
    let erasedAt = desk.receiver.world.utc(at: desk.now)
    desk.run(seconds: 100)
    let points = desk.tracks.points
    #expect(points.count >= 60)
    #expect(points.allSatisfy { $0.time >= erasedAt + .seconds(-1) })
    // Numbers go on, and a refusal is told.
    desk.tracks.failure = .fault(.readOnly)
    effects = []
    desk.engine.eraseTracks(for: .client(EngineDesk.client, request: 78), into: &effects)
    guard case .track(let again)? = effects.first else {
      Issue.record("there is no order for the log of tracks")
      return
    }
    desk.send(.track(desk.tracks.carryOut(again)))
    let said = "not erased: the disk or the file is read-only"
    #expect(desk.effects.contains(.client(EngineDesk.client, .answer(request: 78, failure: said))))
    #expect(!desk.tracks.points.isEmpty)
  }

  @Test(arguments: [EraseSubject.tracks, .all])
  func anEraseOfTracksIsAnsweredAtItsEnd(_ subject: EraseSubject) {
    var desk = Self.start()
    desk.open()
    desk.run(seconds: 75)
    #expect(!desk.tracks.points.isEmpty)
    desk.send(.client(EngineDesk.client, .requested(9, .state(.erase(subject)))))
    #expect(desk.tracks.erasures == 1)
    #expect(desk.tracks.records.isEmpty)
    #expect(desk.effects.contains(.client(EngineDesk.client, .answer(request: 9, failure: nil))))
  }

  @Test func aTrackContinuesInTheNextRun() {
    var first = Self.start()
    first.open()
    first.run(seconds: 100)
    first.send(.stopRequested)
    first.run(seconds: 5)
    let count = first.tracks.records.entries.count
    var second = Self.start(disk: first.tracks, after: 500)
    second.open()
    second.run(seconds: 100)
    #expect(second.tracks.records.entries.count > count)
    let times = second.tracks.points.map(\.timeMilliseconds)
    #expect(times == times.sorted())
    guard case .text(let oldest)? = second.report()["track.oldest"] else {
      Issue.record("it is told")
      return
    }
    #expect(oldest.hasPrefix("2026-09-21T14:14:"))
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

@Suite struct OutstandingUpdatesTests {
  private static let tracker = OutstandingDesk.tracker
  private static let walker = OutstandingDesk.walker
  private static let one = LiveUpdatesRecord([.default: 1])

  /// A desk where an app has a sequence open.
  private static func running(
    _ app: AppID = walker, _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> (OutstandingDesk, ClientID) {
    var desk = OutstandingDesk(adjust)
    let client = desk.connect(app)
    desk.open(client)
    return (desk, client)
  }

  // MARK: Keeping

  @Test func aStartIsStoredAtOnceAndAnEndAfterHalfAMinute() {
    var (desk, client) = OutstandingUpdatesTests.running()
    #expect(desk.kept(OutstandingUpdatesTests.walker) == OutstandingUpdatesTests.one)
    desk.open(client, 2, .fitness)
    #expect(
      desk.kept(OutstandingUpdatesTests.walker) == LiveUpdatesRecord([.default: 1, .fitness: 1]))
    desk.close(client, 2)
    desk.wait(29)
    #expect(desk.commits.count == 2)
    desk.wait(1)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == OutstandingUpdatesTests.one)
    desk.close(client)
    desk.wait(30)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == nil)
    #expect(desk.commits.count == 4)
  }

  @Test func updatesAreDeliveredBeforeTheCommitOfTheirRecord() {
    var desk = OutstandingDesk()
    desk.holdsCommits = true
    let client = desk.connect(OutstandingUpdatesTests.walker)
    desk.open(client)
    #expect(desk.report()["outstanding.1.is_kept"] == .flag(false))
    desk.wait(5)
    #expect(desk.updates == [Update(fix: nil, flags: .locationUnavailable)])
    desk.release()
    #expect(desk.report()["outstanding.1.is_kept"] == .flag(true))
  }

  @Test func startsDuringACommitShareTheNextCommit() {
    var desk = OutstandingDesk()
    desk.holdsCommits = true
    let client = desk.connect(OutstandingUpdatesTests.walker)
    for sequence in 0..<UInt32(30) {
      desk.open(client, sequence)
      #expect(desk.engine.nextDeadline.map { $0 > desk.now } ?? true)
    }
    desk.release()
    desk.release()
    #expect(desk.commits.count == 2)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == LiveUpdatesRecord([.default: 30]))
  }

  @Test func aFailingDiskIsReportedAgain() {
    var desk = OutstandingDesk()
    desk.failDisk(call: 0)
    let client = desk.connect(OutstandingUpdatesTests.walker)
    desk.open(client)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == nil)
    #expect(desk.report()["outstanding.1.is_kept"] == .flag(false))
    desk.failDisk(call: nil)
    desk.wait(31)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == OutstandingUpdatesTests.one)
  }

  @Test func deniedAndUnresolvedClientsLeaveNoRecord() {
    var desk = OutstandingDesk()
    let stranger = desk.connect(.unlisted(userID: 7, executable: "/bin/x"), user: 7)
    desk.open(stranger)
    let unknown = desk.connect(.unresolved(userID: 0), user: 0)
    desk.open(unknown)
    #expect(desk.count("outstanding.apps") == 0)
    desk.end(unknown)
    desk.end(stranger)
    desk.wait(60)
    #expect(desk.commits.isEmpty)
    #expect(desk.count("outstanding.apps") == 0)
  }

  @Test func aCleanStopWritesEndedUpdates() {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.open(client, 2)
    desk.close(client, 1)
    desk.send(.stopRequested)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == OutstandingUpdatesTests.one)
  }

  // MARK: An app that comes back

  @Test func aKilledAppResumesItsUpdatesWithoutAWrite() {
    var (desk, client) = OutstandingUpdatesTests.running()
    let demand = desk.engine.demand
    let commits = desk.commits
    desk.end(client)
    #expect(desk.engine.areFixesWanted)
    #expect(desk.engine.demand == demand)
    desk.wait(9)
    let again = desk.connect(OutstandingUpdatesTests.walker)
    desk.wait(9)
    desk.open(again)
    #expect(desk.count("outstanding.rejoined") == 1)
    desk.wait(100)
    #expect(desk.count("outstanding.lapsed") == 0)
    #expect(desk.commits == commits)
  }

  @Test func updatesThatLapseAreReportedOnce() {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.open(client, 2)
    desk.open(client, 3, .fitness)
    desk.end(client)
    desk.wait(5)
    let again = desk.connect(OutstandingUpdatesTests.walker)
    desk.open(again, 1, .fitness)
    desk.wait(9)
    #expect(desk.count("outstanding.lapsed") == 0)
    desk.wait(1)
    #expect(desk.count("outstanding.lapsed") == 2)
    #expect(desk.count("outstanding.1.lapsed") == 2)
    #expect(desk.count("outstanding.1.rejoined") == 1)
    let said = "live updates of 1000:/usr/bin/walker: lapsed, not taken up within 10.0 s: default 2"
    #expect(desk.lines.filter { $0.contains("lapsed") } == [said])
    desk.wait(30)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == LiveUpdatesRecord([.fitness: 1]))
    #expect(desk.engine.demand.model == .pedestrian)
  }

  @Test func anAppThatReturnsAfterTheWindowIsTooLateDespiteALateTimer() {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.end(client)
    desk.now = desk.now + .milliseconds(10_004)
    let again = desk.connect(OutstandingUpdatesTests.walker)
    #expect(desk.count("outstanding.lapsed") == 1)
    desk.open(again)
    #expect(desk.count("outstanding.1.rejoined") == 0)
  }

  /// Seed 4238988525.
  @Test func updatesWhoseTimeIsOverAreNotOutstandingEvenWhereTheTimerIsLate() {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.end(client)
    desk.now = desk.now + .milliseconds(9_999)
    #expect(desk.count("outstanding.sequences") == 1)
    desk.now = desk.now + .milliseconds(5)
    #expect(desk.count("outstanding.sequences") == 0)
    #expect(desk.count("outstanding.lapsed") == 1)
  }

  @Test func anAppThatOnlyConnectsAndDisconnectsKeepsNoUpdates() {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.end(client)
    for _ in 0..<10 {
      desk.wait(3)
      let again = desk.connect(OutstandingUpdatesTests.walker)
      desk.end(again)
    }
    #expect(desk.count("outstanding.lapsed") == 1)
    #expect(!desk.engine.areFixesWanted)
  }

  @Test func twoProcessesOfAnAppCountTogether() {
    var (desk, client) = OutstandingUpdatesTests.running()
    let other = desk.connect(OutstandingUpdatesTests.walker)
    desk.open(other)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == LiveUpdatesRecord([.default: 2]))
    desk.end(client)
    // The other one may take it up as well.
    desk.open(other, 2)
    desk.wait(60)
    #expect(desk.count("outstanding.rejoined") == 1)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == LiveUpdatesRecord([.default: 2]))
    #expect(desk.commits.count == 2)
  }

  @Test func anAppThatReturnsSoonMissesNoUpdate() {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.wait(3)
    desk.end(client)
    desk.wait(1)
    desk.open(desk.connect(OutstandingUpdatesTests.walker))
    #expect(desk.updates.isEmpty)
    desk.wait(1)
    let unavailable = Update(fix: nil, flags: .locationUnavailable)
    #expect(desk.updates == [unavailable])
    // Its next process has not been told, and need not wait either.
    desk.end(ClientID(number: 2))
    desk.wait(2)
    desk.open(desk.connect(OutstandingUpdatesTests.walker))
    #expect(desk.updates == [unavailable, unavailable])
  }

  // MARK: Power cuts and the daemon's end

  @Test(arguments: [true, false])
  func outstandingUpdatesSurviveTheRandomRun(isPowerCut: Bool) {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.open(client, 2, .automotiveNavigation)
    let demand = desk.engine.demand
    if isPowerCut { desk.cutPower(seed: 3) } else { desk.killDaemon() }
    #expect(desk.engine.demand == demand)
    #expect(desk.engine.areFixesWanted)
    #expect(desk.count("outstanding.sequences") == 2)
    desk.wait(4)
    let again = desk.connect(OutstandingUpdatesTests.walker)
    desk.open(again, 1, .automotiveNavigation)
    desk.open(again, 2)
    #expect(desk.count("outstanding.rejoined") == 2)
    // The search began with the daemon.
    desk.wait(1)
    #expect(desk.updates.count == 1)
    desk.wait(60)
    #expect(desk.commits.isEmpty)
    #expect(desk.count("outstanding.lapsed") == 0)
  }

  @Test func anUnlistedAppThatDoesNotComeBackLapsesAfterTheStart() {
    var (desk, _) = OutstandingUpdatesTests.running()
    desk.cutPower()
    desk.wait(9)
    #expect(desk.engine.areFixesWanted)
    desk.wait(1)
    #expect(!desk.engine.areFixesWanted)
    #expect(desk.count("outstanding.lapsed") == 1)
    desk.wait(30)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == nil)
    desk.cutPower()
    #expect(desk.count("outstanding.apps") == 0)
  }

  @Test func aBackgroundAppWaitsWithoutPowerUntilItIsStarted() {
    let app = OutstandingUpdatesTests.tracker
    var (desk, _) = OutstandingUpdatesTests.running(app) {
      $0.apps = [
        AppDeclaration(identifier: "org.example.tracker", hasBackgroundLocation: true)
      ]
    }
    desk.cutPower()
    desk.wait(10)
    #expect(!desk.engine.areFixesWanted)
    desk.wait(100_000)
    #expect(desk.kept(app) == OutstandingUpdatesTests.one)
    #expect(desk.report()["outstanding.1.waits"] == .text("until the app is started"))
    let again = desk.connect(app)
    desk.wait(5)
    desk.open(again)
    #expect(desk.count("outstanding.rejoined") == 1)
    // One that is started and does not take it up has lost it.
    desk.cutPower()
    desk.wait(1_000)
    _ = desk.connect(app)
    desk.wait(10)
    #expect(desk.count("outstanding.lapsed") == 1)
    desk.wait(30)
    #expect(desk.kept(app) == nil)
  }

  @Test func aReloadedManifestChangesTheTimeLimitOfWaitingUpdates() {
    let app = OutstandingUpdatesTests.tracker
    var (desk, client) = OutstandingUpdatesTests.running(app)
    desk.send(
      .appsRead([AppDeclaration(identifier: "org.example.tracker", hasBackgroundLocation: true)]))
    desk.end(client)
    desk.wait(1_000)
    #expect(desk.report()["outstanding.1.waits"] == .text("until the app is started"))
    desk.send(.appsRead([]))
    desk.wait(9)
    #expect(desk.count("outstanding.lapsed") == 0)
    desk.wait(2)
    #expect(desk.count("outstanding.lapsed") == 1)
  }

  @Test func anAppWithAManifestButNoBackgroundModeLapsesLikeAnyOther() {
    var (desk, client) = OutstandingUpdatesTests.running(OutstandingUpdatesTests.tracker)
    desk.end(client)
    desk.wait(10)
    #expect(desk.count("outstanding.lapsed") == 1)
  }

  // MARK: What cannot be read

  @Test func unreadableRecordsAreReportedAndNewerRecordsStay() throws {
    var desk = OutstandingDesk()
    try desk.plant([1, 0, 0, 0], key: Array("org.example.broken".utf8))
    try desk.plant([1, 0, 1, 0], key: [0xFF])
    try desk.plant([2, 7], key: Array("org.example.newer".utf8))
    desk.killDaemon()
    let said = desk.lines.filter { $0.hasPrefix("live updates of ") }
    #expect(said.count == 3)
    #expect(said.contains("live updates of org.example.broken: not read: it is damaged"))
    #expect(desk.count("outstanding.unread") == 3)
    desk.killDaemon()
    #expect(
      desk.lines.filter { $0.hasPrefix("live updates of ") } == [
        "live updates of org.example.newer: not read: a newer program wrote it (version 2)"
      ])
    // The app itself begins anew, in the words of this program.
    let app = AppID.listed("org.example.newer")
    desk.open(desk.connect(app))
    #expect(desk.kept(app) == OutstandingUpdatesTests.one)
  }

  @Test func aLostRecordAddsNoOutstandingUpdates() {
    var desk = OutstandingDesk()
    let name = RecordTable.liveUpdates.named(Array("org.example.tracker".utf8))
    desk.engine = Engine(configuration: Configuration(), seed: 1)
    desk.send(.storage(.read(StateReading(withheld: name.map { [$0] } ?? []))))
    #expect(desk.count("outstanding.apps") == 0)
    #expect(
      desk.lines.contains(
        "live updates of org.example.tracker: forgotten, because their last record is lost"))
  }

  /// Open updates continue after the erase, and their end does not end later updates.
  @Test func anEraseDoesNotAffectLaterUpdates() {
    var (desk, client) = OutstandingUpdatesTests.running()
    desk.open(client, 2)
    desk.send(.client(client, .requested(1, .state(.erase(.sequences)))))
    #expect(desk.kept(OutstandingUpdatesTests.walker) == nil)
    #expect(desk.count("outstanding.apps") == 0)
    desk.open(client, 3)
    desk.close(client, 1)
    desk.wait(40)
    #expect(desk.kept(OutstandingUpdatesTests.walker) == OutstandingUpdatesTests.one)
    // The end of the app does not store erased updates again.
    desk.end(client)
    #expect(desk.count("outstanding.sequences") == 1)
  }
}

import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Apps that persons start and close.
@Suite struct AppClosingTests {
  // MARK: Persons

  @Test func aPersonStartsAnAppIntoTheForeground() {
    var desk = AppLifeDesk()
    desk.consent.request(.start(app: AppLifeDesk.name))
    #expect(desk.consent.lastFailure == nil)
    #expect(desk.orders == [.start(isForLocation: false)])
    #expect(desk.state() == "foreground")
    desk.begin()
    desk.consent.fix()
    #expect(desk.seen == "f")
    #expect(desk.row()?[.rowIsManaged] == true)
    #expect(desk.row()?[.rowLaunches] == 1)
  }

  @Test func withoutALauncherNoAppIsStarted() {
    var desk = AppLifeDesk()
    desk.consent.desk.send(.launcher(.lost))
    let refusal = desk.consent.request(.start(app: AppLifeDesk.name))
    #expect(refusal?.text.contains("no launcher is connected") == true)
  }

  @Test func aRefusedStartIsAnsweredWithItsReason() {
    var desk = AppLifeDesk()
    desk.consent.desk.launcher.refusal = "there is no file /usr/bin/tracker"
    desk.consent.request(.start(app: AppLifeDesk.name))
    #expect(desk.consent.lastFailure?.contains("there is no file") == true)
    #expect(desk.state() == "not_running")
  }

  @Test func aClosedAppIsNotLaunchedAgainUntilAPersonStartsIt() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<3 { desk.consent.fix() }
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(!desk.isRunning)
    desk.consent.desk.send(.client(desk.client, .disconnected))
    for _ in 0..<60 { desk.consent.fix() }
    #expect(!desk.isRunning)
    #expect(!desk.consent.isLit)
    desk.consent.cutPower()
    desk.connectLauncher()
    for _ in 0..<60 { desk.consent.fix() }
    #expect(!desk.isRunning)
    desk.consent.request(.start(app: AppLifeDesk.name))
    #expect(desk.isRunning)
  }

  @Test func aClosedAppThatDoesNotEndIsKilledAfterFiveSeconds() {
    var desk = AppLifeDesk.running()
    desk.consent.desk.launcher.appsObey = false
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(desk.orders.last == .end)
    desk.consent.desk.wait(4)
    #expect(desk.orders.last == .end)
    desk.consent.desk.wait(2)
    #expect(desk.orders.last == .kill)
    #expect(desk.consent.lastFailure == nil)
  }

  /// A board whose daemon is killed after a person has closed an app that ignores SIGTERM.
  private static func closedAndCut() -> AppLifeDesk {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.launcher.appsObey = false
    desk.consent.request(.quit(app: AppLifeDesk.name))
    desk.consent.killDaemon()
    return desk
  }

  private static func closes(of desk: AppLifeDesk) -> Int {
    desk.consent.desk.engine.storage.state.records.count(ofKind: RecordTable.pendingClose.number)
  }

  @Test func aClosedAppThatOutlivesTheDaemonIsKilledByTheNextOne() {
    var desk = AppClosingTests.closedAndCut()
    #expect(AppClosingTests.closes(of: desk) == 1)
    // The process takes up its updates before the launcher is there.
    desk.begin([.backgroundActivity])
    desk.connectLauncher()
    desk.consent.desk.wait(1)
    #expect(desk.orders.last == .kill)
    #expect(!desk.isRunning)
    desk.consent.desk.send(.client(desk.client, .disconnected))
    for _ in 0..<60 { desk.consent.fix() }
    #expect(!desk.isRunning)
    #expect(desk.consent.desk.kept(AppLifeDesk.tracker) == nil)
    #expect(AppClosingTests.closes(of: desk) == 0)
  }

  /// The place of the first change of a kind in the commits since the effects of the desk were forgotten.
  private static func place(
    of kind: RecordKind, removed isRemoved: Bool, in desk: AppLifeDesk
  ) -> Int? {
    let changes = desk.consent.desk.effects.flatMap { effect -> [Change] in
      if case .storage(.commit(_, let changes)) = effect { changes } else { [] }
    }
    return changes.firstIndex {
      $0.name.kind == kind.number && ($0.action == .remove) == isRemoved
    }
  }

  /// Otherwise a daemon that ends after the first commit leaves an app that has lost its session and is not closed.
  @Test func theCloseOfAnAppIsOnTheDiskBeforeTheEndOfItsSessions() throws {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.launcher.appsObey = false
    desk.consent.desk.effects = []
    desk.consent.request(.quit(app: AppLifeDesk.name))
    let close = try #require(Self.place(of: RecordTable.pendingClose, removed: false, in: desk))
    let sessions = try #require(Self.place(of: RecordTable.sessions, removed: true, in: desk))
    #expect(close < sessions)
  }

  /// Otherwise a daemon that ends in between launches an app that a person has closed.
  @Test func theCloseOfAnAppThatHasEndedIsRemovedAfterItsSessions() throws {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.effects = []
    desk.consent.desk.holdsCommits = true
    desk.consent.request(.quit(app: AppLifeDesk.name))
    desk.consent.desk.send(.client(desk.client, .disconnected))
    desk.consent.desk.holdsCommits = false
    desk.consent.desk.release()
    desk.consent.desk.wait(1)
    let close = try #require(Self.place(of: RecordTable.pendingClose, removed: true, in: desk))
    let sessions = try #require(Self.place(of: RecordTable.sessions, removed: true, in: desk))
    #expect(close > sessions)
  }

  // MARK: The disk

  /// After a power cut nothing lights the lamp for a closed app, and nothing launches it.
  private static func expectClosedAfterAPowerCut(_ desk: inout AppLifeDesk) {
    desk.consent.cutPower()
    desk.connectLauncher()
    for _ in 0..<60 { desk.consent.fix() }
    #expect(!desk.isRunning)
    #expect(!desk.consent.isLit)
    #expect(closes(of: desk) == 0)
  }

  @Test func aCloseThatTheDiskRefusesIsAnsweredAsNotKeptAndTriedAgain() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.failDisk(call: 0)
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(desk.consent.lastFailure?.contains("done for now, but it is not kept") == true)
    #expect(!desk.isRunning)
    desk.consent.desk.send(.client(desk.client, .disconnected))
    desk.consent.desk.failDisk(call: nil)
    desk.consent.desk.wait(31)
    AppClosingTests.expectClosedAfterAPowerCut(&desk)
  }

  /// The app may have a process when it is closed, which ends before the disk answers.
  @Test(arguments: [false, true])
  func aCloseIsAnsweredAfterItsCommit(hasProcess: Bool) {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    if !hasProcess { desk.end() }
    desk.consent.desk.holdsCommits = true
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(!desk.isRunning)
    #expect(desk.consent.lastFailure == "-")
    if hasProcess { desk.consent.desk.send(.client(desk.client, .disconnected)) }
    desk.consent.desk.release()
    #expect(desk.consent.lastFailure == nil)
    desk.consent.desk.holdsCommits = false
    desk.consent.desk.release()
    desk.consent.desk.wait(1)
    AppClosingTests.expectClosedAfterAPowerCut(&desk)
  }

  @Test func aCloseOnADiskThatDoesNotAnswerIsAnsweredAfterTwoSeconds() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.holdsCommits = true
    desk.consent.request(.quit(app: AppLifeDesk.name))
    desk.consent.desk.wait(1)
    #expect(desk.consent.lastFailure == "-")
    desk.consent.desk.wait(1)
    #expect(desk.consent.lastFailure?.contains("as soon as the disk answers") == true)
  }

  @Test func aCloseThatHasNothingToWriteDoesNotWaitForTheDisk() {
    var desk = AppLifeDesk()
    desk.consent.desk.holdsCommits = true
    desk.consent.request(.deny(app: "org.example.map"))
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(desk.consent.lastFailure == nil)
  }

  @Test func aCloseWithoutLauncherOnAFailingDiskSaysBoth() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.send(.launcher(.lost))
    desk.consent.desk.failDisk(call: 0)
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(desk.consent.lastFailure?.contains("it is not kept") == true)
    #expect(desk.consent.lastFailure?.contains("no launcher is connected") == true)
  }

  /// The close is of an earlier run, and a later start of the daemon would kill an app that runs since then.
  @Test func aCloseThatCanBeReadOnlyLaterIsRemoved() throws {
    var records = RecordSet()
    let key = Array(AppLifeDesk.name.utf8)
    records.apply(try RecordTable.pendingClose.change(key: key, to: [1]))
    var engine = Engine(configuration: Configuration(), seed: 1)
    var effects: [Effect] = []
    let unread = StateReading(obstacle: .init(.passing, "no space"))
    engine.handle(.storage(.read(unread)), at: .zero, into: &effects)
    engine.handle(.started, at: .zero, into: &effects)
    effects = []
    engine.handle(
      .storage(.read(StateReading(records: records))), at: .zero + .seconds(30), into: &effects)
    engine.handle(.deadlineReached, at: .zero + .seconds(90), into: &effects)
    let removals = effects.count { effect in
      guard case .storage(.commit(_, let changes)) = effect else { return false }
      return changes.contains {
        $0.name.kind == RecordTable.pendingClose.number && $0.action == .remove
      }
    }
    #expect(removals > 0)
  }

  /// The commit of the close would remove the sessions of the new process.
  @Test func aClosedAppIsNotStartedBeforeTheDiskHasAnswered() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.desk.holdsCommits = true
    desk.consent.request(.quit(app: AppLifeDesk.name))
    desk.consent.desk.send(.client(desk.client, .disconnected))
    let refusal = desk.consent.request(.start(app: AppLifeDesk.name))
    #expect(refusal?.text.contains("was closed") == true)
    desk.consent.desk.holdsCommits = false
    desk.consent.desk.release()
    #expect(desk.consent.request(.start(app: AppLifeDesk.name)) == nil)
    desk.begin([.backgroundActivity])
    #expect(desk.isRunning)
    #expect(desk.consent.desk.kept(AppLifeDesk.tracker) == LiveUpdatesRecord([.default: 1]))
  }

  @Test func aClosedAppThatEndedWithoutADaemonIsStartedAgainByAPerson() {
    var desk = AppClosingTests.closedAndCut()
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    desk.connectLauncher()
    desk.consent.desk.wait(1)
    #expect(AppClosingTests.closes(of: desk) == 0)
    for _ in 0..<60 { desk.consent.fix() }
    #expect(!desk.isRunning)
    desk.consent.request(.start(app: AppLifeDesk.name))
    desk.begin()
    desk.consent.desk.wait(10)
    #expect(desk.isRunning)
    #expect(desk.state() == "foreground")
  }

  @Test func anAppThatIsClosedAndEndsAtOnceLeavesNoRecord() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.quit(app: AppLifeDesk.name))
    desk.consent.desk.wait(1)
    #expect(AppClosingTests.closes(of: desk) == 0)
  }

  @Test func aSuspendedAppThatIsClosedIsAskedToEnd() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    desk.consent.desk.wait(60)
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(desk.orders.suffix(2) == [.freeze, .end])
    #expect(!desk.isRunning)
  }

  @Test func aSuspendedAppThatIsClosedAndDoesNotEndIsKilledAfterFiveSeconds() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    desk.consent.desk.launcher.appsObey = false
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(desk.isRunning && !desk.isFrozen)
    #expect(desk.state() == "background")
    desk.consent.desk.wait(4)
    #expect(desk.orders.last == .end)
    desk.consent.desk.wait(2)
    #expect(desk.orders.last == .kill)
    #expect(!desk.isRunning)
  }

  @Test func theUpdatesOfAClosedAppAreNotOutstanding() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.desk.wait(1)
    desk.consent.request(.quit(app: AppLifeDesk.name))
    desk.consent.desk.send(.client(desk.client, .disconnected))
    desk.consent.desk.wait(40)
    #expect(desk.consent.desk.kept(AppLifeDesk.tracker) == nil)
  }

  @Test func anAppThatTheLauncherHasNotStartedIsNotClosed() {
    var desk = AppLifeDesk()
    _ = desk.consent.run(AppLifeDesk.tracker, hasTerminal: true)
    let refusal = desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(refusal?.text.contains("end it yourself (process 7)") == true)
  }
}

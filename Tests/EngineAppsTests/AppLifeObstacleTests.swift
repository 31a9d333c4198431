import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The life of an app while its launcher refuses, is replaced, or answers at the same moment as a person.
@Suite struct AppLifeObstacleTests {
  @Test func aBackgroundTaskThatBeginsAtTheNoticePostponesTheSuspension() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    for _ in 0..<60 where desk.phases.last != .suspending { desk.consent.desk.wait(1) }
    #expect(desk.phases.last == .suspending)
    desk.consent.hold(.backgroundTask, by: desk.client)
    desk.consent.desk.wait(20)
    #expect(!desk.isFrozen)
    desk.consent.desk.wait(15)
    #expect(desk.isFrozen)
  }

  @Test func aRefusedSuspensionOfAnAppWithATaskLeavesNoDeadlineInThePast() throws {
    var desk = AppLifeDesk.running()
    desk.consent.desk.launcher.refusal = "the cgroup is read-only"
    desk.consent.request(.home)
    for _ in 0..<60 where desk.orders.isEmpty || desk.orders.last != .freeze {
      desk.consent.desk.wait(1)
    }
    #expect(desk.orders.last == .freeze)
    desk.consent.hold(.backgroundTask, by: desk.client)
    let due = try #require(desk.consent.desk.engine.nextDeadline)
    #expect(due > desk.consent.desk.now)
  }

  @Test func anAppThatANewLauncherFindsRunningGetsItsWaitingUpdatesFirst() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)])
    desk.consent.request(.home)
    for _ in 0..<30 { desk.consent.fix() }
    #expect(desk.isFrozen)
    let count = desk.seconds.count
    desk.consent.desk.send(.launcher(.lost))
    desk.consent.desk.send(
      .launcher(.connected([.init(app: AppLifeDesk.tracker, isFrozen: false)])))
    desk.consent.fix()
    #expect(desk.seconds.count > count + 1)
    #expect(desk.seconds == desk.seconds.sorted())
    #expect(
      desk.seconds.last.map { $0 - (desk.seconds.first ?? 0) } == Int64(desk.seconds.count) - 1)
  }

  @Test func aClosedAppThatHasNotEndedDoesNotComeBack() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.desk.launcher.appsObey = false
    desk.consent.request(.quit(app: AppLifeDesk.name))
    for request in [
      ConsentRequest.start(app: AppLifeDesk.name), .foreground(app: AppLifeDesk.name), .home,
    ] {
      let refusal = desk.consent.request(request)
      #expect(refusal?.text.contains("has not ended yet") == true)
    }
    #expect(desk.state() == "background")
  }

  /// A board whose app is closed by a person while the launcher starts it.
  private static func closedWhileStarting() -> AppLifeDesk {
    var desk = AppLifeDesk()
    desk.consent.desk.launcher.startsSlowly = true
    desk.consent.request(.start(app: AppLifeDesk.name))
    desk.consent.request(.quit(app: AppLifeDesk.name))
    #expect(desk.consent.lastFailure == "-")
    return desk
  }

  @Test func anAppThatIsClosedWhileItStartsIsEndedAsSoonAsItHasStarted() {
    var desk = AppLifeObstacleTests.closedWhileStarting()
    let event = desk.consent.desk.launcher.endStart(of: AppLifeDesk.tracker)
    desk.consent.desk.send(.launcher(event))
    #expect(!desk.isRunning)
    #expect(desk.consent.lastFailure == nil)
    #expect(desk.orders.last == .end)
  }

  @Test func anAppThatWasClosedAndCouldNotBeStartedIsNotKilledAtItsNextStart() {
    var desk = AppLifeObstacleTests.closedWhileStarting()
    let event = desk.consent.desk.launcher.endStart(
      of: AppLifeDesk.tracker, failure: "the program cannot be run")
    desk.consent.desk.send(.launcher(event))
    #expect(desk.consent.lastFailure == nil)
    desk.consent.desk.wait(4)
    desk.consent.request(.start(app: AppLifeDesk.name))
    desk.begin()
    desk.consent.desk.wait(20)
    #expect(desk.isRunning)
    #expect(!desk.orders.contains(.kill))
  }

  @Test(arguments: [false, true])
  func anAppThatIsClosedWithoutALauncherIsEndedByTheNextOne(isNewDaemon: Bool) {
    var desk = AppLifeDesk.running()
    desk.consent.desk.send(.launcher(.lost))
    if isNewDaemon { desk.consent.killDaemon() }
    desk.consent.request(.quit(app: AppLifeDesk.name))
    let failure = desk.consent.lastFailure
    #expect(failure?.hasPrefix("no launcher is connected") == (isNewDaemon ? nil : true))
    let refusal = desk.consent.request(.foreground(app: AppLifeDesk.name))
    #expect(refusal != nil)
    desk.consent.desk.wait(2)
    desk.connectLauncher()
    #expect(!desk.isRunning)
    #expect(!desk.orders.contains(.kill))
    #expect(
      desk.consent.desk.engine.storage.state.records.count(
        ofKind: RecordTable.pendingClose.number) == 0)
  }

  @Test func aRefusedLaunchAfterAPowerCutIsTriedAgain() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<3 { desk.consent.fix() }
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    desk.consent.cutPower()
    desk.connectLauncher()
    desk.consent.desk.launcher.refusal = "the program cannot be run"
    desk.consent.desk.wait(11)
    #expect(!desk.isRunning)
    desk.consent.desk.launcher.refusal = nil
    desk.consent.desk.wait(700)
    #expect(desk.isRunning)
  }

  @Test func anAppThatANewLauncherFindsSuspendedContinuesForAPersonAtOnce() {
    var desk = AppLifeDesk.running()
    desk.consent.desk.launcher.refusal = "the connection to the launcher was lost"
    desk.consent.request(.home)
    desk.consent.desk.wait(25)
    #expect(desk.orders.last == .freeze)
    desk.consent.desk.launcher.refusal = nil
    desk.consent.desk.send(.launcher(.lost))
    desk.consent.desk.send(
      .launcher(.connected([.init(app: AppLifeDesk.tracker, isFrozen: true)])))
    desk.consent.request(.foreground(app: AppLifeDesk.name))
    #expect(desk.orders.last == .thaw)
  }

  @Test func aRefusedEndForMemoryIsNotCarriedOutLater() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    desk.consent.desk.launcher.refusal = "the connection to the launcher was lost"
    desk.consent.desk.send(.launcher(.memoryRead(availableBytes: 1 << 20)))
    #expect(desk.orders.last == .kill)
    desk.consent.desk.launcher.refusal = nil
    let count = desk.orders.count
    desk.consent.desk.wait(30)
    #expect(desk.orders.count == count)
    desk.consent.desk.send(.launcher(.lost))
    desk.consent.desk.send(.launcher(.memoryRead(availableBytes: 1 << 20)))
    #expect(desk.orders.count == count)
  }

  @Test func aNoticeHasNoConsequenceWithoutALauncher() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    for _ in 0..<60 where desk.phases.last != .suspending { desk.consent.desk.wait(1) }
    desk.consent.desk.send(.launcher(.lost))
    #expect(desk.phases.last == .background)
  }
}

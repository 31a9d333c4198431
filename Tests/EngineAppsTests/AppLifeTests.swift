import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The life of apps that the launcher runs: suspended, resumed, launched again, closed.
@Suite struct AppLifeTests {
  // MARK: Suspension

  /// An app that may have its approximate location, with a process that the launcher runs.
  private static func reduced() -> AppLifeDesk {
    AppLifeDesk.running(holding: [.backgroundActivity]) { $0.apps[0].isAccuracyReduced = true }
  }

  @Test func fullAccuracyForAWhileEndsWithTheLaunchedProcess() {
    var desk = Self.reduced()
    desk.consent.hold(.fullAccuracyRequest(purpose: "delivery"), by: desk.client)
    desk.consent.request(.allow(app: AppLifeDesk.name, nil))
    desk.consent.fix()
    desk.consent.request(.home)
    desk.consent.fix()
    #expect(desk.consent.places(desk.client).last?.horizontalAccuracy == 3)
    desk.end()
    desk.consent.fix()
    #expect(desk.isRunning)
    desk.begin([.backgroundActivity])
    desk.consent.fix()
    let places = desk.consent.places(desk.client)
    #expect(!places.isEmpty)
    #expect(places.allSatisfy { $0.horizontalAccuracy == 5_000 })
  }

  /// Another process of the app, which a person has started, does not hold the session without an object.
  @Test func aSessionThatACrashedProcessDidNotTakeUpLapsesBesideAnotherProcess() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.end()
    desk.consent.fix()
    #expect(desk.isRunning)
    desk.connect()
    let other = desk.consent.start(AppLifeDesk.tracker)
    desk.end()
    #expect(desk.consent.isLit)
    desk.consent.desk.wait(11)
    #expect(!desk.consent.isLit)
    desk.consent.desk.open(other)
    desk.consent.fix()
    #expect(!desk.consent.seen(other).contains("f"))
  }

  @Test func aRefusalOfFullAccuracyEndsWithTheLaunchedProcess() {
    var desk = Self.reduced()
    let request = desk.consent.hold(.fullAccuracyRequest(purpose: "delivery"), by: desk.client)
    desk.consent.request(.allow(app: AppLifeDesk.name, nil, isReduced: true))
    #expect(desk.consent.diagnostic(request) == .fullAccuracyDenied)
    desk.end()
    desk.consent.request(.start(app: AppLifeDesk.name))
    desk.begin()
    desk.consent.hold(.fullAccuracyRequest(purpose: "delivery"), by: desk.client)
    #expect(desk.consent.rows(.prompts).count == 1)
  }

  @Test func anAppWithoutASessionIsInformedOfItsRightsAndThenSuspended() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    for _ in 0..<15 { desk.consent.fix() }
    #expect(desk.seen == "ffffffffffi")
    // RunTime after the last update, and the notice.
    for _ in 0..<4 { desk.consent.fix() }
    #expect(!desk.isFrozen)
    for _ in 0..<4 { desk.consent.fix() }
    #expect(desk.isFrozen)
    #expect(desk.phases.prefix(3) == [.active, .background, .suspending])
    #expect(desk.seen == "ffffffffffi")
    #expect(desk.state() == "suspended")
  }

  @Test func anAppThatGetsUpdatesInTheBackgroundIsNotSuspended() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<60 { desk.consent.fix() }
    #expect(!desk.orders.contains(.freeze))
    #expect(desk.seen == String(repeating: "f", count: 60))
  }

  @Test func aSuspendedAppContinuesForItsNextUpdateAndGetsItOnce() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    let before = desk.seen
    desk.consent.fix()
    #expect(!desk.isFrozen)
    #expect(desk.orders.suffix(2) == [.freeze, .thaw])
    #expect(desk.seen == before + "f")
  }

  @Test func updatesOfASuspendedAppAreDeliveredInOrderWithTheirTimes() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)])
    desk.consent.request(.home)
    for _ in 0..<70 { desk.consent.fix() }
    // Suspended after the grace: the updates of an always-session do not keep the app running.
    #expect(desk.orders.filter { $0 == .freeze }.count == 1)
    let count = desk.seconds.count
    for _ in 0..<30 { desk.consent.fix() }
    #expect(desk.orders.filter { $0 == .thaw }.count == 1)
    #expect(desk.seconds.count > count + 29)
    #expect(desk.seconds == desk.seconds.sorted())
    #expect(Set(desk.seconds).count == desk.seconds.count)
    #expect(
      desk.seconds.last.map { $0 - (desk.seconds.first ?? 0) } == Int64(desk.seconds.count) - 1)
  }

  @Test func anAlwaysSessionIsResumedAtMostOnceInEachWakeInterval() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)])
    desk.consent.request(.home)
    for _ in 0..<600 { desk.consent.fix() }
    let thaws = desk.orders.filter { $0 == .thaw }.count
    #expect((6...9).contains(thaws), "\(thaws) resumptions in 600 s")
  }

  @Test func theForegroundResumesASuspendedApp() {
    var desk = AppLifeDesk.running()
    desk.consent.fix()
    desk.consent.request(.home)
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    desk.consent.request(.home)
    #expect(!desk.isFrozen)
    #expect(desk.state() == "foreground")
    #expect(desk.phases.last == .active)
    desk.consent.fix()
    #expect(desk.seen.hasSuffix("f"))
  }

  @Test func aSuspendedAppGetsNoLocationFromATimeWithoutAuthorization() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)])
    desk.consent.request(.home)
    for _ in 0..<30 { desk.consent.fix() }
    #expect(desk.isFrozen)
    let count = desk.seconds.count
    desk.consent.request(.deny(app: AppLifeDesk.name))
    for _ in 0..<10 { desk.consent.fix() }
    desk.consent.request(.home)
    #expect(!desk.isFrozen)
    #expect(desk.seconds.count == count)
    #expect(desk.seen.hasSuffix("d"))
  }

  @Test func anAppThatAPersonStartedInATerminalIsNotSuspended() {
    var desk = AppLifeDesk()
    let app = desk.consent.run(AppLifeDesk.tracker, hasTerminal: true)
    desk.consent.fix()
    desk.consent.request(.home)
    desk.consent.desk.wait(120)
    #expect(desk.orders == [])
    #expect(desk.consent.seen(app).hasSuffix("i"))
    #expect(desk.row()?[.rowIsManaged] == false)
  }

  @Test func theQueueDropsTheOldestLocationsAndCountsThem() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)]) { $0.life.queueMax = 5 }
    desk.consent.request(.home)
    while !desk.isFrozen { desk.consent.fix() }
    let last = desk.seconds.last ?? 0
    for _ in 0..<20 { desk.consent.fix() }
    #expect(desk.row()?[.rowWaiting] == 5)
    desk.consent.request(.home)
    let waited = desk.seconds.filter { $0 > last }
    #expect((desk.row()?[.rowDropped] ?? 0) >= 14)
    // The next location follows at once: the newest ones have waited.
    desk.consent.fix()
    let next = desk.seconds.last ?? 0
    #expect(waited == Array((next - 5)..<next))
  }

  @Test func aRefusedSuspensionIsNotOrderedAgainAtOnce() {
    var desk = AppLifeDesk.running()
    desk.consent.desk.launcher.refusal = "the cgroup is read-only"
    desk.consent.request(.home)
    desk.consent.desk.wait(120)
    let freezes = desk.orders.filter { $0 == .freeze }.count
    #expect((1...4).contains(freezes), "\(freezes) orders")
    #expect(desk.state() == "background")
    #expect(desk.row()?[.rowReason]?.contains("read-only") == true)
  }

  @Test func aBackgroundTaskPostponesTheSuspensionByAtMostThirtySeconds() {
    var desk = AppLifeDesk.running()
    desk.consent.hold(.backgroundTask, by: desk.client)
    desk.consent.request(.home)
    desk.consent.desk.wait(45)
    #expect(!desk.isFrozen)
    desk.consent.desk.wait(10)
    #expect(desk.isFrozen)
  }

  @Test func theEndOfABackgroundTaskSuspendsTheApp() {
    var desk = AppLifeDesk.running()
    let task = desk.consent.hold(.backgroundTask, by: desk.client)
    desk.consent.request(.home)
    desk.consent.desk.wait(30)
    #expect(!desk.isFrozen)
    desk.consent.invalidate(task, of: desk.client)
    desk.consent.desk.wait(2)
    #expect(desk.isFrozen)
  }

  @Test func withLittleMemoryTheAppThatIsSuspendedLongestIsEndedAndLaunchedForItsNextUpdate() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    #expect(desk.consent.desk.engine.outlook.isMemoryWatched)
    desk.consent.desk.send(.launcher(.memoryRead(availableBytes: 65 << 20)))
    #expect(desk.isRunning)
    desk.consent.desk.send(.launcher(.memoryRead(availableBytes: 63 << 20)))
    #expect(!desk.isRunning)
    desk.consent.desk.send(.client(desk.client, .disconnected))
    #expect(desk.row()?[.rowReason]?.contains("memory was short") == true)
    desk.consent.fix()
    #expect(desk.orders.last == .start(isForLocation: true))
    desk.begin([.backgroundActivity])
    #expect(desk.seen.hasPrefix("f"))
  }

  @Test func withLittleMemoryTheAppThatIsSuspendedLongestIsEndedFirst() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    desk.consent.request(.start(app: "org.example.map"))
    desk.consent.request(.home)
    desk.consent.desk.wait(60)
    #expect(desk.consent.desk.launcher.running[ConsentDesk.map] == true)
    desk.consent.desk.send(.launcher(.memoryRead(availableBytes: 63 << 20)))
    #expect(!desk.isRunning)
    #expect(desk.consent.desk.launcher.running[ConsentDesk.map] == true)
  }

  // MARK: Launches

  @Test func anAppThatCrashesIsLaunchedForTheNextLocationAndGetsItFirst() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<5 { desk.consent.fix() }
    let last = desk.seconds.last ?? 0
    desk.end()
    #expect(!desk.isRunning)
    desk.consent.fix()
    #expect(desk.isRunning)
    #expect(desk.orders.last == .start(isForLocation: true))
    for _ in 0..<3 { desk.consent.fix() }
    desk.begin([.backgroundActivity])
    desk.consent.fix()
    #expect(desk.seconds == Array((last + 1)...(last + 5)))
    #expect(desk.consent.isLit)
    desk.consent.desk.wait(20)
    #expect(desk.consent.desk.engine.apps.sessions.isHeld(.background, by: AppLifeDesk.tracker))
  }

  @Test func aLocationBetweenTheEndOfAProcessAndTheEndOfItsConnectionWaitsForTheNextProcess() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    let before = desk.seconds
    let event = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .killed(signal: 9))
    desk.consent.desk.send(.launcher(event))
    desk.consent.fix()
    #expect(desk.seconds == before)
    desk.consent.desk.send(.client(desk.client, .disconnected))
    #expect(desk.isRunning)
    desk.begin([.backgroundActivity])
    #expect(desk.seconds == [(before.last ?? 0) + 1])
  }

  @Test(arguments: [ConsentRequest.foreground(app: "org.example.tracker"), .home])
  func anAppThatDoesNotRunIsStartedWhenItIsBroughtToTheForeground(_ request: ConsentRequest) {
    var desk = AppLifeDesk.running()
    desk.end(.exited(status: 0))
    desk.consent.desk.wait(20)
    #expect(!desk.isRunning)
    #expect(desk.consent.request(request) == nil)
    #expect(desk.isRunning)
    #expect(desk.consent.lastFailure == nil)
  }

  @Test func anAppWithoutARightInTheBackgroundIsNotLaunched() {
    var desk = AppLifeDesk.running()
    desk.consent.request(.home)
    desk.consent.desk.wait(12)
    desk.end()
    for _ in 0..<30 { desk.consent.fix() }
    #expect(!desk.isRunning)
  }

  @Test func anAppThatCrashesAtEachLaunchIsLaunchedAtGrowingDistances() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    var launches: [Instant] = []
    let start = desk.consent.desk.now
    while desk.consent.desk.now - start < .seconds(4 * 3_600) {
      desk.consent.fix()
      guard desk.isRunning else { continue }
      launches.append(desk.consent.desk.now)
      desk.end()
    }
    for launch in launches {
      let near = launches.filter { $0 >= launch && $0 - launch < .seconds(600) }
      #expect(near.count <= 6, "\(near.count) launches in 10 minutes")
    }
    #expect(launches.count < 30)
    #expect(launches.count > 10)
    let pauses = zip(launches, launches.dropFirst()).map { $1 - $0 }
    #expect(pauses.suffix(2).allSatisfy { (.seconds(3_590)...(.seconds(3_610))).contains($0) })
    #expect(desk.row()?[.rowNextLaunchAt] != nil)
  }

  @Test func afterAPowerCutAnAppWithASessionIsLaunchedInTheBackground() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<3 { desk.consent.fix() }
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    desk.consent.cutPower()
    desk.connectLauncher()
    let count = desk.orders.count
    desk.consent.desk.wait(11)
    #expect(desk.orders.dropFirst(count) == [.start(isForLocation: true)])
    desk.begin([.backgroundActivity])
    desk.consent.fix()
    #expect(desk.seen.hasSuffix("f"))
    #expect(desk.consent.isLit)
    #expect(desk.state() == "background")
  }

  /// `RejoinWindow` begins with the connection.
  @Test func aLaunchedAppThatConnectsLateIsNotSuspendedWithinRejoinWindow() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    desk.end()
    desk.consent.fix()
    #expect(desk.isRunning)
    let count = desk.orders.count
    desk.consent.desk.wait(7)
    desk.connect()
    desk.consent.desk.wait(9)
    // Its waiting location would resume a suspended app at once.
    #expect(desk.orders.count == count)
    desk.consent.hold(.backgroundActivity, by: desk.client)
    desk.consent.desk.open(desk.client)
    desk.consent.fix()
    #expect(desk.seen.hasSuffix("f"))
    #expect(desk.consent.isLit)
  }

  @Test func afterARestartOfTheDaemonARunningAppIsNotLaunchedAgain() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    let count = desk.orders.count
    desk.consent.cutPower()
    desk.connectLauncher()
    desk.consent.desk.wait(30)
    #expect(!desk.orders.dropFirst(count).contains(.start(isForLocation: true)))
  }

  @Test func afterARestartOfTheDaemonASuspendedAppContinuesForItsUpdate() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    desk.consent.cutPower()
    desk.connectLauncher()
    #expect(desk.isFrozen)
    desk.consent.fix()
    #expect(!desk.isFrozen)
    desk.begin([.backgroundActivity])
    #expect(desk.seen == "f")
  }
}

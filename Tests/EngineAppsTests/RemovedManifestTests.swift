import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Apps of the launcher whose manifests are removed: no person could close such an app.
@Suite struct RemovedManifestTests {
  private static func suspended() -> AppLifeDesk {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    desk.consent.desk.wait(60)
    #expect(desk.isFrozen)
    return desk
  }

  @Test func aSuspendedAppWhoseManifestIsRemovedIsEnded() {
    var desk = RemovedManifestTests.suspended()
    desk.consent.desk.send(.appsRead([]))
    #expect(desk.orders.last == .end)
    #expect(!desk.isRunning)
    desk.consent.desk.send(.client(desk.client, .disconnected))
    for _ in 0..<60 { desk.consent.fix() }
    #expect(desk.orders.last == .end)
    #expect(!desk.consent.isLit)
  }

  @Test func anAppWhoseManifestIsRemovedAndThatDoesNotEndIsKilled() {
    var desk = AppLifeDesk.running()
    desk.consent.desk.launcher.appsObey = false
    desk.consent.desk.send(.appsRead([]))
    #expect(desk.orders.last == .end)
    desk.consent.desk.wait(4)
    #expect(desk.orders.last == .end)
    desk.consent.desk.wait(2)
    #expect(desk.orders.last == .kill)
    #expect(!desk.isRunning)
  }

  @Test func anAppWhoseManifestWasRemovedWithoutALauncherIsEndedByTheNextOne() {
    var desk = RemovedManifestTests.suspended()
    desk.consent.desk.send(.launcher(.lost))
    let count = desk.orders.count
    desk.consent.desk.send(.appsRead([]))
    #expect(desk.orders.count == count)
    desk.connectLauncher()
    #expect(desk.orders.dropFirst(count) == [.end])
    #expect(!desk.isRunning)
  }

  /// A desk whose daemon has started again while the manifest of the suspended app has a mistake.
  private static func misread() -> AppLifeDesk {
    var desk = suspended()
    desk.consent.desk.configuration.apps = []
    desk.consent.desk.configuration.hasUnreadManifests = true
    desk.consent.killDaemon()
    desk.connectLauncher()
    return desk
  }

  @Test func anAppWhoseManifestCannotBeUsedAtTheStartKeepsItsProcessAndItsSession() {
    var desk = RemovedManifestTests.suspended()
    let declarations = desk.consent.desk.engine.apps.declarations
    desk = RemovedManifestTests.misread()
    for _ in 0..<60 { desk.consent.fix() }
    #expect(desk.isFrozen)
    #expect(!desk.orders.contains(.end))
    #expect(!desk.consent.isLit)
    #expect(desk.consent.desk.engine.apps.awaited.isEmpty)
    #expect(desk.consent.desk.kept(AppLifeDesk.tracker) != nil)
    desk.consent.desk.send(.appsRead(declarations))
    #expect(desk.isRunning)
    #expect(desk.consent.isLit)
  }

  @Test func anAppThatHasNoManifestInAReadingWithoutMistakesIsEnded() {
    var desk = RemovedManifestTests.misread()
    desk.consent.desk.send(.appsRead([]))
    #expect(desk.orders.last == .end)
    #expect(!desk.isRunning)
  }

  @Test func aDenialEndsTheSessionOfAnAppWhoseManifestCannotBeUsed() {
    var desk = RemovedManifestTests.suspended()
    let declarations = desk.consent.desk.engine.apps.declarations
    desk = RemovedManifestTests.misread()
    desk.consent.request(.deny(app: AppLifeDesk.name))
    desk.consent.request(.allow(app: AppLifeDesk.name, .whenInUse))
    desk.consent.desk.send(.appsRead(declarations))
    for _ in 0..<3 { desk.consent.fix() }
    #expect(!desk.consent.isLit)
  }

  @Test func anAppWithAManifestStays() {
    var desk = RemovedManifestTests.suspended()
    let declarations = desk.consent.desk.engine.apps.declarations
    desk.consent.desk.send(.appsRead(declarations))
    #expect(desk.isFrozen)
    #expect(desk.orders.last == .freeze)
  }

  @Test(arguments: [false, true])
  func afterAPowerCutOnlyAnAppWithAManifestIsLaunched(hasManifest: Bool) {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)])
    desk.consent.request(.home)
    for _ in 0..<3 { desk.consent.fix() }
    _ = desk.consent.desk.launcher.end(AppLifeDesk.tracker, .unknown)
    desk.consent.cutPower()
    desk.connectLauncher()
    let declarations = desk.consent.desk.engine.apps.declarations
    desk.consent.desk.send(.appsRead(hasManifest ? declarations : []))
    let count = desk.orders.count
    desk.consent.desk.wait(30)
    #expect(desk.orders.dropFirst(count).contains(.start(isForLocation: true)) == hasManifest)
  }
}

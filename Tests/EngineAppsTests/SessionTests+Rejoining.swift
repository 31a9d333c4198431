import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Sessions after a crash of their app and after a power cut.
extension SessionTests {
  // MARK: Rejoining

  @Test func anAppThatCrashesTakesItsSessionUpInTheBackground() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.wait(30)
    desk.desk.end(app)
    #expect(desk.isLit)
    desk.desk.wait(3_600)
    #expect(desk.isLit)
    let again = desk.run(Self.tracker)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == [])
    desk.fix()
    #expect(desk.seen(again).hasSuffix("f"))
    desk.desk.wait(60)
    #expect(desk.isLit)
  }

  /// No start of the app ends the wait of the session, because the app runs.
  @Test(arguments: [true, false])
  func aSessionWhoseProcessEndsLapsesWhileAnotherProcessOfTheAppRuns(isTakenUp: Bool) {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    let other = desk.desk.connect(Self.tracker, user: 1_001, hasTerminal: false, processID: 8)
    desk.desk.open(other)
    desk.request(.home)
    desk.desk.end(app)
    desk.desk.wait(9)
    #expect(desk.isLit)
    if isTakenUp { desk.hold(.backgroundActivity, by: other) }
    desk.desk.wait(2)
    #expect(desk.isLit == isTakenUp)
    desk.fix()
    #expect(desk.seen(other).hasSuffix(isTakenUp ? "f" : "i"))
  }

  @Test func aSessionWaitsForAStartOfTheAppIfAllItsProcessesEndOneAfterTheOther() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    let other = desk.desk.connect(Self.tracker, user: 1_001, hasTerminal: false, processID: 8)
    desk.request(.home)
    desk.desk.end(app)
    desk.desk.wait(1)
    desk.desk.end(other)
    desk.desk.wait(60)
    #expect(desk.isLit)
    let again = desk.run(Self.tracker)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == [])
  }

  /// A dashboard reads as the app, by `binnacle watch --app`.
  @Test func aScriptThatOnlyReadsDoesNotEndTheSessionOfItsAppThatCrashes() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    let reader = desk.desk.connect(
      Self.tracker, user: 1_001, hasTerminal: false, isScript: true, processID: 8)
    desk.desk.open(reader)
    desk.request(.home)
    desk.desk.end(app)
    desk.desk.wait(60)
    #expect(desk.isLit)
    let again = desk.run(Self.tracker)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == [])
  }

  @Test func aProcessThatConnectsHasItsWholeWindowForASessionOfAnEndedProcess() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    _ = desk.desk.connect(Self.tracker, user: 1_001, hasTerminal: false, processID: 8)
    desk.request(.home)
    desk.desk.end(app)
    desk.desk.wait(8)
    let again = desk.run(Self.tracker)
    desk.desk.wait(8)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == [])
  }

  @Test(arguments: [true, false])
  func aScriptMayConnectWhileTheSessionOfItsAppWaitsForAStart(takesUp: Bool) {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.end(app)
    let script = desk.desk.connect(
      Self.tracker, user: 1_001, hasTerminal: false, isScript: true, processID: 8)
    desk.desk.open(script)
    desk.desk.wait(60)
    #expect(desk.isLit)
    if takesUp {
      // The script becomes the holder, and its session ends with it.
      let session = desk.hold(.backgroundActivity, by: script)
      #expect(desk.diagnostic(session) == [])
    }
    desk.desk.end(script)
    desk.desk.wait(11)
    #expect(desk.isLit == !takesUp)
    let again = desk.run(Self.tracker)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == (takesUp ? .insufficientlyInUse : []))
  }

  /// Nothing starts a script again that the launcher has not started; the launcher starts its own scripts again.
  @Test(arguments: [true, false])
  func theSessionOfAScriptThatIsKilledLapsesUnlessTheLauncherHasStartedIt(isLaunched: Bool) {
    var (desk, script) = Self.scriptInTheBackground(isLaunched: isLaunched)
    desk.desk.wait(30)
    #expect(desk.isLit)
    desk.desk.end(script)
    desk.desk.wait(9)
    #expect(desk.isLit)
    desk.desk.wait(2)
    #expect(desk.isLit == isLaunched)
    let again = desk.desk.connect(
      Self.tracker, user: 1_001, hasTerminal: false, isLaunched: isLaunched, isScript: true)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == (isLaunched ? [] : .insufficientlyInUse))
  }

  /// A desk with a script that holds a background session and has updates open, in the background.
  private static func scriptInTheBackground(
    isLaunched: Bool = false
  ) -> (desk: ConsentDesk, script: ClientID) {
    var (desk, first) = Self.desk()
    desk.desk.end(first)
    let script = desk.desk.connect(tracker, user: 1_001, isLaunched: isLaunched, isScript: true)
    desk.desk.open(script)
    desk.hold(.backgroundActivity, by: script)
    desk.request(.home)
    return (desk, script)
  }

  /// The daemon drops a client that reads nothing, and the same process connects again after 5 s at most.
  @Test func aScriptThatLosesItsConnectionTakesItsSessionUpInTheBackground() {
    var (desk, script) = Self.scriptInTheBackground()
    for _ in 0..<2 {
      desk.desk.wait(60)
      desk.desk.end(script)
      desk.desk.wait(5)
      #expect(desk.isLit)
      script = desk.desk.connect(Self.tracker, user: 1_001, hasTerminal: false, isScript: true)
      let session = desk.hold(.backgroundActivity, by: script)
      desk.desk.open(script)
      #expect(desk.diagnostic(session) == [])
      desk.desk.wait(60)
      #expect(desk.isLit)
      desk.fix()
      #expect(desk.seen(script).hasSuffix("f"))
    }
  }

  /// The launcher starts only its own scripts again, so without it the lamp would stay lit.
  @Test(arguments: [true, false])
  func theSessionOfAScriptLapsesAfterAPowerCutUnlessTheLauncherHasStartedTheScript(
    isLaunched: Bool
  ) {
    var (desk, _) = Self.scriptInTheBackground(isLaunched: isLaunched)
    for _ in 0..<2 {
      desk.cutPower()
      desk.desk.wait(9)
      #expect(desk.isLit)
    }
    desk.desk.wait(2)
    #expect(desk.isLit == isLaunched)
    let again = desk.desk.connect(Self.tracker, user: 1_001, hasTerminal: false, isScript: true)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == (isLaunched ? [] : .insufficientlyInUse))
  }

  /// A process of the app holds the session beside a script, and the session waits for the app after a power cut.
  @Test(arguments: [true, false])
  func aSessionThatAScriptSharesWithItsAppWaitsForTheApp(isScriptFirst: Bool) {
    var (desk, app) = Self.desk()
    let script = desk.desk.connect(Self.tracker, user: 1_001, hasTerminal: false, isScript: true)
    for client in isScriptFirst ? [script, app] : [app, script] {
      desk.hold(.backgroundActivity, by: client)
      desk.desk.wait(1)
    }
    desk.request(.home)
    desk.cutPower()
    desk.desk.wait(60)
    #expect(desk.isLit)
  }

  /// The record of a script's session is written at once, although the record of the app's session had the same roles.
  @Test func aScriptThatTakesUpTheSessionOfItsAppMakesTheSessionItsOwn() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.end(app)
    let script = desk.desk.connect(Self.tracker, user: 1_001, hasTerminal: false, isScript: true)
    desk.hold(.backgroundActivity, by: script)
    desk.cutPower()
    desk.desk.wait(11)
    #expect(!desk.isLit)
  }

  @Test func aScriptWhoseDaemonIsKilledTakesItsSessionUp() {
    var (desk, _) = Self.scriptInTheBackground()
    desk.killDaemon()
    let again = desk.desk.connect(
      Self.tracker, user: 1_001, hasTerminal: false, isScript: true)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == [])
  }

  /// The daemon has a life of each app whose session waits for it, also without a launcher.
  @Test func anAppThatComesBackByItselfDoesNotMissItsProcess() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.cutPower()
    func processHolds() -> Bool? {
      desk.rows(.why(app: "org.example.tracker")).first { $0[.rowKey] == "process" }?[.rowHolds]
    }
    #expect(processHolds() == false)
    let again = desk.run(Self.tracker)
    desk.hold(.backgroundActivity, by: again)
    desk.fix()
    #expect(desk.seen(again) == "f")
    #expect(processHolds() == true)
  }

  @Test func aSessionThatIsNotTakenUpLapses() {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.end(app)
    let again = desk.run(Self.tracker)
    desk.desk.wait(9)
    #expect(desk.isLit)
    desk.desk.wait(2)
    #expect(!desk.isLit)
    let late = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(late) == .insufficientlyInUse)
  }

  @Test func afterAPowerCutTheLightIsLitBeforeTheFirstUpdateInTheBackground() throws {
    var (desk, app) = Self.desk()
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.fix()
    desk.cutPower()
    #expect(desk.isLit)
    let again = desk.run(Self.tracker)
    desk.hold(.backgroundActivity, by: again)
    desk.fix()
    #expect(desk.seen(again) == "f")
    let lit = try #require(
      desk.desk.effects.firstIndex { $0 == .line(.indicator, .set(isActive: true)) })
    let delivered = try #require(
      desk.desk.effects.firstIndex {
        if case .client(_, .deliver(_, let update)) = $0 { update.fix != nil } else { false }
      })
    #expect(lit < delivered)
  }

  @Test func aSessionThatEndedBeforeAPowerCutDoesNotComeBack() {
    var (desk, app) = Self.desk()
    let session = desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.invalidate(session, of: app)
    desk.desk.wait(1)
    Self.expectNoSessionAfterAPowerCut(&desk)
  }

  /// Expects that the next process of the app, in the background, has no session.
  private static func expectNoSessionAfterAPowerCut(_ desk: inout ConsentDesk) {
    desk.cutPower()
    let again = desk.run(tracker)
    let session = desk.hold(.backgroundActivity, by: again)
    #expect(desk.diagnostic(session) == .insufficientlyInUse)
  }

  @Test func theEndOfASessionIsWrittenAtOnceEvenIfTheAppMakesManySessions() {
    var (desk, app) = Self.desk()
    for _ in 0..<12 {
      desk.desk.wait(1)
      let session = desk.hold(.backgroundActivity, by: app)
      desk.desk.wait(1)
      desk.invalidate(session, of: app)
    }
    desk.desk.wait(1)
    Self.expectNoSessionAfterAPowerCut(&desk)
  }

  @Test func anAlwaysSessionIsTakenUpAndLapsesLikeABackgroundSession() {
    var (desk, app) = Self.desk(.always)
    desk.hold(.service(.always), by: app)
    desk.request(.home)
    desk.desk.end(app)
    let again = desk.run(Self.tracker)
    desk.hold(.service(.always), by: again)
    desk.desk.wait(60)
    desk.fix()
    #expect(desk.seen(again).hasSuffix("f"))
    desk.desk.end(again)
    let third = desk.run(Self.tracker)
    desk.desk.wait(11)
    desk.fix()
    #expect(desk.seen(third).hasSuffix("i"))
    #expect(!desk.isLit)
  }

  @Test func aSessionOfAnAppWithoutAManifestEndsWithItsProcess() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.request(.allow(app: "1001:", nil))
    let session = desk.hold(.service(.whenInUse), by: app)
    #expect(desk.diagnostic(session) == [])
    desk.desk.end(app)
    let again = desk.run(ConsentDesk.script)
    let other = desk.hold(.service(.whenInUse), by: again)
    #expect(desk.diagnostic(other) == .insufficientlyInUse)
  }
}

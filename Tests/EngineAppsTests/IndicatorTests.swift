import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// The indicator: lit and read back before any location in the background, and what happens without it.
@Suite struct IndicatorTests {
  private static let name = "org.example.tracker"

  /// A desk with an app that holds a background session in the foreground.
  private static func desk(
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> (desk: ConsentDesk, app: ClientID) {
    var desk = ConsentDesk(adjust)
    desk.request(.allow(app: name, nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.hold(.backgroundActivity, by: app)
    return (desk, app)
  }

  @Test func noLocationIsDeliveredInTheBackgroundUntilTheLampIsReadBack() {
    var (desk, app) = Self.desk()
    desk.desk.lamp = .silent
    desk.request(.home)
    desk.fix()
    desk.fix()
    #expect(desk.seen(app) == "")
    desk.desk.send(.line(.indicator, .read(isActive: true)))
    desk.fix()
    #expect(desk.seen(app) == "f")
  }

  @Test(arguments: [OutstandingDesk.Lamp.lost, .stuck(false)])
  func withoutALampTheAppGetsTheReasonAndContinuesWhenTheLampWorks(_ fault: OutstandingDesk.Lamp) {
    var (desk, app) = Self.desk()
    desk.request(.home)
    desk.fix()
    desk.desk.lamp = fault
    // The lamp is verified every 10 s.
    desk.desk.wait(11)
    desk.fix()
    desk.fix()
    // The desk sends no fix while it waits.
    #expect(desk.seen(app) == "fui")
    #expect(desk.desk.lines.contains { $0.contains("no app in the background gets locations") })
    desk.desk.lamp = .works
    desk.desk.wait(61)
    desk.fix()
    #expect(desk.seen(app).last == "f")
    #expect(desk.desk.lines.contains { $0.contains("the indicator can be lit again") })
  }

  /// The last order to the lamp.
  private static func lastOrder(_ desk: ConsentDesk) -> Bool? {
    for case .line(.indicator, .set(let isActive)) in desk.desk.effects.reversed() {
      return isActive
    }
    return nil
  }

  @Test func aLampThatAnotherCircuitHoldsDarkIsTurnedOffAsSoonAsItIsNotDue() {
    var (desk, _) = Self.desk()
    desk.desk.lamp = .stuck(false)
    desk.request(.home)
    #expect(Self.lastOrder(desk) == true)
    desk.request(.home)
    #expect(Self.lastOrder(desk) == false)
  }

  @Test func aLampThatWasStuckLitCountsAsSoonAsItIsDue() {
    var (desk, _) = Self.desk()
    desk.request(.home)
    desk.desk.lamp = .stuck(true)
    desk.request(.home)
    // The intervals between the tries grow to 30 s.
    desk.desk.wait(100)
    #expect(desk.desk.engine.panel.isIndicatorFaulty)
    desk.request(.home)
    #expect(desk.desk.engine.apps.light == .lit)
    #expect(!desk.desk.lines.contains { $0.contains("no app in the background gets locations") })
  }

  @Test func aBoardWithoutAnIndicatorDeliversNothingInTheBackground() {
    var (desk, app) = Self.desk { $0.panel.hasIndicator = false }
    desk.fix()
    desk.request(.home)
    desk.fix()
    #expect(desk.seen(app) == "fi")
    #expect(desk.desk.lines.contains { $0.contains("the board has no indicator") })
    desk.request(.home)
    desk.fix()
    #expect(desk.seen(app) == "fif")
  }

  @Test func theSenseMustSeeTheLampLit() {
    var (desk, app) = Self.desk { $0.panel.hasIndicatorSense = true }
    desk.desk.send(.line(.indicatorSense, .opened(isActive: false, isDebounced: true)))
    desk.request(.home)
    desk.fix()
    #expect(desk.seen(app) == "")
    desk.desk.send(.line(.indicatorSense, .read(isActive: true)))
    desk.fix()
    #expect(desk.seen(app) == "f")
    desk.desk.send(.line(.indicatorSense, .edge(isActive: false, at: desk.desk.now)))
    desk.desk.wait(1)
    desk.desk.send(.line(.indicatorSense, .read(isActive: false)))
    desk.fix()
    #expect(desk.seen(app) == "fi")
  }

  /// The sense changes every 10 ms, so that it cannot be read.
  private static func disturbSense(of desk: inout ConsentDesk, milliseconds: Int64) {
    for turn in 0..<milliseconds / 10 {
      let isActive = turn % 2 == 0
      desk.desk.send(.line(.indicatorSense, .edge(isActive: isActive, at: desk.desk.now)))
      desk.desk.now += .milliseconds(10)
      if let due = desk.desk.engine.nextDeadline, due <= desk.desk.now {
        desk.desk.send(.deadlineReached)
      }
    }
  }

  @Test func aSenseThatDoesNotSettleEndsTheDeliveryUntilItIsQuiet() {
    var (desk, app) = Self.desk { $0.panel.hasIndicatorSense = true }
    desk.desk.send(.line(.indicatorSense, .opened(isActive: false, isDebounced: true)))
    desk.request(.home)
    desk.desk.wait(1)
    desk.desk.send(.line(.indicatorSense, .read(isActive: true)))
    Self.disturbSense(of: &desk, milliseconds: 900)
    #expect(desk.desk.engine.apps.light == .lit)
    Self.disturbSense(of: &desk, milliseconds: 200)
    #expect(desk.desk.engine.apps.light.failure?.contains("does not settle") == true)
    desk.fix()
    #expect(desk.seen(app) == "i")
    // The line was quiet for 1 s, so it is read now.
    desk.desk.send(.line(.indicatorSense, .read(isActive: true)))
    #expect(desk.desk.engine.apps.light == .lit)
    desk.fix()
    #expect(desk.seen(app) == "if")
  }

  @Test(arguments: [true, false])
  func aSenseThatDoesNotSettleGivesTheAppTheReason(beforeTheLampIsDue: Bool) {
    var (desk, app) = Self.desk { $0.panel.hasIndicatorSense = true }
    desk.desk.send(.line(.indicatorSense, .opened(isActive: false, isDebounced: true)))
    if beforeTheLampIsDue { Self.disturbSense(of: &desk, milliseconds: 1_100) }
    desk.request(.home)
    Self.disturbSense(of: &desk, milliseconds: beforeTheLampIsDue ? 100 : 1_100)
    #expect(desk.desk.engine.apps.light.failure?.contains("does not settle") == true)
    #expect(desk.seen(app) == "i")
    #expect(desk.desk.lines.contains { $0.contains("no app in the background gets locations") })
  }

  @Test func aLampThatWasLitBeforeItsOrderIsReadAgainAndIsNoDarkLamp() {
    var (desk, app) = Self.desk { $0.panel.hasIndicatorSense = true }
    desk.desk.send(.line(.indicatorSense, .opened(isActive: true, isDebounced: true)))
    desk.desk.wait(1)
    desk.desk.send(.line(.indicatorSense, .read(isActive: true)))
    #expect(desk.desk.engine.panel.sense?.isWrong == true)
    desk.request(.home)
    #expect(desk.desk.engine.apps.light == .asserting)
    desk.desk.wait(1)
    desk.desk.send(.line(.indicatorSense, .read(isActive: true)))
    #expect(desk.desk.engine.apps.light == .lit)
    desk.fix()
    #expect(desk.seen(app) == "f")
    #expect(!desk.desk.lines.contains { $0.contains("no app in the background gets locations") })
  }

  @Test func theLampIsDarkWhenTheAppIsInFront() {
    var (desk, _) = Self.desk()
    #expect(!desk.isLit)
    desk.request(.home)
    #expect(desk.isLit)
    desk.request(.home)
    #expect(!desk.isLit)
  }

  @Test func theLampIsLitDuringTheGraceOnlyForAnAppWithUpdates() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.request(.home)
    #expect(desk.isLit)
    desk.desk.close(app)
    #expect(!desk.isLit)
    desk.desk.open(app, 2)
    #expect(desk.isLit)
    desk.desk.wait(11)
    #expect(!desk.isLit)
  }

  @Test func theLampIsLitForAnAlwaysSessionFromTheBeginningOfTheGrace() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, .always))
    let app = desk.start(ConsentDesk.tracker, hasTerminal: true)
    desk.hold(.service(.always), by: app)
    #expect(!desk.isLit)
    desk.request(.home)
    #expect(desk.isLit)
    desk.desk.wait(11)
    #expect(desk.isLit)
    #expect(desk.rows(.audit).map { $0[.rowRight] } == ["always_session"])
  }

  @Test func aPromptFlashesOnTheStatusLightWhileTheIndicatorIsLit() {
    var (desk, _) = Self.desk { $0.panel.hasStatusLight = true }
    desk.desk.send(.line(.statusLight, .opened(isActive: false, isDebounced: false)))
    desk.request(.home)
    let levels = desk.desk.lampLevels.count
    _ = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.desk.wait(9)
    #expect(!desk.desk.lampLevels[levels...].contains { !$0.isLit })
    #expect(
      desk.desk.effects.contains {
        if case .line(.statusLight, .set(isActive: true)) = $0 { true } else { false }
      })
  }

  // MARK: A lamp that keeps its state

  @Test func aLastingLampThatIsStillLitIsOrderedAndReadBackBeforeTheFirstLocation() {
    var (desk, _) = Self.desk { $0.panel.isIndicatorLasting = true }
    desk.request(.home)
    #expect(desk.isLit)
    desk.desk.lamp = .stuck(true)
    desk.desk.killDaemon()
    // The desk forgets the effects of the daemon before.
    #expect(
      desk.desk.effects.contains { $0 == .line(.indicator, .set(isActive: true)) })
    #expect(!desk.desk.effects.contains { $0 == .line(.indicator, .set(isActive: false)) })
    #expect(!desk.desk.lines.contains { $0.contains("set to off") })
    #expect(desk.desk.engine.apps.light == .lit)
  }

  @Test func aLastingLampThatIsLitWithoutAReasonIsTurnedOff() {
    var desk = ConsentDesk { $0.panel.isIndicatorLasting = true }
    desk.desk.lamp = .stuck(true)
    desk.desk.killDaemon()
    #expect(desk.desk.effects.contains { $0 == .line(.indicator, .set(isActive: false)) })
  }

  @Test func aFlashForAPromptIsNotLeftLitWhenTheDaemonStops() {
    var desk = ConsentDesk { $0.panel.isIndicatorLasting = true }
    _ = desk.run(ConsentDesk.script, hasTerminal: true)
    #expect(desk.isLit)
    desk.desk.send(.stopRequested)
    #expect(!desk.isLit)
    desk.desk.wait(2)
    #expect(!desk.isLit)
  }

  @Test func aLampThatIsDueStaysLitWhenTheDaemonStops() {
    var (desk, _) = Self.desk { $0.panel.isIndicatorLasting = true }
    desk.request(.home)
    desk.desk.send(.stopRequested)
    #expect(desk.isLit)
  }

  // MARK: The record of use

  @Test func anEpochIsRecordedFromTheBeginningToTheEndOfTheUse() {
    var (desk, app) = Self.desk()
    desk.fix()
    #expect(desk.rows(.audit) == [])
    #expect(desk.rows(.who).map { $0[.rowRight] } == ["foreground"])
    desk.request(.home)
    for _ in 0..<5 { desk.fix() }
    #expect(desk.rows(.who).map { $0[.rowRight] } == ["background_session"])
    #expect(desk.rows(.who).map { $0[.rowUpdates] } == [5])
    #expect(desk.rows(.audit).map { $0[.rowTo] } == [nil])
    desk.request(.home)
    #expect(desk.rows(.audit).map { $0[.rowUpdates] } == [5])
    #expect(desk.rows(.audit).map { $0[.rowIsLampVerified] } == [true])
    #expect(desk.rows(.audit).first?[.rowTo] != nil)
    desk.desk.end(app)
    #expect(desk.rows(.who).map { $0[.rowState] } == ["not_running"])
    #expect(desk.isLit)
  }

  @Test func theRowsOfUsesAndEpochsHaveTheKeysOfTheirTables() {
    var (desk, _) = Self.desk()
    desk.request(.home)
    desk.fix()
    desk.request(.home)
    let epoch = ["id", "from", "to", "right", "updates", "lamp_verified"]
    #expect(desk.rows(.audit).first?.items.map(\.name) == epoch)
    #expect(RowCatalog.audit.prefix(epoch.count).map(\.name) == epoch)
    let use = ["id", "role", "right", "state", "since", "updates"]
    #expect(desk.rows(.who).first?.items.map(\.name) == use)
    #expect(RowCatalog.who.map(\.name) == use)
  }

  @Test func epochsOutlastAPowerCut() {
    var (desk, _) = Self.desk()
    desk.request(.home)
    for _ in 0..<5 { desk.fix() }
    desk.request(.home)
    desk.request(.home)
    desk.desk.wait(1)
    let before = desk.rows(.audit)
    desk.cutPower()
    let after = desk.rows(.audit)
    #expect(after.first == before.first)
    #expect(after.count == 3)
    #expect(after[1][.rowFrom] == before[1][.rowFrom])
    // The second epoch ended with the power; its last record has its beginning.
    #expect(after[1][.rowTo] != nil)
    #expect(after.map { $0[.rowIsInterrupted] } == [nil, true, nil])
  }

  /// The count is written 10 s and 300 s after the first location, and then each hour.
  @Test(arguments: [(30, 10...12), (400, 300...303), (4_200, 3_900...3_906)])
  func anEpochThatAPowerCutEndsKeepsItsLastCount(_ fixCount: Int, _ kept: ClosedRange<Int64>) {
    var (desk, _) = Self.desk()
    desk.request(.home)
    for _ in 0..<fixCount { desk.fix() }
    desk.cutPower()
    let epoch = desk.rows(.audit).first
    #expect(epoch?[.rowIsInterrupted] == true)
    #expect(kept.contains(epoch?[.rowUpdates] ?? 0), "\(String(describing: epoch?[.rowUpdates]))")
  }

  @Test func theLatestEpochsAreKept() {
    var epochs = BackgroundEpochs()
    let epoch = BackgroundEpoch(
      app: ConsentDesk.tracker, right: .backgroundSession, from: nil, to: nil, updateCount: 0,
      hasEnded: true, isLampVerified: true)
    for _ in 0..<200 { _ = epochs.begin(epoch, at: .zero) }
    #expect(epochs.entries.count == 128)
    #expect(epochs.entries.last?.number == 200)
    #expect(epoch.bytes.flatMap(BackgroundEpoch.init(bytes:)) == epoch)
    #expect(BackgroundEpoch(bytes: [1, 9]) == nil)
  }

  // MARK: Reasons

  @Test func theReasonsOfAnAppNameTheOneConditionThatIsNotMet() {
    var (desk, _) = Self.desk { $0.apps[0].hasBackgroundLocation = false }
    desk.request(.home)
    desk.desk.wait(11)
    let rows = desk.rows(.why(app: Self.name))
    #expect(rows.first?[.rowReceives] == false)
    #expect(rows.first?[.rowFlags] == "insufficientlyInUse")
    let missing = rows.dropFirst().filter { $0[.rowHolds] == false }.compactMap { $0[.rowKey] }
    #expect(missing.contains("use"))
    #expect(!missing.contains("authorization") && !missing.contains("services"))
    #expect(
      rows.first { $0[.rowKey] == "use" }?[.rowChange] == "binnacle foreground org.example.tracker")
  }
}

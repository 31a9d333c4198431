import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Live activities and background tasks: their beginning, their effect and their end.
@Suite struct LiveActivityTests {
  private static let name = "org.example.tracker"

  private static func desk() -> (desk: ConsentDesk, app: ClientID) {
    var desk = ConsentDesk { _ in }
    desk.request(.allow(app: name, nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    return (desk, app)
  }

  private static func text(_ desk: inout ConsentDesk) -> String? {
    desk.rows(.apps).first { $0[.rowID] == name }?[.rowLiveActivity]
  }

  @Test func aLiveActivityKeepsTheAppInUseAndLightsTheIndicator() {
    var (desk, app) = Self.desk()
    let activity = desk.hold(.liveActivity(text: "on the way"), by: app)
    #expect(desk.diagnostic(activity) == [])
    #expect(Self.text(&desk) == "on the way")
    #expect(!desk.isLit)
    desk.request(.home)
    #expect(desk.isLit)
    for _ in 0..<20 { desk.fix() }
    #expect(desk.seen(app) == String(repeating: "f", count: 20))
    #expect(desk.rows(.who).map { $0[.rowRight] } == ["live_activity"])
    desk.invalidate(activity, of: app)
    desk.desk.wait(11)
    #expect(!desk.isLit)
    #expect(Self.text(&desk) == nil)
    desk.fix()
    #expect(desk.seen(app).hasSuffix("i"))
  }

  @Test func theNewestTextCountsAndIsInTheStatus() {
    var (desk, app) = Self.desk()
    let first = desk.hold(.liveActivity(text: "on the way"), by: app)
    desk.hold(.liveActivity(text: "3 km to go"), by: app)
    desk.invalidate(first, of: app)
    #expect(Self.text(&desk) == "3 km to go")
    let report = desk.desk.engine.report(at: desk.desk.now)
    #expect(report[.activityApp("1")] == Self.name)
    #expect(report[.activityText("1")] == "3 km to go")
    #expect(report[.activityApp("2")] == nil)
  }

  @Test func aLiveActivityBeginsInTheForegroundOnlyAndIsNotTakenUp() {
    var desk = ConsentDesk { _ in }
    desk.request(.allow(app: Self.name, nil))
    let app = desk.run(ConsentDesk.tracker)
    let activity = desk.hold(.liveActivity(text: "on the way"), by: app)
    #expect(desk.diagnostic(activity) == .insufficientlyInUse)
    #expect(Self.text(&desk) == nil)
    desk.request(.foreground(app: Self.name))
    #expect(desk.diagnostic(activity) == [])
    desk.request(.home)
    #expect(desk.isLit)
    desk.desk.send(.client(app, .disconnected))
    #expect(!desk.isLit)
    let next = desk.run(ConsentDesk.tracker)
    let again = desk.hold(.liveActivity(text: "on the way"), by: next)
    #expect(desk.diagnostic(again) == .insufficientlyInUse)
  }

  @Test func aBackgroundTaskIsHeldAndGivesNoRight() {
    var (desk, app) = Self.desk()
    let task = desk.hold(.backgroundTask, by: app)
    #expect(desk.diagnostic(task) == [])
    desk.request(.home)
    desk.desk.wait(11)
    #expect(desk.desk.engine.apps.sessions.isHeld(.backgroundTask, by: ConsentDesk.tracker))
    #expect(!desk.isLit)
    desk.fix()
    #expect(desk.seen(app).hasSuffix("i"))
    desk.invalidate(task, of: app)
    #expect(!desk.desk.engine.apps.sessions.isHeld(.backgroundTask, by: ConsentDesk.tracker))
  }
}

import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The turns of prompts: a prompt that was shown for `PromptTimeout` leaves its place to another one.
@Suite struct PromptTurnTests {
  private static let tracker = "org.example.tracker"
  private static let script = "\(ConsentDesk.script)"

  /// The app whose prompt is shown; "-": no prompt is shown.
  private static func shown(_ desk: inout ConsentDesk) -> String {
    desk.rows(.prompts).first { $0[.rowIsShown] == true }?[.rowID] ?? "-"
  }

  /// The number of flashes of the indicator.
  private static func flashCount(_ desk: ConsentDesk) -> Int {
    desk.desk.lampLevels.count { $0.isLit }
  }

  @Test func aPromptThatHasLapsedLeavesItsPlaceToALaterOne() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.desk.wait(70)
    #expect(Self.shown(&desk) == Self.script)
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(Self.shown(&desk) == Self.tracker)
    #expect(desk.rows(.prompts).count == 2)
  }

  @Test func aPromptThatBlinksKeepsItsPlaceUntilItsTimeIsOver() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.desk.wait(10)
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.wait(45)
    #expect(Self.shown(&desk) == Self.script)
    desk.desk.wait(10)
    #expect(Self.shown(&desk) == Self.tracker)
    // Both have lapsed now, and the last one stays.
    desk.desk.wait(300)
    #expect(Self.shown(&desk) == Self.tracker)
    let flashCount = Self.flashCount(desk)
    #expect((118...122).contains(flashCount))
    desk.request(.allow(app: Self.tracker, nil))
    #expect(Self.shown(&desk) == Self.script)
    desk.desk.wait(5)
    #expect(Self.flashCount(desk) > flashCount)
  }

  @Test func aPromptThatHasLapsedBlinksAgainWhenItsAppComesToTheForegroundAgain() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.wait(70)
    _ = desk.run(ConsentDesk.script, hasTerminal: true)
    #expect(Self.shown(&desk) == Self.script)
    desk.request(.home)
    desk.request(.home)
    #expect(Self.shown(&desk) == Self.tracker)
  }

  @Test func noAppAsksWhileServicesAreOff() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    let session = desk.hold(.service(.whenInUse), by: app)
    #expect(Self.shown(&desk) == Self.tracker)
    desk.desk.send(.client(ClientID(number: 900), .requested(50, .setServices(isOn: false))))
    #expect(desk.rows(.prompts) == [])
    #expect(desk.diagnostic(session) == [.authorizationDenied, .authorizationDeniedGlobally])
    let flashCount = Self.flashCount(desk)
    desk.desk.wait(20)
    #expect(Self.flashCount(desk) == flashCount)
    desk.desk.send(.client(ClientID(number: 900), .requested(51, .setServices(isOn: true))))
    #expect(Self.shown(&desk) == Self.tracker)
    desk.desk.wait(5)
    #expect(Self.flashCount(desk) > flashCount)
  }
}

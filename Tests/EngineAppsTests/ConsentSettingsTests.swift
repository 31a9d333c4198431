import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// `[Location]` of the profile that was read again while the daemon runs.
@Suite struct ConsentSettingsTests {
  private static let name = "org.example.tracker"

  private static func settings(_ adjust: (inout ConsentSettings) -> Void) -> Event {
    var settings = ConsentSettings()
    adjust(&settings)
    return .consentSettingsRead(settings)
  }

  @Test func anAppThatIsRestrictedLosesItsLocationsAtOnceAndGetsThemBack() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.fix()
    desk.desk.send(Self.settings { $0.restricted = .apps([Self.name]) })
    #expect(desk.seen(app) == "fr")
    #expect(desk.authorization(ConsentDesk.tracker) == "restricted")
    desk.fix()
    desk.desk.send(Self.settings { $0.restricted = .none })
    desk.fix()
    #expect(desk.seen(app) == "frf")
  }

  @Test func aRestrictionWithdrawsThePromptOfTheApp() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(desk.rows(.prompts).count == 1)
    desk.desk.send(Self.settings { $0.restricted = .all })
    #expect(desk.rows(.prompts) == [])
  }

  @Test func aShorterGraceEndsTheUseOfAnAppThatHasLeftTheForeground() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.request(.home)
    desk.desk.wait(5)
    desk.fix()
    desk.desk.send(Self.settings { $0.backgroundGrace = .seconds(2) })
    #expect(desk.seen(app).hasSuffix("fi"))
  }

  @Test func aLongerGraceCountsFromTheMomentAtWhichTheAppLeftTheForeground() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.request(.home)
    desk.desk.wait(5)
    desk.desk.send(Self.settings { $0.backgroundGrace = .seconds(20) })
    desk.desk.wait(10)
    #expect(!desk.seen(app).contains("i"))
    desk.desk.wait(6)
    #expect(desk.seen(app).last == "i")
  }

  @Test func aShorterPromptTimeoutEndsTheFlashesOfAnOpenRequest() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.wait(10)
    #expect(desk.desk.engine.apps.prompts.isBlinking(at: desk.desk.now))
    desk.desk.send(Self.settings { $0.promptTimeout = .seconds(5) })
    #expect(!desk.desk.engine.apps.prompts.isBlinking(at: desk.desk.now))
    #expect(desk.rows(.prompts).count == 1)
  }
}

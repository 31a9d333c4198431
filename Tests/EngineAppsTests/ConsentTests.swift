import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Requests of apps, answers of persons, and the foreground.
@Suite struct ConsentTests {
  private static let tracker = ConsentDesk.tracker
  private static let map = ConsentDesk.map
  private static let script = ConsentDesk.script

  // MARK: Rows of Docs/SOURCES.md, L1

  @Test func row1AnAppInTheForegroundAsksAndGetsLocationsAfterItIsAllowed() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.fix()
    #expect(desk.seen(app) == "p")
    desk.request(.allow(app: "org.example.tracker", nil))
    #expect(desk.lastFailure == nil)
    desk.fix()
    desk.fix()
    #expect(desk.seen(app) == "pff")
  }

  @Test func row2AnAppThatIsDeniedGetsTheReasonOnceAndThenSilence() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.request(.deny(app: "org.example.tracker"))
    for _ in 0..<9 { desk.fix() }
    #expect(desk.seen(app) == "pd")
  }

  @Test func row3ServicesThatAreTurnedOffStopLocationsUntilTheyAreTurnedOn() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.fix()
    desk.desk.send(.client(ClientID(number: 900), .requested(50, .setServices(isOn: false))))
    desk.fix()
    desk.desk.send(.client(ClientID(number: 900), .requested(51, .setServices(isOn: true))))
    desk.fix()
    #expect(desk.seen(app) == "fgf")
  }

  @Test(arguments: [ConsentSettings.Restriction.all, .apps(["org.example.tracker"])])
  func row4ARestrictedAppGetsNoLocationsEvenIfAPersonAllowsThem(
    _ restriction: ConsentSettings.Restriction
  ) {
    var desk = ConsentDesk { $0.consent.restricted = restriction }
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.request(.allow(app: "org.example.tracker", .always))
    desk.fix()
    #expect(desk.seen(app) == "r")
    #expect(desk.rows(.prompts) == [])
  }

  @Test func row9AnAppThatLeavesTheForegroundGetsTheReasonAfterTheGraceAndContinuesInFront() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.fix()
    desk.request(.home)
    for _ in 0..<9 { desk.fix() }
    #expect(desk.seen(app) == "ffffffffff")
    for _ in 0..<9 { desk.fix() }
    #expect(desk.seen(app) == "fffffffffffi")
    desk.request(.home)
    desk.fix()
    #expect(desk.seen(app) == "fffffffffffif")
  }

  @Test func row11AnAppThatStartsInTheBackgroundGetsTheReason() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .whenInUse))
    let app = desk.run(ConsentTests.tracker)
    desk.fix()
    #expect(desk.seen(app) == "i")
  }

  @Test func row16AnAppThatIsAlwaysAllowedGetsNothingInTheBackgroundWithoutASession() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .always))
    let app = desk.run(ConsentTests.tracker)
    desk.fix()
    #expect(desk.seen(app) == "i")
  }

  // MARK: Prompts

  @Test func anAppInTheBackgroundRaisesNoPromptUntilItIsInFront() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentTests.tracker)
    #expect(desk.rows(.prompts) == [])
    desk.request(.foreground(app: "org.example.tracker"))
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [true])
    #expect(desk.seen(app) == "ip")
  }

  @Test func anAppWithoutAUsageTextIsDeniedAndRaisesNoPrompt() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentDesk.mute, hasTerminal: true)
    #expect(desk.seen(app) == "d")
    #expect(desk.rows(.prompts) == [])
  }

  @Test func aPromptShowsTheUsageTextAndAnUnlistedAppGivesNoReason() throws {
    var desk = ConsentDesk()
    _ = desk.run(ConsentTests.tracker, hasTerminal: true)
    _ = desk.run(ConsentTests.script, hasTerminal: true)
    let texts = desk.rows(.prompts).compactMap { $0[.rowText] }
    try #require(texts.count == 2)
    #expect(
      texts == [
        "org.example.tracker would like to use your location while it is in use. "
          + "\"Records the route of this vehicle.\"",
        "1001:/home/ann/script would like to use your location while it is in use. It gives no reason.",
      ])
  }

  @Test func onePromptIsShownAtATimeInTheOrderOfTheRequests() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentTests.script, hasTerminal: true)
    _ = desk.run(ConsentTests.tracker, hasTerminal: true)
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [true, false])
    desk.request(.deny(app: "1001:"))
    #expect(desk.rows(.prompts).map { $0[.rowID] } == ["org.example.tracker"])
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [true])
  }

  @Test func aRequestWaitsWhileItsAppIsInTheBackgroundAndIsShownAgain() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.request(.home)
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [false])
    desk.request(.home)
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [true])
    #expect(desk.seen(app) == "p")
  }

  @Test func aPromptIsWithdrawnWhenItsAppEndsItsUpdatesOrItself() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.desk.close(app)
    #expect(desk.rows(.prompts) == [])
    desk.desk.open(app, 2)
    #expect(desk.rows(.prompts).count == 1)
    desk.desk.end(app)
    #expect(desk.rows(.prompts) == [])
  }

  @Test func theAnswerIsNotAskedForTwice() {
    var desk = ConsentDesk()
    for (app, name) in [
      (ConsentTests.tracker, "org.example.tracker"), (ConsentTests.map, "org.example.map"),
    ] {
      let first = desk.run(app, hasTerminal: true)
      desk.request(name.hasSuffix("map") ? .allow(app: name, nil) : .deny(app: name))
      desk.desk.end(first)
      desk.desk.wait(20)
      _ = desk.run(app, hasTerminal: true)
      #expect(desk.rows(.prompts) == [])
      desk.request(.home)
    }
  }

  @Test func theSeventeenthRequestWaitsForAPlace() {
    var (desk, _) = ConsentDesk.withFullQueue()
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(desk.rows(.prompts).count == 16)
    desk.request(.deny(app: "1001:/bin/0"))
    #expect(desk.rows(.prompts).count == 16)
    #expect(desk.rows(.prompts).map { $0[.rowID] }.last == "org.example.tracker")
  }

  // MARK: Answers

  @Test func aGrantCountsAfterItsCommit() {
    var desk = ConsentDesk()
    desk.desk.holdsCommits = true
    desk.request(.allow(app: "org.example.tracker", nil))
    #expect(desk.authorization(ConsentTests.tracker) == "not_determined")
    #expect(desk.lastFailure != nil)
    desk.desk.release()
    #expect(desk.authorization(ConsentTests.tracker) == "when_in_use")
  }

  @Test func aGrantThatTheDiskRefusesIsNotGivenAndADenialCountsAllTheSame() {
    var desk = ConsentDesk()
    desk.desk.failDisk(call: 0)
    desk.request(.allow(app: "org.example.tracker", nil))
    #expect(desk.lastFailure?.contains("not done") == true)
    #expect(desk.authorization(ConsentTests.tracker) == "not_determined")
    desk.desk.failDisk(call: 0)
    desk.request(.deny(app: "org.example.tracker"))
    #expect(desk.lastFailure?.contains("not kept") == true)
    #expect(desk.authorization(ConsentTests.tracker) == "denied")
  }

  @Test func theLastOfSeveralAnswersCountsEvenIfAnEarlierOneIsStillOnItsWay() {
    var desk = ConsentDesk()
    desk.request(.deny(app: "org.example.tracker"))
    desk.desk.holdsCommits = true
    desk.request(.allow(app: "org.example.tracker", nil))
    desk.request(.deny(app: "org.example.tracker"))
    for _ in 0..<3 { desk.desk.release() }
    #expect(desk.authorization(ConsentTests.tracker) == "denied")
    desk.desk.holdsCommits = false
    desk.cutPower()
    #expect(desk.authorization(ConsentTests.tracker) == "denied")
  }

  @Test func answersOutlastAPowerCut() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .always))
    desk.request(.deny(app: "org.example.map"))
    let before = desk.rows(.grants)
    desk.cutPower()
    #expect(desk.rows(.grants) == before)
    #expect(before.map { $0[.rowAuthorization] } == ["always", "denied"])
    #expect(before.map { $0[.rowBy] } == ["command", "command"])
    #expect(before.first?[.rowSince] == "2026-09-21T14:13:20Z")
  }

  @Test func anEqualAnswerIsNotWrittenAgain() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let commits = desk.desk.effects.count { if case .storage(.commit) = $0 { true } else { false } }
    desk.request(.allow(app: "org.example.tracker", nil))
    #expect(desk.lastFailure == nil)
    #expect(
      desk.desk.effects.count { if case .storage(.commit) = $0 { true } else { false } }
        == commits)
  }

  @Test func aResetTakesTheRightAwayAndTheAppAsksAgain() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.fix()
    desk.request(.reset(app: "org.example.tracker"))
    desk.fix()
    #expect(desk.seen(app) == "fp")
    #expect(desk.rows(.prompts).count == 1)
    #expect(desk.rows(.grants) == [])
  }

  /// Another file, and the same file with other bytes.
  private static let otherFiles = [
    ProgramFile(device: 1, number: 71, changeTimeNanoseconds: 1),
    ProgramFile(device: 1, number: 70, changeTimeNanoseconds: 2),
  ]

  @Test(arguments: otherFiles)
  func aGrantOfAnUnlistedAppLapsesWhenItsProgramFileChangesAndADenialStays(_ other: ProgramFile) {
    var desk = ConsentDesk()
    let first = desk.run(ConsentTests.script, hasTerminal: true)
    desk.request(.allow(app: "1001:", nil))
    desk.fix()
    #expect(desk.rows(.grants).count == 1)
    desk.desk.end(first)
    let second = desk.run(ConsentTests.script, hasTerminal: true, file: other)
    desk.fix()
    #expect(desk.seen(first) == "pf")
    #expect(desk.seen(second) == "p")
    #expect(desk.rows(.grants) == [])
    desk.request(.deny(app: "1001:"))
    desk.desk.end(second)
    let third = desk.run(ConsentTests.script, hasTerminal: true)
    #expect(desk.seen(third) == "d")
  }

  /// A program was upgraded while its old process runs on.
  @Test func theOldProcessOfAnUpgradedProgramIsDeniedWithoutAQuestion() throws {
    var desk = ConsentDesk()
    let old = desk.run(ConsentTests.script, hasTerminal: true)
    desk.request(.allow(app: "1001:", nil))
    desk.fix()
    let new = desk.run(ConsentTests.script, hasTerminal: true, file: Self.otherFiles[0])
    #expect(desk.rows(.prompts).count == 1)
    desk.request(.allow(app: "1001:", nil))
    desk.fix()
    #expect(desk.seen(old) == "pfd")
    #expect(desk.seen(new) == "pf")
    #expect(desk.rows(.prompts) == [])
    // A program that has ended may ask after its next start.
    desk.desk.end(old)
    let again = desk.run(ConsentTests.script, hasTerminal: true)
    #expect(desk.seen(again) == "p")
    #expect(desk.rows(.prompts).count == 1)
  }

  @Test func anUnlistedAppCanNotAlwaysBeAllowedAndNeedsAProcess() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentTests.script, hasTerminal: true)
    #expect(desk.request(.allow(app: "1001:", .always))?.kind == .notPossible)
    desk.request(.allow(app: "1001:", nil))
    desk.desk.end(app)
    #expect(desk.request(.allow(app: "1001:", nil))?.kind == .notPossible)
  }

  @Test func aProgramThatCanNotBeIdentifiedIsAskedForByItsUserAndGetsNoGrantOfAManifest() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .always))
    let app = desk.run(.unresolved(userID: 1_001), hasTerminal: true, file: nil)
    #expect(desk.seen(app) == "p")
    desk.request(.allow(app: "1001:", nil))
    desk.fix()
    #expect(desk.seen(app) == "pf")
  }

  @Test func namesMayBeShortenedToTheirUniqueBeginning() {
    var desk = ConsentDesk()
    let refusal = desk.request(.allow(app: "org.example.m", nil))
    #expect(refusal?.kind == .appUnknown)
    #expect(refusal?.text.contains("org.example.map, org.example.mute") == true)
    #expect(desk.request(.allow(app: "org.nothing", nil))?.kind == .appUnknown)
    #expect(desk.request(.allow(app: "org.example.t", nil)) == nil)
    #expect(desk.authorization(ConsentTests.tracker) == "when_in_use")
  }

  @Test func updatesOfAnAppThatIsAllowedLaterAreKeptForItsReturn() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentTests.tracker, hasTerminal: true)
    #expect(desk.desk.kept(ConsentTests.tracker) == nil)
    desk.request(.allow(app: "org.example.tracker", nil))
    #expect(desk.desk.kept(ConsentTests.tracker) == LiveUpdatesRecord([.default: 1]))
    desk.request(.deny(app: "org.example.tracker"))
    desk.desk.wait(31)
    #expect(desk.desk.kept(ConsentTests.tracker) == nil)
  }

  @Test func theNameOfAnAppIsOneWordOfTheCommandInTheLog() {
    var desk = ConsentDesk()
    _ = desk.run(.unresolved(userID: 1_001), hasTerminal: true, file: nil)
    #expect(desk.desk.lines.contains { $0.contains("binnacle allow '1001:unknown executable',") })
    #expect(AppID.shellWord("org.example.tracker") == "org.example.tracker")
    #expect(AppID.shellWord("7:/bin/a'; reboot") == "'7:/bin/a'\\''; reboot'")
    #expect(AppID.shellWord("7:/bin/a'\u{5A6}; reboot") == "'7:/bin/a'\\''\u{5A6}; reboot'")
  }

  // MARK: The foreground

  @Test func oneAppOfTheManifestsIsInTheForegroundAtATime() {
    var desk = ConsentDesk()
    _ = desk.start(ConsentTests.tracker, hasTerminal: true)
    _ = desk.start(ConsentTests.map, hasTerminal: true)
    #expect(desk.state(ConsentTests.tracker) == "foreground")
    #expect(desk.state(ConsentTests.map) == "background")
    desk.request(.foreground(app: "org.example.map"))
    #expect(desk.state(ConsentTests.tracker) == "background")
    #expect(desk.state(ConsentTests.map) == "foreground")
    desk.request(.background(app: "org.example.map"))
    #expect(desk.state(ConsentTests.map) == "background")
    desk.request(.home)
    #expect(desk.state(ConsentTests.map) == "foreground")
  }

  @Test func anAppKeepsTheForegroundForAMomentAfterItsConnectionIsLost() {
    var desk = ConsentDesk()
    let app = desk.start(ConsentTests.tracker, hasTerminal: true)
    desk.desk.end(app)
    #expect(desk.state(ConsentTests.tracker) == "not_running")
    desk.desk.wait(9)
    _ = desk.start(ConsentTests.tracker)
    #expect(desk.state(ConsentTests.tracker) == "foreground")
    desk.desk.wait(60)
    #expect(desk.state(ConsentTests.tracker) == "foreground")
  }

  @Test func anAppThatIsNotRunningOrHasNoManifestCanNotBeBroughtToTheForeground() {
    var desk = ConsentDesk()
    #expect(desk.request(.foreground(app: "org.example.map"))?.kind == .notPossible)
    #expect(desk.request(.home)?.kind == .notPossible)
    _ = desk.start(ConsentTests.script)
    #expect(desk.request(.foreground(app: "1001:"))?.kind == .notPossible)
  }

  @Test func anAppWhoseManifestIsRemovedLeavesTheForeground() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentTests.tracker, hasTerminal: true)
    desk.fix()
    desk.desk.send(.appsRead([]))
    desk.fix()
    #expect(desk.seen(app) == "fi")
  }
}

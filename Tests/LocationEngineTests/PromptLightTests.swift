import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The lamp and the button ALLOW while the request of an app is open.
@Suite struct PromptLightTests {
  private static let app = AppID.unlisted(userID: 7, executable: "/bin/a")
  private static let allow = LineID.button(1)

  /// A board where an app asks.
  private static func asking(_ adjust: (inout PanelSettings) -> Void = { _ in }) -> PanelDesk {
    var desk = PanelDesk(adjust)
    desk.start()
    ask(&desk)
    return desk
  }

  private static func ask(_ desk: inout PanelDesk) {
    let file = ProgramFile(device: 1, number: 70, changeTimeNanoseconds: 1)
    let peer = Peer(userID: 7, processID: 7, app: app, hasTerminal: true, file: file)
    desk.send(.client(ClientID(number: 1), .connected(peer, program: "a")))
    desk.send(.client(ClientID(number: 1), .updatesOpened(SequenceID(number: 1), .default)))
  }

  @Test func theIndicatorFlashesATenthOfEachSecondForAMinute() {
    var desk = PromptLightTests.asking()
    for _ in 0..<60 {
      #expect(desk.levels[.indicator] == true)
      desk.run(milliseconds: 99)
      #expect(desk.levels[.indicator] == true)
      desk.run(milliseconds: 1)
      #expect(desk.levels[.indicator] == false)
      desk.run(milliseconds: 899)
      #expect(desk.levels[.indicator] == false)
      desk.run(milliseconds: 1)
    }
    #expect(desk.levels[.indicator] == false)
    // No flash of no length begins at the end.
    #expect(desk.effects.filter { $0 == .line(.indicator, .set(isActive: true)) }.count == 60)
    let wakeCount = desk.wakeCount
    desk.run(milliseconds: 60_000)
    #expect(desk.levels[.indicator] == false && desk.wakeCount < wakeCount + 10)
    #expect(desk.engine.apps.prompts.shown?.app == PromptLightTests.app)
  }

  @Test(arguments: [50, 300, 2_000])
  func theFlashesAreNoFaultOfTheIndicatorsSense(settlingMilliseconds: Int64) {
    var desk = PromptLightTests.asking {
      $0.hasIndicatorSense = true
      $0.senseSettling = .milliseconds(settlingMilliseconds)
    }
    for _ in 0..<60 {
      desk.edge(.indicatorSense, true)
      desk.run(milliseconds: 100)
      desk.edge(.indicatorSense, false)
      desk.run(milliseconds: 900)
    }
    desk.run(milliseconds: 20_000)
    #expect(!desk.lines.contains { $0.hasPrefix("indicator's sense") })
    #expect(desk.engine.panel.sense?.isLit == false)
  }

  @Test func aReadingThatCameBeforeAFlashIsNotComparedWithTheFlash() {
    var desk = PromptLightTests.asking { $0.hasIndicatorSense = true }
    desk.levels[.indicatorSense] = true
    // The loop is late: the sense is read and the flash ends in one turn.
    desk.now += .milliseconds(150)
    desk.send(.deadlineReached)
    #expect(desk.effects.contains(.line(.indicatorSense, .read)))
    #expect(desk.levels[.indicator] == false)
    desk.edge(.indicatorSense, false)
    desk.run(milliseconds: 500)
    #expect(!desk.lines.contains { $0.hasPrefix("indicator's sense") })
    #expect(desk.engine.panel.sense?.isLit == false)
  }

  @Test func aShortPressOfAllowGrantsAndEndsTheFlashes() {
    var desk = PromptLightTests.asking()
    desk.press(PromptLightTests.allow, milliseconds: 100)
    desk.run(milliseconds: 500)
    let grant = desk.engine.apps.grants[PromptLightTests.app]
    #expect(grant?.authorization == .whenInUse && grant?.source == .button)
    #expect(desk.engine.apps.prompts.prompts == [])
    desk.run(milliseconds: 1_000)
    #expect(desk.levels[.indicator] == false)
    // A further press answers nothing.
    desk.press(PromptLightTests.allow, milliseconds: 2_500)
    #expect(desk.engine.apps.grants[PromptLightTests.app]?.authorization == .whenInUse)
  }

  @Test func aLongPressOfAllowDenies() {
    var desk = PromptLightTests.asking()
    desk.press(PromptLightTests.allow, milliseconds: 2_500)
    #expect(desk.engine.apps.grants[PromptLightTests.app]?.authorization == .denied)
  }

  @Test(arguments: [300, 2_500])
  func aPressThatBeganBeforeTheRequestWasShownDoesNotAnswerIt(milliseconds: Int64) {
    var desk = PanelDesk { _ in }
    desk.start()
    desk.edge(PromptLightTests.allow, true)
    desk.run(milliseconds: 100)
    PromptLightTests.ask(&desk)
    desk.run(milliseconds: milliseconds - 100)
    desk.edge(PromptLightTests.allow, false)
    desk.run(milliseconds: 500)
    #expect(desk.engine.apps.grants[PromptLightTests.app] == nil)
    #expect(desk.lines.contains { $0.contains("the press began before the request of") })
    desk.press(PromptLightTests.allow, milliseconds: 100)
    desk.run(milliseconds: 500)
    #expect(desk.engine.apps.grants[PromptLightTests.app]?.authorization == .whenInUse)
  }

  @Test func inALateLoopAPressDoesNotAnswerForThePressBefore() {
    var desk = PanelDesk { $0.buttons[1].actions.double = .deny }
    desk.start()
    desk.press(PromptLightTests.allow, milliseconds: 100)
    desk.run(milliseconds: 50)
    PromptLightTests.ask(&desk)
    // The time for a second press ends meanwhile, and the loop handles the edge first.
    desk.now += .milliseconds(900)
    desk.edge(PromptLightTests.allow, true)
    desk.run(milliseconds: 100)
    #expect(desk.engine.apps.grants[PromptLightTests.app] == nil)
    #expect(desk.lines.contains { $0.contains("the press began before the request of") })
    desk.edge(PromptLightTests.allow, false)
    desk.run(milliseconds: 1_000)
    #expect(desk.engine.apps.grants[PromptLightTests.app]?.authorization == .whenInUse)
  }

  @Test func aBoardWithoutAnIndicatorFlashesItsStatusLight() {
    var desk = PromptLightTests.asking { $0.hasIndicator = false }
    #expect(desk.levels[.statusLight] == true)
    desk.run(milliseconds: 100)
    #expect(desk.levels[.statusLight] == false)
    desk.run(milliseconds: 900)
    #expect(desk.levels[.statusLight] == true)
  }

  @Test func aBoardWithoutLampsDoesNotWakeForFlashes() {
    var desk = PromptLightTests.asking {
      $0.hasIndicator = false
      $0.hasStatusLight = false
    }
    desk.run(milliseconds: 30_000)
    #expect(desk.engine.panel.promptBlink.nextDeadline == nil)
    #expect(desk.engine.apps.prompts.shown != nil)
  }
}

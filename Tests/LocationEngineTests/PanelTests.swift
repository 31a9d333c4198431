import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Buttons and lights of the whole engine.
struct PanelTests {
  private var desk = PanelDesk()

  init() {
    desk.start()
  }

  @Test func pressesAreCountedAndLogged() {
    var desk = PanelDesk { $0.buttons[0].actions = ButtonActions(double: .services) }
    desk.start()
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 100)
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    desk.press(milliseconds: 2_500)
    desk.run(milliseconds: 1_000)
    desk.press(milliseconds: 1_200)
    desk.run(milliseconds: 1_000)
    let report = desk.report()
    #expect(report["buttons.HOME.short"] == .integer(1))
    #expect(report["buttons.HOME.double"] == .integer(1))
    #expect(report["buttons.HOME.long"] == .integer(1))
    #expect(report["buttons.HOME.ignored"] == .integer(1))
    #expect(report["buttons.HOME.last_gesture"] == .text("long"))
    #expect(report["buttons.ALLOW.short"] == .integer(0))
    #expect(
      desk.lines.filter { $0.hasPrefix("button HOME") } == [
        "button HOME: short press", "button HOME: double press", "button HOME: long press",
        "button HOME: held for 1200 ms, neither short nor long: ignored",
      ])
  }

  @Test func aLostReleaseMakesNoLongPress() {
    var desk = desk
    desk.edge(PanelDesk.home, true)
    desk.run(milliseconds: 50)
    // The release is lost; only the level shows it when the time is up.
    desk.levels[PanelDesk.home] = false
    desk.run(milliseconds: 5_000)
    let report = desk.report()
    #expect(report["buttons.HOME.long"] == .integer(0))
    #expect(report["buttons.HOME.is_pressed"] == .flag(false))
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    #expect(desk.report()["buttons.HOME.short"] == .integer(1))
  }

  @Test func aButtonHeldAtTheStartCountsOnlyAfterItsRelease() {
    var desk = PanelDesk()
    desk.levels[PanelDesk.home] = true
    desk.start()
    desk.run(milliseconds: 10_000)
    desk.edge(PanelDesk.home, false)
    desk.run(milliseconds: 1_000)
    #expect(desk.report()["buttons.HOME.long"] == .integer(0))
    #expect(desk.report()["buttons.HOME.short"] == .integer(0))
    #expect(
      desk.lines.contains("button HOME: already pressed; presses count only after it is released"))
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    #expect(desk.report()["buttons.HOME.short"] == .integer(1))
  }

  @Test func aLineThatIsTakenIsTriedLessAndLessOftenAndReportedOnce() {
    var desk = PanelDesk()
    desk.busy = [PanelDesk.home]
    desk.start()
    desk.run(milliseconds: 300_000)
    let tries = desk.effects.filter { $0 == .line(PanelDesk.home, .open) }.count
    // 0, 1, 3, 7, 15, 31 s, then every 30 s.
    #expect(tries == 6 + 8)
    let told = desk.lines.filter { $0.hasPrefix("button HOME") }
    #expect(told == ["button HOME: not watched (held by 'led0'); the daemon tries again"])
    #expect(desk.report()["buttons.HOME.fault"] == .text("held by 'led0'"))
    desk.busy = []
    desk.run(milliseconds: 30_000)
    #expect(desk.lines.last == "button HOME: the line can be used now")
    #expect(desk.report()["buttons.HOME.fault"] == nil)
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    #expect(desk.report()["buttons.HOME.short"] == .integer(1))
  }

  @Test func aChipThatGoesInTheMiddleOfAPressLeavesNoPress() {
    var desk = desk
    desk.edge(PanelDesk.home, true)
    desk.run(milliseconds: 500)
    desk.send(.line(PanelDesk.home, .lost(LineFault(.gone, "the chip has gone"))))
    desk.run(milliseconds: 10_000)
    #expect(desk.report()["buttons.HOME.losses"] == .integer(1))
    #expect(desk.report()["buttons.HOME.long"] == .integer(0))
    desk.edge(PanelDesk.home, false)
    desk.run(milliseconds: 100)
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    #expect(desk.report()["buttons.HOME.short"] == .integer(1))
  }

  @Test func anIndicatorThatIsLitUnaskedIsAFault() {
    var desk = PanelDesk()
    desk.levels[.indicator] = true
    desk.stuck = [.indicator]
    desk.start()
    let complaint =
      "indicator: set to off, but reads back on: the wiring or another circuit holds the line"
    #expect(desk.lines.filter { $0 == complaint }.count == 1)
    #expect(desk.report()["status_light.pattern"] == .text("fast blink: fault"))
    desk.run(milliseconds: 60_000)
    #expect(desk.lines.filter { $0 == complaint }.count == 1)
    #expect(desk.report()["indicator.is_faulty"] == .flag(true))
    #expect(desk.report()["indicator.read_back"] == .text("on"))
    desk.stuck = []
    desk.run(milliseconds: 60_000)
    #expect(desk.report()["indicator.is_faulty"] == .flag(false))
    #expect(desk.report()["status_light.pattern"] == .text("off: no receiver"))
    #expect(desk.lines.last == "indicator: the line reads back correctly again")
  }

  @Test func aLampThatIsLitWhileItsLineIsOffIsSeenByItsSense() {
    var desk = PanelDesk { $0.hasIndicatorSense = true }
    desk.start()
    desk.run(milliseconds: 1_000)
    #expect(desk.report()["indicator.sense"] == .text("off"))
    desk.edge(.indicatorSense, true)
    #expect(desk.report()["indicator.sense_is_faulty"] == .flag(false))
    desk.run(milliseconds: 100)
    #expect(desk.report()["indicator.sense_is_faulty"] == .flag(true))
    #expect(desk.report()["status_light.pattern"] == .text("fast blink: fault"))
    desk.edge(.indicatorSense, false)
    desk.run(milliseconds: 100)
    #expect(desk.report()["indicator.sense_is_faulty"] == .flag(false))
    #expect(desk.report()["indicator.sense_mismatches"] == .integer(1))
  }

  @Test func aSenseThatDoesNotSettleIsAFaultUntilItIsQuiet() {
    var desk = PanelDesk { $0.hasIndicatorSense = true }
    desk.start()
    desk.run(milliseconds: 1_000)
    for turn in 0..<500 {
      desk.edge(.indicatorSense, turn % 2 == 0)
      desk.run(milliseconds: 10)
    }
    let complaint = "indicator's sense: the line does not settle: look at its wires"
    #expect(desk.lines.filter { $0 == complaint }.count == 1)
    #expect(desk.report()["indicator.sense"] == nil)
    #expect(desk.report()["indicator.sense_is_faulty"] == .flag(true))
    let fault = desk.report()["indicator.sense_fault"]
    #expect(fault == .text("the sense does not settle: look at its wires"))
    #expect(desk.report()["status_light.pattern"] == .text("fast blink: fault"))
    // A pause that is longer than the settling time does not end the fault.
    desk.run(milliseconds: 500)
    desk.edge(.indicatorSense, false)
    desk.run(milliseconds: 900)
    #expect(desk.report()["indicator.sense_is_faulty"] == .flag(true))
    desk.run(milliseconds: 200)
    #expect(desk.lines.last == "indicator's sense: the line has settled")
    #expect(desk.report()["indicator.sense"] == .text("off"))
    #expect(desk.report()["indicator.sense_is_faulty"] == .flag(false))
    #expect(desk.report()["indicator.sense_mismatches"] == .integer(0))
    #expect(desk.engine.panel.nextDeadline == nil)
  }

  @Test func aLateLoopDoesNotTakeAnEdgeForASenseThatDoesNotSettle() {
    var desk = PanelDesk { $0.hasIndicatorSense = true }
    desk.start()
    desk.run(milliseconds: 1_000)
    desk.edge(.indicatorSense, true)
    desk.now += .seconds(3)
    desk.edge(.indicatorSense, true)
    desk.send(.deadlineReached)
    #expect(!desk.lines.contains { $0.contains("does not settle") })
    #expect(
      desk.lines.contains { $0.hasPrefix("indicator's sense: the lamp is lit, but must be dark") })
  }

  @Test func aBoardWithItsLampsOffSleeps() {
    var desk = PanelDesk { $0.hasIndicatorSense = true }
    desk.start()
    desk.run(milliseconds: 1_000)
    let panel = desk.engine.panel
    #expect(panel.nextDeadline == nil)
    desk.press(milliseconds: 100)
    desk.run(milliseconds: 1_000)
    #expect(desk.engine.panel.nextDeadline == nil)
  }
}

/// The pattern of the status light for a receiver.
struct StatusLightTests {
  @Test func aDoubleBlinkIsTwoFlashesInThreeAndAHalfSeconds() {
    var light = StatusLight(BlinkTiming())
    light.show(.doubleBlink, at: .zero)
    var changes: [Int64] = []
    var now = Instant.zero
    var wasLit = false
    while now < .zero + .seconds(7) {
      if light.isLit != wasLit { changes.append(now.nanoseconds / 1_000_000) }
      wasLit = light.isLit
      guard let due = light.nextDeadline else { break }
      now = due
      light.deadlineReached(at: now)
    }
    #expect(changes == [0, 125, 250, 375, 3_375, 3_500, 3_625, 3_750, 6_750, 6_875])
  }

  /// The light blinks while the receiver stays on, and causes no wake-up while the receiver sleeps.
  @Test func aPauseIsADoubleBlinkUntilTheReceiverSleepsThenDark() {
    var board = PowerDesk { $0.panel.hasStatusLight = true }
    board.desk.open()
    board.run(seconds: 50)
    #expect(board.word("status_light.pattern") == "solid: fix")
    board.run(seconds: 50)
    #expect(board.word("power.state") == "resting")
    #expect(board.word("status_light.pattern") == "double blink: updates pause")
    #expect(board.desk.engine.panel.statusLight.nextDeadline != nil)
    board.fallAsleep()
    #expect(board.word("status_light.pattern") == "off: the receiver sleeps")
    #expect(board.desk.engine.panel.statusLight.nextDeadline == nil)
    #expect(!board.desk.engine.panel.statusLight.isLit)
    board.depart()
    board.run(seconds: 8, shake: 60)
    #expect(board.word("status_light.pattern") == "solid: fix")
  }

  @Test func onlyALightThatBlinksCostsWakeUps() {
    var light = StatusLight(BlinkTiming())
    for pattern in [StatusLight.Pattern.solid, .off, .asleep] {
      light.show(pattern, at: .zero)
      #expect(light.nextDeadline == nil)
      #expect(light.isLit == (pattern == .solid))
    }
    light.show(.slowBlink, at: .zero)
    var drawn = ""
    for tenth in 0..<50 {
      light.deadlineReached(at: .zero + .milliseconds(Int64(tenth) * 100))
      drawn += light.isLit ? "#" : "."
    }
    #expect(drawn == "##########..........##########..........##########")
  }

  @Test func aLoopThatComesLateDoesNotMakeUpForIt() {
    var light = StatusLight(BlinkTiming())
    light.show(.fastBlink, at: .zero)
    light.deadlineReached(at: .zero + .seconds(60))
    #expect(light.nextDeadline.map { $0 > .zero + .seconds(60) } == true)
  }

  @Test func theLightFollowsTheReceiver() {
    var desk = EngineDesk(.m10, speed: 9_600) { $0.panel.hasStatusLight = true }
    #expect(desk.report()["status_light.pattern"] == .text("off: no receiver"))
    desk.send(.line(.statusLight, .opened(isActive: false, isDebounced: false)))
    desk.run(seconds: 1)
    #expect(desk.report()["status_light.pattern"] == .text("slow blink: searching"))
    desk.run(seconds: 20)
    #expect(desk.report()["status_light.pattern"] == .text("solid: fix"))
    desk.receiver.removePower(at: desk.now)
    desk.run(seconds: 5.5)
    #expect(desk.report()["status_light.pattern"] == .text("slow blink: searching"))
    desk.plug(false)
    #expect(desk.report()["status_light.pattern"] == .text("off: no receiver"))
  }
}

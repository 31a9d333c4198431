import BinnacleBasics
import BinnacleModel
import Board
import LocationEngine
import Testing
import VirtualWire

@testable import Daemon

/// The buttons and lights of a profile reach the engine and the lines.
struct PanelPlanTests {
  private func plan(_ text: String) throws -> PanelPlan {
    try PanelPlan(
      Profile(parsing: Array(text.utf8), file: "test.conf"), runtimeDirectory: "/run/somewhere")
  }

  @Test func everyNumberReachesTheEngine() throws {
    let settings = try plan(
      """
      [Board]
      GPIO=pinctrl-test
      [Indicator]
      Line=A
      Sense=B
      Settling=100 ms
      [StatusLED]
      Line=C
      SlowBlink=2 s
      FastBlink=250 ms
      [Button HOME]
      Line=D
      Debounce=5 ms
      Short=services
      [Buttons]
      LongPress=3 s
      ShortMax=1 s
      DoubleWindow=300 ms
      """
    ).settings
    #expect(settings.hasIndicator && settings.hasIndicatorSense && settings.hasStatusLight)
    #expect(settings.senseSettling == .milliseconds(100))
    #expect(settings.blinking.slowHalf == .seconds(2))
    #expect(settings.blinking.fastHalf == .milliseconds(250))
    #expect(settings.buttons.map(\.name) == ["HOME"])
    #expect(settings.buttons.map(\.debounce) == [.milliseconds(5)])
    #expect(settings.buttons.map(\.actions) == [ButtonActions(short: .services, long: .quit)])
    #expect(settings.gestures.longPress == .seconds(3))
    #expect(settings.gestures.shortMax == .seconds(1))
    #expect(settings.gestures.doubleWindow == .milliseconds(300))
  }

  @Test func linesAreClaimedAsInTheProfile() throws {
    let lines = try plan(
      """
      [Board]
      GPIO=sim:board.sock
      [Indicator]
      Line=A
      ActiveLow=yes
      [Button HOME]
      Line=D
      Bias=pull-down
      ActiveLow=no
      """
    ).lines
    #expect(lines.map(\.id) == [.indicator, .button(0)])
    #expect(
      lines.map(\.request.inWords) == [
        "A on sim:/run/somewhere/board.sock", "D on sim:/run/somewhere/board.sock",
      ])
    let claims = lines.map(\.request.claim)
    #expect(claims[0].use == .output(isActive: false) && claims[0].isActiveLow)
    #expect(claims[0].consumer == "binnacle indicator")
    #expect(claims[1].use == .edges && !claims[1].isActiveLow && claims[1].bias == .pullDown)
    #expect(claims[1].debounceMicroseconds == 10_000)
    // The kernel cuts a consumer's name after 31 letters.
    #expect(claims.allSatisfy { $0.consumer.utf8.count <= 31 })
  }

  @Test func aProfileWithoutAnythingToPressHasNoLines() throws {
    #expect(try plan("[Board]\nGPIO=pinctrl-test\n").lines.isEmpty)
  }
}

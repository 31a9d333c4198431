import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

/// The action `mark` of a button as an event for the app in the foreground.
@Suite struct ButtonEventTests {
  private static let tracker = ConsentDesk.tracker

  private static func desk() -> ConsentDesk {
    var desk = ConsentDesk { $0.panel.buttons = [PanelSettings.Button(name: "MARK")] }
    desk.desk.send(.line(.button(0), .opened(isActive: false, isDebounced: true)))
    return desk
  }

  private static func press(_ desk: inout ConsentDesk) {
    desk.desk.send(.line(.button(0), .edge(isActive: true, at: desk.desk.now)))
    desk.desk.now += .milliseconds(120)
    desk.desk.send(.line(.button(0), .edge(isActive: false, at: desk.desk.now)))
    // The release counts when its level has lasted.
    desk.desk.wait(1)
  }

  private static func presses(_ desk: ConsentDesk, _ client: ClientID) -> [ButtonPress] {
    desk.desk.effects.compactMap {
      if case .client(client, .button(let press)) = $0 { press } else { nil }
    }
  }

  @Test func aPressWithoutAShownRequestNamesTheRequestInTheBackground() {
    var desk = ConsentDesk { $0.panel.buttons = [PanelSettings.Button(name: "ALLOW")] }
    desk.desk.send(.line(.button(0), .opened(isActive: false, isDebounced: true)))
    Self.press(&desk)
    #expect(desk.desk.lines.contains("button ALLOW: no request of an app is open"))
    _ = desk.run(Self.tracker, hasTerminal: true)
    desk.request(.home)
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [false])
    Self.press(&desk)
    let text = "the open requests are of apps in the background, the first of org.example.tracker"
    #expect(desk.desk.lines.contains("button ALLOW: \(text)"))
  }

  @Test func theAppInTheForegroundGetsAPressWithoutAnAuthorization() {
    var desk = Self.desk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    desk.desk.send(.client(app, .buttonsWatched))
    desk.desk.send(.client(app, .buttonsWatched))
    desk.request(.deny(app: "org.example.tracker"))
    Self.press(&desk)
    // The contact is stable 10 ms after its release.
    let time = UTCTime(secondsSince1970: 1_790_000_000) + .milliseconds(130)
    #expect(
      Self.presses(desk, app) == [ButtonPress(button: "MARK", gesture: .short, time: time)])
  }

  @Test func anAppInTheBackgroundGetsNoPressAlsoNotLater() {
    var desk = Self.desk()
    let front = desk.start(Self.tracker, hasTerminal: true)
    let back = desk.start(ConsentDesk.map)
    for client in [front, back] { desk.desk.send(.client(client, .buttonsWatched)) }
    Self.press(&desk)
    desk.request(.foreground(app: "org.example.map"))
    Self.press(&desk)
    Self.press(&desk)
    #expect(Self.presses(desk, front).count == 1)
    #expect(Self.presses(desk, back).count == 2)
    desk.request(.background(app: "org.example.map"))
    Self.press(&desk)
    #expect(Self.presses(desk, front).count + Self.presses(desk, back).count == 3)
    #expect(
      desk.desk.lines.contains(
        "button MARK: no program in the foreground waits for presses; no track is kept"))
  }

  @Test func aClientThatDoesNotAskGetsNoPress() {
    var desk = Self.desk()
    let app = desk.start(Self.tracker, hasTerminal: true)
    Self.press(&desk)
    #expect(Self.presses(desk, app) == [])
    desk.desk.send(.client(app, .buttonsWatched))
    desk.desk.end(app)
    Self.press(&desk)
    #expect(Self.presses(desk, app) == [])
  }
}

import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Fixes from before a person allowed locations.
@Suite struct EarlierFixTests {
  private static func setServices(isOn: Bool, on desk: inout ConsentDesk) {
    let request = ClientRequest.setServices(isOn: isOn)
    desk.desk.send(.client(ClientID(number: 900), .requested(isOn ? 51 : 50, request)))
  }

  /// The receiver works for another app; its last fix is from before the decision.
  @Test(arguments: [false, true])
  func anAppGetsNoLocationFromBeforeItWasAllowed(byServices: Bool) {
    var desk = ConsentDesk()
    if byServices {
      desk.request(.allow(app: "org.example.tracker", nil))
      Self.setServices(isOn: false, on: &desk)
    }
    let fix = Fix(
      latitude: 48, longitude: 11, horizontalAccuracy: 3,
      time: UTCTime(secondsSince1970: 1_790_000_000))
    desk.desk.deliver(fix)
    let app = desk.start(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.wait(1)
    if byServices {
      Self.setServices(isOn: true, on: &desk)
    } else {
      desk.request(.allow(app: "org.example.tracker", nil))
    }
    desk.desk.open(app)
    #expect(desk.seen(app) == "")
    desk.fix()
    #expect(desk.seen(app) == "f")
    // The control: a sequence that opens later gets the last fix at once.
    desk.desk.open(app, 2)
    #expect(desk.seen(app) == "ff")
  }
}

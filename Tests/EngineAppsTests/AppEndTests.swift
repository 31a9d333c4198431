import BinnacleModel
import Testing

@testable import LocationEngine

/// Launched apps that end with success within `RejoinWindow` of their start.
@Suite struct AppEndTests {
  @Test func anAppThatEndsWithSuccessWithoutTakingAnythingUpIsNotLaunchedAgain() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<3 { desk.consent.fix() }
    desk.end()
    desk.consent.fix()
    #expect(desk.isRunning)
    desk.end(.exited(status: 0))
    for _ in 0..<60 { desk.consent.fix() }
    #expect(!desk.isRunning)
    #expect(!desk.consent.isLit)
  }

  /// Its session waits until the app is launched, whatever its status: the app has not invalidated the session.
  @Test func anAppThatTakesItsSessionUpAndEndsWithSuccessIsLaunchedAgain() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<3 { desk.consent.fix() }
    desk.end()
    desk.consent.fix()
    desk.begin([.backgroundActivity])
    desk.consent.fix()
    desk.end(.exited(status: 0))
    for _ in 0..<60 { desk.consent.fix() }
    #expect(desk.isRunning)
    #expect(desk.consent.isLit)
  }
}

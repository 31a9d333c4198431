import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Launches that the launcher refuses, for example because its runtime directory is full.
@Suite struct RefusedLaunchTests {
  /// A board whose app has crashed in the background, and whose launcher refuses every order.
  private static func refusing() -> AppLifeDesk {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    for _ in 0..<3 { desk.consent.fix() }
    desk.end()
    desk.consent.desk.launcher.refusal = "no space is left"
    return desk
  }

  @Test func aRefusedLaunchIsTriedAgainAfterGrowingPauses() {
    var desk = RefusedLaunchTests.refusing()
    var seconds: [Int] = []
    for second in 0..<200 {
      let count = desk.orders.count
      desk.consent.fix()
      seconds += Array(repeating: second, count: desk.orders.count - count)
    }
    let pauses = zip(seconds, seconds.dropFirst()).map { $1 - $0 }
    // The first pause is 2 s: the first order comes with a fix, the others come between two.
    #expect(pauses.dropFirst() == [4, 8, 16, 32, 60, 60])
  }

  @Test func aRefusedLaunchIsNoLaunch() {
    var desk = RefusedLaunchTests.refusing()
    for _ in 0..<200 { desk.consent.fix() }
    #expect(desk.row()?[.rowLaunches] == 1)
    desk.consent.desk.launcher.refusal = nil
    for _ in 0..<61 { desk.consent.fix() }
    #expect(desk.isRunning)
    #expect(desk.row()?[.rowLaunches] == 2)
    // The burst of launches is not used up.
    for _ in 0..<3 {
      desk.end()
      desk.consent.fix()
      #expect(desk.isRunning)
    }
  }

  @Test func aPersonStartsAnAppDuringThePauseAfterARefusedLaunch() {
    var desk = RefusedLaunchTests.refusing()
    for _ in 0..<70 { desk.consent.fix() }
    desk.consent.desk.launcher.refusal = nil
    desk.consent.request(.start(app: AppLifeDesk.name))
    #expect(desk.isRunning)
    desk.begin([.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    desk.end()
    desk.consent.fix()
    #expect(desk.isRunning)
  }
}

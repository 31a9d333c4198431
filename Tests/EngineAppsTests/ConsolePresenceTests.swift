import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// A person at the board permits one `unlock` without a PIN, by the gesture of `Presence`.
@Suite struct ConsolePresenceTests {
  private static let other = ClientID(number: 501)

  @Test func afterTheGestureOneUnlockNeedsNoPIN() {
    let desk = ConsoleDesk()
    desk.press(count: 2)
    let effects = desk.ask(.unlockByPresence)
    #expect(effects.count == 1)
    guard case .unlocked(_, let interval)? = effects.first, interval == .seconds(300) else {
      Issue.record("\(effects)")
      return
    }
    #expect(desk.isUnlocked())
    desk.desk.desk.wait(301)
    #expect(!desk.isUnlocked())
  }

  @Test func oneGestureOpensOneConsoleOnce() {
    let desk = ConsoleDesk()
    desk.connect(Self.other)
    desk.press(count: 2)
    _ = desk.ask(.unlockByPresence)
    _ = desk.ask(.unlockByPresence, of: Self.other)
    #expect(desk.isUnlocked() && !desk.isUnlocked(Self.other))
    _ = desk.ask(.lock)
    _ = desk.ask(.unlockByPresence)
    #expect(!desk.isUnlocked())
  }

  @Test(arguments: [(27, true), (30, false)])
  func theGestureHoldsForThirtySeconds(_ seconds: Int64, _ isInTime: Bool) {
    let desk = ConsoleDesk()
    desk.press(count: 2)
    // The press itself was up to two seconds ago.
    desk.desk.desk.wait(seconds)
    _ = desk.ask(.unlockByPresence)
    #expect(desk.isUnlocked() == isInTime)
  }

  @Test func aRestartForgetsTheGesture() {
    let desk = ConsoleDesk()
    desk.press(count: 2)
    desk.cutPower()
    _ = desk.ask(.unlockByPresence)
    #expect(!desk.isUnlocked())
  }

  @Test(arguments: [1, 3])
  func anotherGestureIsNone(_ count: Int) {
    let desk = ConsoleDesk(presence: count == 3 ? nil : .usual)
    desk.press(count: count)
    _ = desk.ask(.unlockByPresence)
    #expect(!desk.isUnlocked())
  }

  @Test func aShortPressStillActsBeforeTheGestureOfPresence() {
    let desk = ConsoleDesk()
    let app = ConsentDesk.tracker
    _ = desk.desk.start(app, hasTerminal: true)
    func state() -> String? { desk.desk.state(app) }
    #expect(state() == "foreground")
    desk.press(count: 2)
    #expect(state() == "foreground")
    desk.press(count: 1)
    #expect(state() == "background")
  }

  @Test func theGestureIsForTheConnectionOfAConsoleAlone() {
    let desk = ConsoleDesk()
    let app = desk.desk.start(ConsentDesk.tracker)
    desk.press(count: 2)
    _ = desk.ask(.unlockByPresence, of: app)
    #expect(!desk.isUnlocked(app))
    // The refused request has not used the gesture up.
    _ = desk.ask(.unlockByPresence)
    #expect(desk.isUnlocked())
  }

  @Test func theGestureUnlocksInAPauseAndLeavesTheSeriesOfWrongPINs() {
    let desk = ConsoleDesk()
    for _ in 0..<3 {
      #expect(desk.tryPIN(.wrong))
      desk.desk.desk.wait(60)
    }
    #expect(desk.tryPIN(.wrong))
    desk.press(count: 2)
    _ = desk.ask(.unlockByPresence)
    #expect(desk.isUnlocked())
    _ = desk.ask(.lock)
    #expect(!desk.tryPIN(.right))
    #expect(desk.desk.desk.engine.consoles.wrongCount == 4)
  }

  // MARK: The way out

  private static let answers: [(PresenceGesture?, PINVerdict, String)] = [
    (
      .usual, .wrong,
      "press HOME twice at the board, then type 'unlock' within 30 s; or type the PIN"
    ),
    (.usual, .unset, "press HOME twice at the board, then type 'unlock' within 30 s"),
    (nil, .wrong, "type 'unlock' with the PIN"),
    (nil, .unset, "this board has no PIN; root sets a PIN by: binnacle console --set-pin"),
  ]

  @Test(arguments: answers)
  func withoutAGestureTheAnswerNamesTheWayOut(
    _ presence: PresenceGesture?, _ verdict: PINVerdict, _ sentence: String
  ) {
    let desk = ConsoleDesk(presence: presence)
    _ = desk.ask(.unlockByPresence, verdict)
    #expect(desk.refusal == sentence)
    #expect(!desk.isUnlocked())
    // It was no try, so the next PIN is compared at once.
    #expect(desk.tryPIN(.right))
  }

  @Test func noVerdictUnlocksARequestWithoutAPIN() {
    let desk = ConsoleDesk()
    _ = desk.ask(.unlockByPresence, .right)
    #expect(!desk.isUnlocked())
  }

  @Test func theLockNamesTheGesture() {
    let desk = ConsoleDesk()
    guard case .describeLock(_, .usual)? = desk.ask(.describeLock).first else {
      Issue.record("no answer with the gesture")
      return
    }
    #expect(!desk.isUnlocked())
  }

  @Test func theGestureAndItsUseAreLogged() {
    let desk = ConsoleDesk()
    desk.press(count: 2)
    _ = desk.ask(.unlockByPresence)
    #expect(
      desk.desk.desk.lines.suffix(2) == [
        "button HOME: one console may be unlocked without a PIN for 30 s",
        "console: 'console on ttyS1' (client 500) is unlocked for 300 s, by a person at the board",
      ])
  }
}

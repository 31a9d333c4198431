import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The next tries, the next location and the evidence for a rest in the reasons of `binnacle why APP`.
@Suite struct WhyTimesTests {
  private static let name = "org.example.tracker"
  private static let moves = "The board moves, or has not rested long enough for a pause."

  /// The text of a condition of the app; nil if the condition is not listed.
  private static func text(_ key: String, _ desk: ConsentDesk) -> String? {
    var desk = desk
    return desk.rows(.why(app: name)).first { $0[.rowKey] == key }?[.rowText]
  }

  @Test func anAbsentReceiverHasTheTimeOfTheNextTry() {
    var desk = ConsentDesk()
    #expect(Self.text("receiver", desk) == "There is no receiver.")
    desk.desk.send(.receiver(.openFailed(.init(.missing, "no such device"))))
    #expect(Self.text("receiver", desk) == "There is no receiver. The daemon tries again in 1 s.")
    // There is no forecast for a receiver that is not heard.
    #expect(Self.text("fix", desk) == "There was no fix since the daemon's start.")
  }

  @Test func anAppWithReducedAccuracyHasTheTimeOfItsNextLocation() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, .whenInUse, isReduced: true))
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    let only = "org.example.tracker may get your approximate location only."
    #expect(
      Self.text("accuracy", desk)
        == only + " The next approximate location comes with the next fix.")
    // The desk waits a second after the fix.
    desk.fix()
    #expect(
      Self.text("accuracy", desk) == only + " The next approximate location is due in 899 s.")
    desk.request(.home)
    desk.desk.wait(11)
    #expect(Self.text("accuracy", desk) == only)
  }

  @Test func anAppWithFullAccuracyWaitsForNoApproximateLocation() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, nil))
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.fix()
    #expect(
      Self.text("accuracy", desk) == "org.example.tracker may get your exact location.")
  }

  @Test func theIndicatorHasTheTimeOfItsNextVerification() {
    var desk = ConsentDesk()
    desk.request(.allow(app: Self.name, nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.hold(.backgroundActivity, by: app)
    desk.request(.home)
    desk.desk.wait(3)
    #expect(
      Self.text("light", desk)
        == "The indicator is lit, and was read back. The lamp is verified again in 7 s.")
    desk.desk.lamp = .lost
    desk.desk.wait(8)
    let text = Self.text("light", desk) ?? ""
    #expect(text.hasPrefix("The indicator cannot be lit: "))
    #expect(text.contains(". The daemon tries again in "))
  }

  @Test func theMovementHasTheEvidenceForARest() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    // The rest is not judged for an app that gets no locations.
    #expect(Self.text("movement", desk) == Self.moves)
    desk.request(.allow(app: Self.name, nil))
    #expect(
      Self.text("movement", desk)
        == Self.moves + " Nothing of the dwell of 120 s is filled: there is no accelerometer, "
        + "and the receiver reports no speed that counts.")
  }
}

import BinnacleModel
import Board
import Testing

/// `Presence` of `[Console]`: the gesture that unlocks a console without a PIN.
struct PresenceTests {
  private static let home = "[Board]\nGPIO=chip\n[Button HOME]\nLine=A\n"

  private func presence(_ text: String) throws -> PresenceGesture? {
    try Profile(parsing: Array(text.utf8), file: "f.conf").console.presence
  }

  private func complaint(_ text: String) -> String? {
    do {
      _ = try presence(text)
      return nil
    } catch { return "\(error)" }
  }

  @Test func aFreeDoublePressOfHomeIsTheDefault() throws {
    #expect(try presence(Self.home) == PresenceGesture(button: "HOME", gesture: .double))
    #expect(try presence(Self.home + "[Console]\nPresence=auto\n") == .usual)
    #expect(try presence(Self.home + "Double=mark\n") == nil)
    #expect(try presence("[Board]\nGPIO=chip\n[Button MARK]\nLine=A\n") == nil)
    #expect(try presence(Self.home.replacing("Line=A", with: "Line=none")) == nil)
    #expect(try presence("") == nil)
  }

  @Test func noneAndAnotherFreeGestureAreTaken() throws {
    #expect(try presence(Self.home + "[Console]\nPresence=none\n") == nil)
    let key = "[Button KEY]\nLine=B\n[Console]\nPresence=KEY short\n"
    #expect(try presence(Self.home + key) == PresenceGesture(button: "KEY", gesture: .short))
  }

  @Test(arguments: [
    ("Short", "allow"), ("Long", "deny"), ("Double", "allow"), ("Short", "home"),
    ("Double", "services"),
  ])
  func aGestureWithAnotherActionIsRefused(_ key: String, _ action: String) {
    let gesture = key.lowercased()
    let text =
      Self.home + "\(key)=\(action)\n[Console]\nPresence=HOME \(gesture)\n"
    #expect(
      complaint(text)
        == "f.conf:7: Presence: HOME \(gesture) has the action \(action) already, take a gesture "
        + "without an action: it only shows that a person is at the board")
  }

  @Test func aDefaultActionCountsAsAnAction() {
    let text = "[Board]\nGPIO=chip\n[Button ALLOW]\nLine=A\n[Console]\nPresence=ALLOW short\n"
    #expect(complaint(text)?.contains("ALLOW short has the action allow already") == true)
  }

  @Test func aButtonThatIsMissingAndOtherWordsAreRefused() {
    #expect(
      complaint("[Console]\nPresence=HOME double\n")
        == "f.conf:2: Presence: the profile has no button HOME, name one of its buttons or write none"
    )
    for value in ["HOME", "HOME twice", "yes", "HOME double short"] {
      #expect(
        complaint(Self.home + "[Console]\nPresence=\(value)\n")
          == "f.conf:6: Presence: '\(value)' is not a button and short, long or double, write it like "
          + "HOME double, auto or none")
    }
  }
}

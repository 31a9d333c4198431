import Testing

/// The message of a failed test has the text of each desk in its condition.
struct DeskTextTests {
  @Test func aPersonCanReadTheTextOfADesk() {
    let text = String(describingForTest: ConsentDesk())
    #expect(text.contains("Engine"))
    #expect(text.utf8.count < 10_000)
  }
}

import StateLog
import Testing

@testable import LocationEngine

struct DecisionTests {
  private let change = Change(RecordName(kind: 1), .put([1], isCautious: true))

  @Test func aGrantTakesEffectOnlyAfterTheCommit() {
    let decision = Decision(.gives, changes: [change], then: ["deliver"])
    #expect(decision.orders(after: nil) == ["deliver"])
    #expect(decision.orders(after: .init(.notWritten, "no space")) == [])
    #expect(decision.orders(after: .init(.refused, "too many")) == [])
  }

  @Test func aDenialTakesEffectEvenIfTheCommitFails() {
    let decision = Decision(.takesAway, changes: [change], then: ["stop"])
    #expect(decision.orders(after: nil) == ["stop"])
    #expect(decision.orders(after: .init(.closed, "read-only")) == ["stop"])
  }
}

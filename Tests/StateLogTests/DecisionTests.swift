import StateLog
import Testing

struct DecisionTests {
  private let change = Change(RecordName(kind: 1), .put([1], isCautious: true))

  @Test func whatIsGivenIsGivenOnlyAfterTheCommit() {
    let decision = Decision(.gives, changes: [change], then: ["deliver"])
    #expect(decision.orders(after: nil) == ["deliver"])
    #expect(decision.orders(after: .fault(.noSpace)) == [])
    #expect(decision.orders(after: .full(size: 2, sizeMax: 1)) == [])
  }

  @Test func whatIsTakenAwayIsTakenAwayThoughTheDiskFails() {
    let decision = Decision(.takesAway, changes: [change], then: ["stop"])
    #expect(decision.orders(after: nil) == ["stop"])
    #expect(decision.orders(after: .fault(.readOnly)) == ["stop"])
  }
}

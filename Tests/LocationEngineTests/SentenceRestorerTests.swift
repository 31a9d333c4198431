import BinnacleBasics
import BinnacleModel
import Testing
import UBX

@testable import LocationEngine

/// The order that switches sentences on again is given until positions come, at the speeds at which the receiver may be.
struct SentenceRestorerTests {
  private static func restorer() -> SentenceRestorer {
    let identity = ReceiverIdentity(
      MonVER(softwareVersion: "x", hardwareVersion: "000A0000", extensions: []))
    return SentenceRestorer(SetupPlan(identity, port: .uart), speeds: [9_600], at: .zero)
  }

  @Test func theOrderIsRepeatedWithPausesThatDoubleUntilAPositionComes() throws {
    var restorer = Self.restorer()
    var pauses: [Int64] = []
    for _ in 0..<8 {
      let due = try #require(restorer.nextDeadline(speed: 9_600))
      #expect(!restorer.deadlineReached(speed: 9_600, at: due).isEmpty)
      #expect(restorer.deadlineReached(speed: 9_600, at: due).isEmpty)
      let next = try #require(restorer.nextDeadline(speed: 9_600))
      pauses.append((next - due).nanoseconds / 1_000_000_000)
    }
    #expect(pauses == [2, 4, 8, 16, 32, 60, 60, 60])
    restorer.fixJudged()
    #expect(restorer.nextDeadline(speed: 9_600) == nil)
  }

  @Test func nothingIsOrderedAtASpeedAtWhichTheReceiverIsNot() {
    var restorer = Self.restorer()
    #expect(restorer.nextDeadline(speed: 38_400) == nil)
    #expect(restorer.deadlineReached(speed: 38_400, at: .zero).isEmpty)
    _ = restorer.deadlineReached(speed: 9_600, at: .zero)
    restorer.solutionInUBXArrived(at: .zero)
    #expect(restorer.withdrawal(speed: 38_400, at: .zero + .seconds(10)).isEmpty)
    #expect(!restorer.withdrawal(speed: 9_600, at: .zero + .seconds(10)).isEmpty)
  }

  @Test func aWithdrawalWaitsForTheAnswerToTheOrderAndIsGivenEightTimes() {
    var restorer = Self.restorer()
    _ = restorer.deadlineReached(speed: 9_600, at: .zero)
    restorer.solutionInUBXArrived(at: .zero + .milliseconds(300))
    #expect(restorer.withdrawal(speed: 9_600, at: .zero + .milliseconds(300)).isEmpty)
    var count = 0
    while let due = restorer.nextDeadline(speed: 9_600), count < 20 {
      if !restorer.withdrawal(speed: 9_600, at: due).isEmpty { count += 1 }
    }
    #expect(count == 8)
  }
}

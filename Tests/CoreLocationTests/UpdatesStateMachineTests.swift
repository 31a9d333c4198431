import BinnacleBasics
import BinnacleModel
import Testing

@testable import CoreLocation

/// Conversations with the machine between the connection and the loop.
struct UpdatesStateMachineTests {
  private let one = Update(fix: nil, flags: .locationUnavailable)
  private let two = Update(fix: nil, flags: .stationary)
  private let refusal = UpdatesStateMachine.Refusal(isNotPermitted: true, text: "no")

  @Test func theFirstCallOpensTheService() {
    var machine = UpdatesStateMachine()
    #expect(machine.nextCalled() == .init(service: .open))
    #expect(machine.updateArrived(one) == .init(resumption: .update(one)))
    #expect(machine.nextCalled() == .nothing)
    #expect(machine.updateArrived(two) == .init(resumption: .update(two)))
    #expect(machine.dropped() == .init(service: .close))
  }

  @Test func updatesThatArriveWhileTheLoopIsBusyAreKept() {
    var machine = UpdatesStateMachine()
    _ = machine.nextCalled()
    _ = machine.updateArrived(one)
    #expect(machine.updateArrived(one) == .nothing)
    #expect(machine.updateArrived(two) == .nothing)
    #expect(machine.nextCalled() == .init(resumption: .update(one)))
    #expect(machine.nextCalled() == .init(resumption: .update(two)))
    #expect(machine.nextCalled() == .nothing)
  }

  @Test func cancelingEndsTheWaitAndTheService() {
    var machine = UpdatesStateMachine()
    _ = machine.nextCalled()
    #expect(machine.canceled() == .init(service: .close, resumption: .end))
    #expect(machine.canceled() == .nothing)
    #expect(machine.nextCalled() == .init(resumption: .end))
    #expect(machine.updateArrived(one) == .nothing)
    #expect(machine.dropped() == .nothing)
  }

  @Test func cancelingABusyLoopDropsItsUpdates() {
    var machine = UpdatesStateMachine()
    _ = machine.nextCalled()
    _ = machine.updateArrived(one)
    _ = machine.updateArrived(two)
    #expect(machine.canceled() == .init(service: .close))
    #expect(machine.nextCalled() == .init(resumption: .end))
  }

  @Test func aServiceThatNeverStartedIsNotClosed() {
    var machine = UpdatesStateMachine()
    #expect(machine.dropped() == .nothing)
    machine = UpdatesStateMachine()
    #expect(machine.canceled() == .nothing)
    #expect(machine.nextCalled() == .init(resumption: .end))
  }

  @Test func aRefusalComesAfterTheKeptUpdates() {
    var machine = UpdatesStateMachine()
    _ = machine.nextCalled()
    _ = machine.updateArrived(one)
    _ = machine.updateArrived(two)
    #expect(machine.refused(refusal) == .nothing)
    #expect(machine.updateArrived(one) == .nothing)
    #expect(machine.nextCalled() == .init(resumption: .update(two)))
    #expect(machine.nextCalled() == .init(resumption: .refusal(refusal)))
    #expect(machine.nextCalled() == .init(resumption: .end))
    #expect(machine.dropped() == .nothing)
  }

  @Test func aRefusalEndsTheWait() {
    var machine = UpdatesStateMachine()
    _ = machine.nextCalled()
    #expect(machine.refused(refusal) == .init(resumption: .refusal(refusal)))
    #expect(machine.dropped() == .nothing)
  }

  @Test func aSlowLoopLosesTheOldestPlainFixesFirst() {
    var machine = UpdatesStateMachine()
    _ = machine.nextCalled()
    _ = machine.updateArrived(one)
    _ = machine.updateArrived(fix(0))
    _ = machine.updateArrived(two)
    for number in 1...UpdatesBuffer.plainCountMax { _ = machine.updateArrived(fix(number)) }
    #expect(machine.droppedCount == 1)
    #expect(machine.nextCalled() == .init(resumption: .update(two)))
    #expect(machine.nextCalled() == .init(resumption: .update(fix(1))))
    #expect(machine.nextCalled() == .init(resumption: .update(fix(2))))
  }

  private func fix(_ number: Int) -> Update {
    Update(
      fix: Fix(
        latitude: 0, longitude: 0, altitude: Double(number), horizontalAccuracy: 1,
        time: UTCTime(secondsSince1970: 0)))
  }
}

/// The updates that a slow loop has not taken yet.
struct UpdatesBufferTests {
  @Test func updatesLeaveInTheOrderOfTheirArrival() {
    var buffer = UpdatesBuffer()
    var random = Random(seed: 1)
    var model: [Update] = []
    for number in 0..<20_000 {
      if random.chance(0.52) {
        let update = update(number, isPlain: random.chance(0.8))
        model.append(update)
        let hasDropped = buffer.append(update)
        #expect(!hasDropped)
      } else {
        let update = buffer.popFirst()
        let expected = model.isEmpty ? nil : model.removeFirst()
        #expect(update == expected)
      }
      #expect(buffer.count == model.count)
    }
  }

  @Test func theBufferOfFixesAndTransitionsIsBounded() {
    var buffer = UpdatesBuffer()
    for number in 0..<10_000 {
      _ = buffer.append(update(number, isPlain: number % 2 == 0))
    }
    #expect(buffer.count == UpdatesBuffer.plainCountMax + UpdatesBuffer.transitionCountMax)
    #expect(buffer.popFirst() == update(2_800, isPlain: true))
    #expect(buffer.popFirst() == update(2_801, isPlain: false))
  }

  private func update(_ number: Int, isPlain: Bool) -> Update {
    let fix = Fix(
      latitude: 0, longitude: 0, altitude: Double(number), horizontalAccuracy: 1,
      time: UTCTime(secondsSince1970: 0))
    return Update(fix: fix, flags: isPlain ? [] : .stationary)
  }
}

import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Testing

/// The clients that are informed of the daemon's absence.
struct AbsenceMachineTests {
  private let one = SequenceID(number: 1)
  private let two = SequenceID(number: 2)

  private func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }

  @Test func aClientThatWaitsFiveSecondsIsInformedOnce() {
    var machine = AbsenceMachine()
    machine.sequenceOpened(one, at: seconds(1))
    machine.sequenceOpened(two, at: seconds(3))
    #expect(machine.nextDeadline == seconds(6))
    #expect(machine.deadlineReached(at: seconds(5)) == [])
    #expect(machine.deadlineReached(at: seconds(6)) == [one])
    #expect(machine.nextDeadline == seconds(8))
    #expect(machine.deadlineReached(at: seconds(9)) == [two])
    #expect(machine.nextDeadline == nil)
    #expect(machine.deadlineReached(at: seconds(99)) == [])
  }

  @Test func aDaemonThatComesBackSoonIsNotMissed() {
    var machine = AbsenceMachine()
    machine.sequenceOpened(one, at: seconds(0))
    machine.daemonSeen(isPresent: true, at: seconds(1))
    #expect(machine.nextDeadline == nil)
    machine.daemonSeen(isPresent: false, at: seconds(100))
    machine.daemonSeen(isPresent: false, at: seconds(102))
    #expect(machine.nextDeadline == seconds(105))
    machine.daemonSeen(isPresent: true, at: seconds(104))
    #expect(machine.deadlineReached(at: seconds(106)) == [])
  }

  @Test func everyAbsenceIsReported() {
    var machine = AbsenceMachine()
    machine.sequenceOpened(one, at: seconds(0))
    #expect(machine.deadlineReached(at: seconds(5)) == [one])
    machine.daemonSeen(isPresent: true, at: seconds(6))
    machine.daemonSeen(isPresent: false, at: seconds(7))
    #expect(machine.deadlineReached(at: seconds(12)) == [one])
  }

  @Test func aClientThatLeftIsNotInformed() {
    var machine = AbsenceMachine()
    machine.sequenceOpened(one, at: seconds(0))
    machine.sequenceClosed(one)
    #expect(machine.nextDeadline == nil)
    #expect(machine.deadlineReached(at: seconds(9)) == [])
  }
}

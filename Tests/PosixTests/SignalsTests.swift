import Basics
import Glibc
import Posix
import Testing

@Suite(.serialized) struct SignalsTests {
  @Test func signalsArriveInTheLoop() throws {
    let signals = try Signals([.user1, .hangUp])
    var poll = Poll()
    poll.set(signals.descriptor, .reading)
    #expect(signals.next() == nil)
    kill(getpid(), SIGUSR1)
    #expect(try poll.wait(until: Clock.now + .seconds(60)) == 1)
    #expect(signals.next() == .user1)
    kill(getpid(), SIGHUP)
    #expect(try poll.wait(until: Clock.now + .seconds(60)) == 1)
    #expect(signals.next() == .hangUp)
    #expect(signals.next() == nil)
    #expect(throws: Errno.busy) { _ = try Signals([.user1]) }
  }

  @Test func afterwardsTheyCanBeCaughtAnew() throws {
    _ = try Signals([.user1])
    _ = try Signals([.user1])
  }
}

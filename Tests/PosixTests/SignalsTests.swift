import BinnacleBasics
import BinnaclePosix
import Glibc
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

  @Test func aSignalEndsTheWaitForAReader() throws {
    let pipe = try Pipe()
    #expect(Signals.waitForRoom(in: pipe.writeEnd.number))
    let signals = try Signals([.user1])
    #expect(Signals.waitForRoom(in: pipe.writeEnd.number))
    while try pipe.writeEnd.write([UInt8](repeating: 0, count: 4_096)[...]) != nil {}
    kill(getpid(), SIGUSR1)
    #expect(Signals.waitForRoom(in: pipe.writeEnd.number) == false)
    #expect(signals.next() == .user1)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    _ = try pipe.readEnd.read(into: &buffer)
    // Any thread may meet the signal, and later than this one goes on: what comes after the last catcher ends the process.
    kill(getpid(), SIGUSR1)
    var poll = Poll()
    poll.set(signals.descriptor, .reading)
    #expect(try poll.wait(until: Clock.now + .seconds(60)) == 1)
    #expect(Signals.waitForRoom(in: pipe.writeEnd.number), "what can be written is written first")
    #expect(signals.next() == .user1)
  }

  @Test func signalsCanBeCaughtAgainAfterARelease() throws {
    _ = try Signals([.user1])
    _ = try Signals([.user1])
  }
}

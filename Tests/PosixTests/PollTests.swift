import BinnacleBasics
import Testing

@testable import BinnaclePosix

struct PollTests {
  @Test func theDeadlineIsNeitherMissedNorEarly() throws {
    Poll.setTimerSlack(.microseconds(1))
    var poll = Poll()
    var punctualCount = 0
    // On a busy machine most waits may be late, but not because of what was asked for: some are not.
    for _ in 0..<5_000 where punctualCount < 6 {
      let deadline = Clock.now + .microseconds(1_500)
      #expect(try poll.wait(until: deadline) == 0)
      let late = Clock.now - deadline
      #expect(late >= .zero)
      if late < .milliseconds(2) { punctualCount += 1 }
    }
    #expect(punctualCount == 6)
  }

  @Test func aDeadlineInThePastDoesNotWait() throws {
    let pipe = try Pipe()
    var poll = Poll()
    poll.set(pipe.readEnd.number, .reading)
    #expect(try poll.wait(until: .zero) == 0)
    _ = try pipe.writeEnd.write([1])
    #expect(try poll.wait(until: .zero) == 1)
    #expect(
      poll.ready == [Poll.Ready(descriptor: pipe.readEnd.number, readiness: .readable)])
  }

  @Test func aHangUpIsReportedWithoutInterest() throws {
    var poll = Poll()
    let pipe = try Pipe()
    poll.set(pipe.readEnd.number, [])
    #expect(try poll.wait(until: .zero) == 0)
    let number = pipe.readEnd.number
    let (end, other) = try LocalSocket.pair()
    poll.remove(number)
    poll.set(end.descriptor, [])
    #expect(try poll.wait(until: .zero) == 0)
    _ = consume other
    #expect(try poll.wait(until: .zero) == 1)
    #expect(poll.readiness(of: end.descriptor).contains(.hungUp))
  }

  @Test func settingADescriptorAgainReplacesItsDirections() throws {
    let pipe = try Pipe()
    _ = try pipe.writeEnd.write([1])
    var poll = Poll()
    poll.set(pipe.readEnd.number, .reading)
    poll.set(pipe.readEnd.number, [])
    #expect(try poll.wait(until: .zero) == 0)
    poll.remove(pipe.readEnd.number)
    #expect(poll.ready.isEmpty)
  }

  @Test func longWaitsAreCutIntoPieces() {
    let now = Instant(nanoseconds: 5)
    #expect(Poll.timeout(until: nil, now: now) == -1)
    #expect(Poll.timeout(until: .zero, now: now) == 0)
    #expect(Poll.timeout(until: Instant(nanoseconds: 12), now: now) == 7)
    #expect(Poll.timeout(until: Instant(nanoseconds: .max), now: now) == 60_000_000_000)
    let earliest = Instant(nanoseconds: .min)
    #expect(Poll.timeout(until: Instant(nanoseconds: .max), now: earliest) == 60_000_000_000)
  }

  @Test func aGroupIsReadyWhileADescriptorInItIs() throws {
    let quiet = try Pipe()
    let busy = try Pipe()
    let group = try PollGroup([quiet.readEnd.number, busy.readEnd.number])
    var poll = Poll()
    poll.set(group.descriptor, .reading)
    #expect(try poll.wait(until: .zero) == 0)
    #expect(group.ready.isEmpty)
    _ = try busy.writeEnd.write([1][...])
    for _ in 0..<2 {
      #expect(try poll.wait(until: Clock.now + .seconds(60)) == 1)
      #expect(poll.readiness(of: group.descriptor) == .readable)
      #expect(group.ready == [busy.readEnd.number])
    }
    var byte: [UInt8] = [0]
    _ = try busy.readEnd.read(into: &byte)
    #expect(try poll.wait(until: .zero) == 0)
  }
}

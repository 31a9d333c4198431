import BinnacleBasics
import BinnaclePosix
import Glibc
import TestSupport
import Testing

/// One of them sets the clock, which another must not see.
@Suite(.serialized) struct ClockTests {
  @Test func theMonotonicClockNeverGoesBack() {
    var last = Clock.now
    for _ in 0..<1_000 {
      let now = Clock.now
      #expect(now >= last)
      last = now
    }
    #expect(last > .zero)
  }

  @Test func theWallClockIsInThisCentury() {
    #expect((2_024...2_100).contains(Clock.utc.calendar.year))
  }

  @Test func theClockHasAnErrorBoundOnlyIfItIsSynchronized() throws {
    #expect((Clock.synchronizedWithin != nil) == Clock.isSynchronized)
    if let within = Clock.synchronizedWithin { #expect(within >= .zero) }
  }

  @Test func anUnchangedWallClockSignalsNothing() throws {
    let watch = try WallClockWatch()
    var poll = Poll()
    poll.set(watch.descriptor, .reading)
    #expect(try poll.wait(until: .zero) == 0)
    #expect(try !watch.wasSet())
  }

  /// Sets the clock to what it already is, which counts as setting it; only root may.
  @Test(.enabled(if: Capability.time.isHeld, "only root may set the clock"))
  func settingTheWallClockIsNoticedEveryTime() throws {
    let watch = try WallClockWatch()
    var poll = Poll()
    poll.set(watch.descriptor, .reading)
    for _ in 0..<2 {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      try #require(clock_settime(CLOCK_REALTIME, &time) == 0)
      #expect(try poll.wait(until: Clock.now + .seconds(60)) == 1)
      #expect(try watch.wasSet())
      #expect(try !watch.wasSet())
    }
  }
}

import BinnacleBasics
import Testing

@testable import Daemon

/// Signs of life for the service manager, and what they cost.
struct WatchdogPacerTests {
  private func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }

  @Test func anAwakeLoopSendsItsWatchdogSignalWithoutAnExtraWakeup() {
    var signs = WatchdogPacer(limit: .seconds(30), at: .zero)
    // A fix each second: no turn is there for a sign alone.
    var said: [Int64] = []
    for second in 1...60 as ClosedRange<Int64> {
      let now = seconds(second)
      #expect(signs.nextDeadline ?? now > now)
      if signs.turned(isCalm: false, at: now) == .alive { said.append(second) }
    }
    #expect(said == [8, 16, 24, 32, 40, 48, 56])
  }

  @Test func aSleepingLoopIsWokenForItsWatchdogSignalAtHalfTheLimit() {
    var signs = WatchdogPacer(limit: .seconds(30), at: .zero)
    #expect(signs.nextDeadline == seconds(15))
    #expect(signs.turned(isCalm: false, at: seconds(15)) == .alive)
    #expect(signs.nextDeadline == seconds(30))
  }

  @Test func theWatchdogPeriodOfAnIdleLoopIsTenTimesAsLong() {
    var signs = WatchdogPacer(limit: .seconds(30), at: .zero)
    #expect(signs.turned(isCalm: true, at: seconds(5)) == nil)
    #expect(signs.nextDeadline == seconds(15))
    #expect(signs.turned(isCalm: true, at: seconds(15)) == .aliveWithPatience(.seconds(300)))
    #expect(signs.nextDeadline == seconds(165))
    #expect(signs.turned(isCalm: true, at: seconds(60)) == nil)
    #expect(signs.turned(isCalm: true, at: seconds(165)) == .alive)
    // It was patient; from the first position on it is not any more.
    #expect(signs.turned(isCalm: false, at: seconds(166)) == .aliveWithPatience(.seconds(30)))
    #expect(signs.nextDeadline == seconds(181))
  }

  /// While updates pause, bursts of a chip's samples are told to the loop every ten seconds.
  @Test func theWatchdogPeriodOfABusyLoopIsUnchanged() {
    var signs = WatchdogPacer(limit: .seconds(30), at: .zero)
    for second in stride(from: Int64(11), through: 1_100, by: 11) {
      // No turn is there for a sign alone.
      #expect(signs.nextDeadline ?? .zero > seconds(second))
      #expect(signs.turned(isCalm: true, at: seconds(second)) == .alive)
    }
  }

  @Test func frequentWakeupsEndTheLongWatchdogPeriod() {
    var signs = WatchdogPacer(limit: .seconds(30), at: .zero)
    _ = signs.turned(isCalm: true, at: seconds(15))
    // A look once a minute, with its answer a little later, is not often.
    for minute in 1...20 as ClosedRange<Int64> {
      for part in 0...3 as ClosedRange<Int64> {
        let sign = signs.turned(isCalm: true, at: seconds(minute * 60) + .milliseconds(part * 40))
        #expect(sign == nil || sign == .alive)
      }
    }
    var told: [Int64] = []
    for second in stride(from: Int64(1_210), through: 1_300, by: 10) {
      let sign = signs.turned(isCalm: true, at: seconds(second))
      if sign == .aliveWithPatience(.seconds(30)) { told.append(second) }
    }
    #expect(told == [1_230])
    #expect(signs.nextDeadline == seconds(1_315))
  }

  @Test func withoutAWatchdogNoSignIsSent() {
    var signs = WatchdogPacer(limit: nil, at: .zero)
    #expect(signs.nextDeadline == nil)
    #expect(signs.turned(isCalm: true, at: seconds(5)) == nil)
    #expect(signs.turned(isCalm: true, at: seconds(500)) == nil)
  }
}

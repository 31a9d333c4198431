import Basics
import Testing

@testable import Daemon

/// Signs of life for the service manager, and what they cost.
struct LifeSignsTests {
  private func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }

  @Test func aLoopThatIsAwakeAnywaySaysItThen() {
    var signs = LifeSigns(limit: .seconds(30), at: .zero)
    // A fix each second: no turn is there for a sign alone.
    var said: [Int64] = []
    for second in 1...60 as ClosedRange<Int64> {
      let now = seconds(second)
      #expect(signs.nextDeadline ?? now > now)
      if signs.turned(isCalm: false, at: now) == .alive { said.append(second) }
    }
    #expect(said == [8, 16, 24, 32, 40, 48, 56])
  }

  @Test func aLoopThatSleepsIsWokenForItAtHalfTheLimit() {
    var signs = LifeSigns(limit: .seconds(30), at: .zero)
    #expect(signs.nextDeadline == seconds(15))
    #expect(signs.turned(isCalm: false, at: seconds(15)) == .alive)
    #expect(signs.nextDeadline == seconds(30))
  }

  @Test func whileNobodyGetsPositionsTheManagerWaitsTenTimesAsLong() {
    var signs = LifeSigns(limit: .seconds(30), at: .zero)
    #expect(signs.turned(isCalm: true, at: seconds(5)) == .aliveWithPatience(.seconds(300)))
    #expect(signs.nextDeadline == seconds(155))
    #expect(signs.turned(isCalm: true, at: seconds(60)) == nil)
    #expect(signs.turned(isCalm: true, at: seconds(155)) == .alive)
    // It was patient; from the first position on it is not any more.
    #expect(signs.turned(isCalm: false, at: seconds(156)) == .aliveWithPatience(.seconds(30)))
    #expect(signs.nextDeadline == seconds(171))
  }

  @Test func nobodyWaitsForSignsWithoutALimit() {
    var signs = LifeSigns(limit: nil, at: .zero)
    #expect(signs.nextDeadline == nil)
    #expect(signs.turned(isCalm: true, at: seconds(5)) == nil)
    #expect(signs.turned(isCalm: true, at: seconds(500)) == nil)
  }
}

import BinnaclePosix
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreLocation

/// The wait of a thread with a limit on the monotonic clock.
@Suite(.timeLimit(.minutes(5)))
struct MonotonicConditionTests {
  @Test func aWaitEndsAtItsTimeOfTheMonotonicClock() {
    let condition = MonotonicCondition()
    condition.lock()
    defer { condition.unlock() }
    let end = Clock.monotonicNanoseconds + 20_000_000
    // A thread may wake without a broadcast.
    while condition.wait(until: end) {}
    #expect(Clock.monotonicNanoseconds >= end)
    let isWoken = condition.wait(until: 0)
    #expect(!isWoken)
  }

  @Test func aBroadcastEndsAWait() throws {
    let condition = MonotonicCondition()
    let end = Clock.monotonicNanoseconds + 600_000_000_000
    let waiter = Waiter(condition, until: end)
    let isWoken = try eventually {
      condition.lock()
      condition.broadcast()
      condition.unlock()
      return waiter.result != nil
    }
    #expect(isWoken)
    #expect(waiter.result == .some(true))
  }

  /// A thread that waits.
  private final class Waiter: Sendable {
    private let ended = Mutex(Bool?.none)

    init(_ condition: MonotonicCondition, until end: Int64) {
      Thread {
        condition.lock()
        let isWoken = condition.wait(until: end)
        condition.unlock()
        self.ended.withLock { $0 = isWoken }
      }.start()
    }

    /// The result of the wait; nil while the thread waits.
    var result: Bool? { ended.withLock { $0 } }
  }
}

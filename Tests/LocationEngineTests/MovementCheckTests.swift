import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// How often a receiver that sleeps is woken because something stirs that turns out to be nothing.
@Suite struct MovementCheckTests {
  /// A machine that is asked once a second.
  private struct Watch {
    var machine = PowerMachine(PowerSettings())
    var now = Instant.zero + .seconds(50_000)
    var powerState = ReceiverPowerState.ready
    var checks = 0

    mutating func pass(seconds: Int, isMotionSuspected: Bool = false) {
      for _ in 0..<seconds {
        now = now + .seconds(1)
        var statistics = SleepStatistics()
        statistics.isWakeProven = true
        let order = machine.settle(
          PowerMachine.Situation(
            need: .rest, powerState: powerState, hasLineAlone: false, isOpen: true, openings: 1,
            hasMotionSensor: true, isMotionSuspected: isMotionSuspected, signalAt: now, fixAt: now,
            fixCount: 1,
            statistics: statistics), at: now)
        switch order {
        case nil: break
        case .sleep: powerState = .asleep
        case .wake:
          powerState = .ready
          if case .checking(.movement, _) = machine.state { checks += 1 }
        }
      }
    }

    /// Something passes, and it is quiet for the rest of the time.
    mutating func somethingPasses(every seconds: Int, times: Int) {
      for _ in 0..<times {
        pass(seconds: 5, isMotionSuspected: true)
        pass(seconds: seconds - 5)
      }
    }
  }

  /// Trucks that pass hours apart do not make it deaf to what stirs a minute after the last one.
  @Test(arguments: [1_000, 3_500, 11_000])
  func motionAfterAQuietTimeStartsACheckAtOnce(_ secondsApart: Int) {
    var watch = Watch()
    watch.pass(seconds: 100)
    #expect(watch.powerState == .asleep)
    watch.somethingPasses(every: secondsApart, times: 8)
    #expect(watch.checks == 8)
    watch.somethingPasses(every: 40, times: 1)
    watch.pass(seconds: 1, isMotionSuspected: true)
    #expect(watch.checks == 10)
  }

  @Test(arguments: [6, 60, 600])
  func constantMovementIsCheckedEveryQuarterOfAnHour(_ secondsApart: Int) {
    var watch = Watch()
    watch.pass(seconds: 100)
    watch.somethingPasses(every: secondsApart, times: 4 * 3_600 / secondsApart)
    // 30 s, 60 s, ... 480 s apart at first.
    #expect((10...21).contains(watch.checks))
  }
}

import BinnacleBasics
import BinnacleModel
import Simulation
import Testing

@testable import LocationEngine

/// A receiver whose programs want more than a position a second, while they rest.
@Suite struct RestRateTests {
  private static func board(
    _ generation: Generation = .m10, kind: Event.ReceiverPort.Kind = .uart, seed: UInt64 = 1,
    adjust: (inout Configuration) -> Void = { _ in }
  ) -> PowerDesk {
    var board = PowerDesk(generation, seed: seed, kind: kind) {
      $0.motion.dwells.automotiveNavigation = PowerDesk.dwell
      adjust(&$0)
    }
    board.desk.open(.automotiveNavigation)
    return board
  }

  private static func rateOrders(_ board: PowerDesk) -> Int {
    board.desk.effects.count { effect in
      guard case .receiver(.write(let bytes)) = effect, bytes.count > 14 else { return false }
      // CFG-RATE, or CFG-VALSET of CFG-RATE-MEAS.
      return bytes[2...3] == [0x06, 0x08]
        || bytes[2...3] == [0x06, 0x8A] && bytes[10...13] == [1, 0, 0x21, 0x30]
    }
  }

  @Test(arguments: [Generation.seven, .m8, .m10])
  func theRateIsOneHertzWhileAllUpdatesPause(_ generation: Generation) {
    var board = RestRateTests.board(generation)
    board.run(seconds: 50)
    #expect(board.word("receiver.rate_hz") == "2")
    board.run(seconds: 50)
    #expect(board.word("power.state") == "resting")
    #expect(board.word("receiver.rate_hz") == "1")
    #expect(board.word("sessions.rate_wanted_hz") == "2")
    board.depart()
    board.run(seconds: 6, shake: 60)
    #expect(board.word("power.state") == "on")
    #expect(board.word("receiver.rate_hz") == "2")
    #expect(board.word("receiver.is_configured") == "yes")
  }

  @Test(arguments: [Generation.seven, .m8, .m10])
  func afterASleepTheRateIsTheRequestedRate(_ generation: Generation) {
    var board = RestRateTests.board(generation)
    board.fallAsleep()
    #expect(board.word("power.settings_mended") == "0")
    board.run(seconds: 100)
    board.depart()
    board.run(seconds: 8, shake: 60)
    #expect(board.word("receiver.rate_hz") == "2")
    #expect(board.word("power.settings_mended") == "0")
  }

  @Test func theFirstUpdateAfterMotionIsNotLater() {
    for seed in 1...8 as ClosedRange<UInt64> {
      var board = RestRateTests.board(seed: seed)
      board.run(seconds: 90 + Double(seed) / 2)
      #expect(board.word("receiver.rate_hz") == "1")
      let count = board.desk.updates.count
      board.depart()
      board.run(seconds: 3, shake: 60)
      #expect(board.desk.updates.count > count)
    }
  }

  @Test func aReceiverThatCannotSleepStaysAtOneHertz() {
    var board = RestRateTests.board(.m8, kind: .usb)
    board.run(seconds: 600)
    #expect(board.word("power.state") == "resting")
    #expect(board.word("receiver.rate_hz") == "1")
  }

  @Test func shortRestsCostNoOrders() {
    var machine = PowerMachine(PowerSettings())
    var now = Instant.zero
    var changes = 0
    func look(_ need: PowerNeed, for seconds: Int) {
      for _ in 0..<seconds {
        let before = machine.isCalm
        _ = machine.settle(
          PowerMachine.Situation(
            need: need, powerState: .ready, hasLineAlone: false, isOpen: true, openings: 1,
            hasMotionSensor: true, isMotionSuspected: false, signalAt: now, fixAt: now, fixCount: 1,
            statistics: SleepStatistics()), at: now)
        if machine.isCalm != before { changes += 1 }
        now = now + .seconds(1)
      }
    }
    look(.updates, for: 100)
    for _ in 0..<20 {
      look(.rest, for: 8)
      look(.updates, for: 20)
    }
    #expect(changes == 0)
    // Longer ones, close together: at most twice a minute, there and back.
    for _ in 0..<20 {
      look(.rest, for: 15)
      look(.updates, for: 5)
    }
    #expect((2...16).contains(changes))
  }
}

import BinnacleBasics
import BinnacleModel
import Simulation
import Testing

@testable import LocationEngine

/// When the receiver sleeps, and how long it is on meanwhile.
@Suite struct PowerPolicyTests {
  private static let hours = 4.0

  @Test(arguments: [Generation.m8, .m10])
  func withAnAccelerometerItIsOnForAtMostFortySecondsInTwoHours(_ generation: Generation) {
    var board = PowerDesk(generation)
    board.desk.open()
    board.fallAsleep()
    board.startCounting()
    board.run(seconds: PowerPolicyTests.hours * 3_600 + 60)
    #expect(board.sleepCount == 2)
    #expect(board.onSeconds <= 40 * PowerPolicyTests.hours / 2)
    #expect(board.onSeconds >= 60)
    #expect(board.desk.updates.last?.flags == .stationary)
    #expect(board.word("power.next_fix") == "hot start")
  }

  @Test(arguments: [Generation.seven, .m8, .m10])
  func withoutAnAccelerometerItIsOnForAtMostAFortiethOfTheTime(_ generation: Generation) {
    var board = PowerDesk(generation, hasAccelerometer: false)
    board.desk.open()
    board.fallAsleep()
    board.startCounting()
    board.run(seconds: PowerPolicyTests.hours * 3_600)
    #expect(board.sleepCount > 40)
    #expect(board.onSeconds <= 0.025 * PowerPolicyTests.hours * 3_600)
    #expect(board.desk.updates.filter { $0.flags.contains(.stationary) }.count == 1)
    #expect(board.desk.updates.last?.flags == .stationary)
  }

  /// The control of the two above: the same board whose receiver never sleeps.
  @Test func aReceiverThatNeverSleepsIsOnAllTheTime() {
    var board = PowerDesk { $0.power.sleeps = false }
    board.desk.open()
    board.run(seconds: 200)
    board.startCounting()
    board.run(seconds: 1_000)
    #expect(board.onSeconds == 1_000)
  }

  @Test func withoutAnAccelerometerABoardThatDroveAwayIsFoundOutByTheNextProbe() {
    var board = PowerDesk(hasAccelerometer: false)
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 2_000)
    let count = board.desk.updates.count
    board.depart()
    board.run(seconds: 330)
    #expect(board.desk.updates.count > count)
    #expect(board.word("power.last_wake") == "because the board moved")
  }

  @Test func aGarageWithoutReceptionDoesNotEndAPauseWithoutMotion() {
    var board = PowerDesk()
    board.desk.open()
    board.fallAsleep()
    board.desk.receiver.world.skies = [World.Sky(start: .zero, visibility: 0)]
    board.run(seconds: 8_000)
    #expect(board.desk.updates.last?.flags == .stationary)
    #expect(board.isAsleep)
  }

  @Test func withoutClientsTheReceiverIsOff() {
    var board = PowerDesk()
    board.run(seconds: 200)
    #expect(board.isAsleep)
    #expect(board.word("power.state") == "off")
    #expect(board.word("power.cause") == "no client wants positions")
    board.desk.open()
    board.run(seconds: 6)
    #expect(board.desk.fixes.count >= 1)
  }

  @Test func withoutSatellitesTheSleepGrowsAndAClientStartsASearch() {
    var board = PowerDesk(hasAccelerometer: false, skies: [World.Sky(start: .zero, visibility: 0)])
    board.desk.open()
    board.run(seconds: 290)
    #expect(board.sleepCount == 0)
    board.run(seconds: 40)
    #expect(board.sleepCount == 1)
    #expect(board.word("power.cause") == "it heard no satellite")
    board.startCounting()
    // 1, 2, 4, 8, 15, 15, 15 min, and a minute of searching after each.
    board.run(seconds: 4_000)
    #expect((4...7).contains(board.sleepCount))
    #expect(board.onSeconds < 450)
    board.run(seconds: 120)
    board.desk.open(sequence: 2)
    board.run(seconds: 3)
    #expect(board.desk.receiver.isAwake)
    #expect(board.word("power.last_wake") == "for a program that began")
    board.desk.receiver.world.skies = [World.Sky(start: .zero, visibility: 1)]
    board.run(seconds: 60)
    #expect(board.desk.fixes.count > 10)
  }

  @Test func motionEndsTheSleepOfAReceiverThatHeardNothing() {
    var board = PowerDesk(skies: [World.Sky(start: .zero, visibility: 0)])
    board.desk.open()
    board.run(seconds: 1_000)
    for _ in 0..<2_000 where !board.isAsleep { board.run(seconds: 1) }
    #expect(board.isAsleep)
    board.run(seconds: 3, shake: 60)
    #expect(board.desk.receiver.isAwake)
    #expect(board.word("power.last_wake") == "because the board moved")
    board.run(seconds: 250, shake: 60)
    #expect(board.desk.receiver.isAwake)
  }

  /// How soon the first update comes after the board began to move, in seconds, over so many receivers.
  private static func delays(_ generation: Generation, isAsleep: Bool, count: Int) -> [Double] {
    var delays: [Double] = []
    for seed in 1...UInt64(count) {
      var board = PowerDesk(generation, seed: seed)
      board.desk.open()
      if isAsleep {
        board.fallAsleep()
        board.run(seconds: 30 + Double(seed))
      } else {
        board.run(seconds: 80 + Double(seed) / 2)
      }
      let count = board.desk.updates.count
      board.depart()
      let start = board.desk.now
      for _ in 0..<40 where board.desk.updates.count == count { board.run(seconds: 0.5, shake: 60) }
      delays.append((board.desk.now - start).seconds)
    }
    return delays.sorted()
  }

  @Test(arguments: [Generation.seven, .m8, .m10])
  func updatesContinueInThreeSecondsFromRestAndInFiveFromSleep(_ generation: Generation) {
    let resting = PowerPolicyTests.delays(generation, isAsleep: false, count: 10)
    #expect(resting.allSatisfy { $0 <= 3 })
    let asleep = PowerPolicyTests.delays(generation, isAsleep: true, count: 10)
    #expect(asleep.allSatisfy { $0 <= 5 })
  }

  /// The control of the one above: a receiver that has lost its memory meanwhile.
  @Test func aReceiverThatKnowsNothingTakesLonger() {
    var board = PowerDesk()
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 100)
    board.desk.receiver.removePower(keepsBattery: false, at: board.desk.now)
    board.desk.receiver.applyPower(at: board.desk.now)
    let count = board.desk.updates.count
    board.depart()
    board.run(seconds: 15, shake: 60)
    #expect(board.desk.updates.dropFirst(count).allSatisfy { $0.fix == nil })
  }

  @Test func theReportHasTheActualTimeThatTheReceiverWasOn() throws {
    var board = PowerDesk()
    board.desk.open()
    board.run(seconds: 7_600)
    guard case .number(let told)? = board.desk.report()["power.on_s_since_start"],
      case .number(let hour)? = board.desk.report()["power.on_s_last_hour"]
    else {
      Issue.record("no number")
      return
    }
    // The time that the engine needs to notice the sleep counts as on.
    #expect(abs(told - board.onSeconds) < 10)
    #expect(hour < 120)
  }
}

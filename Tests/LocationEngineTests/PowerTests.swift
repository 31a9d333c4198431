import BinnacleBasics
import BinnacleModel
import Simulation
import Testing

@testable import LocationEngine

/// A receiver that sleeps while the board rests.
@Suite struct PowerTests {
  @Test(arguments: [Generation.seven, .m8, .m10])
  func itRestsForAMinuteSleepsWhileTheBoardRestsAndIsBackSoonAfterMotion(
    _ generation: Generation
  ) throws {
    var board = PowerDesk(generation)
    board.desk.open()
    board.run(seconds: 100)
    #expect(board.desk.updates.last?.flags == .stationary)
    #expect(board.word("power.state") == "resting")
    board.fallAsleep()
    #expect(board.isAsleep)
    #expect(board.word("power.state") == "asleep")
    #expect(board.word("power.cause") == "the board rests")
    let count = board.desk.updates.count
    board.run(seconds: 1_000)
    #expect(board.isAsleep)
    #expect(board.desk.updates.count == count)
    board.depart()
    let start = board.desk.now
    board.run(seconds: 6, shake: 60)
    let next = try #require(board.desk.updates.dropFirst(count).first)
    #expect(next.flags == [])
    let fix = try #require(next.fix)
    let world = board.desk.receiver.world
    #expect(fix.time - world.utc(at: start) < .seconds(6))
    #expect(board.word("power.state") == "on")
    #expect(board.word("power.last_wake") == "because the board moved")
    #expect(board.word("power.user_1.what") == "default")
  }

  @Test func updatesThatContinueWhileItRestsStillComeAtOnce() throws {
    var board = PowerDesk()
    board.desk.open()
    board.run(seconds: 90)
    let count = board.desk.updates.count
    #expect(board.desk.updates.last?.flags == .stationary)
    board.depart()
    board.run(seconds: 3, shake: 60)
    #expect(board.desk.updates.count > count)
    #expect(board.desk.updates.last?.flags == [])
    #expect(board.sleepCount == 0)
  }

  @Test func anOpenedSequenceWakesTheReceiverAndGetsAFixInSeconds() {
    var board = PowerDesk()
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 600)
    let count = board.desk.updates.count
    board.desk.open(sequence: 2)
    board.run(seconds: 5)
    #expect(board.desk.updates.count > count)
    #expect(board.desk.updates.last?.flags == [])
    #expect(board.word("power.last_wake") == "for a program that began")
  }

  @Test(arguments: [true, false])
  func theEphemeridesAreRefreshedOnlyForAClient(hasClient: Bool) {
    var board = PowerDesk()
    board.desk.open()
    board.fallAsleep()
    if !hasClient {
      board.desk.send(.client(ClientID(number: 1), .updatesClosed(SequenceID(number: 1))))
    }
    board.startCounting()
    board.run(seconds: 8_000)
    #expect(board.isAsleep)
    // The receiver wakes by itself at the time that its last order has given.
    #expect((board.onSeconds < 5) == !hasClient, "\(board.onSeconds) s")
  }

  @Test func nothingIsKeptAndNothingWrittenWhileItSleeps() {
    var board = PowerDesk {
      $0.track = TrackSettings(accuracy: .full, period: .seconds(1), daysKept: 1)
    }
    board.desk.open()
    board.fallAsleep()
    board.run(seconds: 5)
    let commits = board.desk.commits.count
    let points = board.word("track.points")
    board.run(seconds: 8_000)
    #expect(board.desk.commits.count == commits)
    #expect(board.word("track.points") == points)
    #expect(board.word("track.points_waiting") == "0")
  }

  @Test func itsSettingsAreReadBackAfterItHasSleptAndNothingIsOrderedAgain() {
    var board = PowerDesk(.m8)
    board.desk.open()
    board.run(seconds: 100)
    let orders = board.desk.effects.count
    board.fallAsleep()
    let told = board.desk.effects[orders...].filter { effect in
      guard case .receiver(.write(let bytes)) = effect, bytes.count > 12 else { return false }
      return bytes[2] == 0x06
    }
    // Questions of CFG-MSG have two bytes, orders three or more.
    let isAllQuestions = told.allSatisfy { effect in
      guard case .receiver(.write(let bytes)) = effect else { return false }
      return bytes[4] <= 2
    }
    #expect(isAllQuestions)
    #expect(board.word("power.settings_mended") == "0")
    #expect(board.word("receiver.is_configured") == "yes")
  }

  @Test func settingsLostInSleepAreOrderedAgain() {
    var board = PowerDesk(.m10)
    board.desk.open()
    board.fallAsleep()
    // Its battery is empty, and it comes back by itself as it left the works, at the same speed.
    board.desk.receiver.removePower(keepsBattery: false, at: board.desk.now)
    board.desk.receiver.applyPower(at: board.desk.now)
    board.run(seconds: 3)
    #expect(board.word("power.settings_mended") != "0")
    board.run(seconds: 60)
    #expect(board.word("receiver.is_configured") == "yes")
  }

  @Test func aBoardWhoseProfileForbidsItNeverSleeps() {
    var board = PowerDesk { $0.power.sleeps = false }
    board.desk.open()
    board.run(seconds: 1_000)
    #expect(board.sleepCount == 0)
    #expect(board.word("power.state") == "resting")
    #expect(board.word("power.stays_on") == "Sleep=never in the board's profile")
  }
}

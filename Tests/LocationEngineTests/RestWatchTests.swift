import Accelerometers
import Basics
import Model
import Simulation
import Testing

@testable import LocationEngine

/// The engine with a simulated receiver and samples that are read from a chip's buffer twice a second.
@Suite struct RestWatchTests {
  private struct Ride {
    var desk: EngineDesk
    var random = Random(seed: 5)
    var sampleNumber = 0

    init(path: Simulation.Body.Path = .still, skies: [World.Sky]? = nil) {
      desk = EngineDesk(
        path: path, skies: skies ?? [World.Sky(start: .zero, visibility: 1)]
      ) {
        $0.hasAccelerometer = true
        $0.dwells.default = .seconds(60)
        $0.power.sleeps = false
      }
      desk.open()
    }

    /// Half seconds of samples at 50 Hz that sway by so many thousandths of g at 2 Hz; `shake` nil: no chip answers.
    mutating func run(seconds: Int, shake milliG: Double?) {
      for _ in 0..<seconds * 2 {
        let first = desk.now
        desk.run(seconds: 0.5)
        guard let milliG else { continue }
        var counts: [Int16] = []
        for _ in 0..<25 {
          sampleNumber += 1
          let sway = sampleNumber / 12 % 2 == 0 ? milliG : -milliG
          for still in [0.0, 0.0, 1_000.0] {
            counts.append(Int16(still + sway + 4 * random.unit()))
          }
        }
        let batch = AccelerationBatch(
          first: first, interval: .milliseconds(20), gPerCount: 0.001, counts: counts)
        desk.send(.accelerometer(.samples(batch)))
      }
    }

    var stationaryCount: Int { desk.updates.filter { $0.flags.contains(.stationary) }.count }
  }

  @Test func withoutAnAccelerometerTheReceiverAlonePausesUpdatesAndTheAppsPathIsZero() throws {
    var desk = EngineDesk { $0.dwells.default = .seconds(60) }
    desk.open()
    desk.run(seconds: 180)
    let last = try #require(desk.updates.last)
    #expect(last.flags == .stationary)
    #expect(last.fix != nil)
    let count = desk.updates.count
    desk.run(seconds: 3_600)
    #expect(desk.updates.count == count)
    let report = desk.report()
    #expect(report["motion.sources"] == .text("receiver"))
    #expect(report["sessions.paused"] == .integer(1))
  }

  @Test func aQuietAccelerometerPausesAndShakingGoesOnWithTheNextFix() throws {
    var ride = Ride()
    ride.run(seconds: 90, shake: 0)
    #expect(ride.stationaryCount == 1)
    #expect(ride.desk.updates.last?.flags == .stationary)
    let count = ride.desk.updates.count
    ride.run(seconds: 30, shake: 0)
    #expect(ride.desk.updates.count == count)
    let report = ride.desk.report()
    #expect(report["motion.sources"] == .text("both"))
    #expect(report["motion.by"] == .text("dwellReached"))
    // The receiver denies that it moves and is believed for two seconds; then the fix of the next epoch.
    ride.run(seconds: 4, shake: 60)
    let resumed = try #require(ride.desk.updates.dropFirst(count).first)
    #expect(resumed.flags == [])
    #expect(resumed.fix != nil)
  }

  @Test func aBoardThatDrivesDoesNotPauseHoweverSmoothTheRoad() {
    var ride = Ride(path: .motorway)
    ride.run(seconds: 200, shake: 0)
    #expect(ride.stationaryCount == 0)
  }

  @Test func anAccelerometerThatFallsSilentLeavesTheVerdictToTheReceiver() {
    var ride = Ride()
    ride.run(seconds: 90, shake: 0)
    let count = ride.desk.updates.count
    ride.run(seconds: 60, shake: nil)
    #expect(ride.desk.updates.count == count)
    #expect(ride.desk.report()["motion.sources"] == .text("receiver"))
    #expect(ride.desk.report()["motion.accelerometer"] == .text("silent"))
  }

  @Test func whenBothFallSilentThePositionIsUnavailableAndTheRestIsOver() {
    let start = Instant.zero
    var ride = Ride(skies: [
      World.Sky(start: start, visibility: 1), World.Sky(start: start + .seconds(90), visibility: 0),
    ])
    ride.run(seconds: 90, shake: 0)
    #expect(ride.stationaryCount == 1)
    ride.run(seconds: 30, shake: nil)
    #expect(ride.desk.updates.last?.flags == .locationUnavailable)
    #expect(ride.desk.report()["motion.by"] == .text("blind"))
    #expect(ride.desk.report()["motion.is_stationary"] == .flag(false))
  }

  @Test func samplesThatAreOlderThanAFixThatCameBeforeThemStillCount() {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.seconds(60)], at: .zero)
    let fix = Fix(
      latitude: 48, longitude: 11, horizontalAccuracy: 3, speed: 0, speedAccuracy: 0.1,
      time: UTCTime(secondsSince1970: 1_790_000_000))
    var now = Instant.zero
    for _ in 0..<8 {
      // The buffer is read just after a fix has come that is younger than all of its samples.
      now += .milliseconds(500)
      _ = watch.fixJudged(fix, at: now)
      var counts: [Int16] = []
      for number in 0..<25 { counts += [0, 0, Int16(1_000 + number % 3)] }
      let batch = AccelerationBatch(
        first: now - .milliseconds(500), interval: .milliseconds(20), gPerCount: 0.001,
        counts: counts)
      _ = watch.samplesArrived(batch, at: now)
    }
    #expect(watch.verdict(dwell: .seconds(60))?.evidence.sources == .both)
  }

  @Test func aDwellThatNobodyWaitsForIsForgotten() {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.seconds(60), .seconds(120)], at: .zero)
    watch.dwellsWanted([.seconds(120)], at: .zero)
    #expect(watch.verdict(dwell: .seconds(60)) == nil)
    #expect(watch.verdict(dwell: .seconds(120))?.isStationary == false)
  }
}

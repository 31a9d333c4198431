import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// Tests of every driver, each with its simulated chip.
@Suite struct DriverTests {
  @Test func theTestsHaveAChipOfEveryFamily() {
    #expect(Set(ChipCase.all.map(\.family)) == Set(ChipFamily.allCases))
  }

  @Test(arguments: ChipCase.all) func aChipIsFoundAndTestedAndDeliversSamples(_ one: ChipCase) {
    var desk = one.desk()
    desk.run(.seconds(20))
    #expect(desk.found.map(\.model) == [one.model])
    #expect(desk.found.first?.address == one.chip.address)
    #expect(desk.found.first?.selfTest == "passed")
    #expect(desk.found.first?.reading == one.polled)
    #expect(desk.faults == [])
    // 50 samples or so a second, by a clock that is off by a few percent, less the time of the start.
    let wanted = one.rateHz * (1 + one.chip.masses.clockError) * 19.5
    #expect((wanted - 35...wanted + 35).contains(Double(desk.sampleCount)))
    #expect(desk.batches.allSatisfy { $0.lostCount == 0 && $0.saturatedCount == 0 })
  }

  @Test(arguments: ChipCase.all, [2, 4, 8, 16]) func samplesAreInGInEveryRange(
    _ one: ChipCase, rangeG: Int
  ) {
    var desk = one.desk(rangeG: rangeG)
    let wanted = Acceleration(x: 0.3, y: -0.7, z: 0.65)
    desk.bus.accelerometers[0].masses.acceleration = wanted
    desk.run(.seconds(4))
    let mean = desk.mean(ofLast: 4)
    #expect(abs(mean.x - wanted.x) < 0.008)
    #expect(abs(mean.y - wanted.y) < 0.008)
    #expect(abs(mean.z - wanted.z) < 0.008)
    #expect(desk.found.first?.rangeG == min(rangeG, one.rangeMaxG))
  }

  @Test(arguments: ChipCase.all, [10, 25, 100, 200]) func samplesArriveAtTheReportedRate(
    _ one: ChipCase, rateHz: Int
  ) {
    var desk = one.desk(rateHz: rateHz)
    desk.run(.seconds(12))
    let said = desk.found.first?.rateHz ?? 0
    #expect(said >= Double(rateHz) && said <= Double(rateHz) * one.rateStep)
    let span = desk.batches.dropFirst().reduce(0) { $0 + $1.count }
    let first = desk.batches.dropFirst().first?.first ?? .zero
    let seconds = (desk.now - first).seconds
    #expect(abs(Double(span) / seconds / said - 1) < 0.1)
    #expect(desk.batches.allSatisfy { $0.lostCount == 0 })
  }

  @Test(arguments: ChipCase.all) func theMeasuredNoiseEqualsTheDescription(_ one: ChipCase) {
    var desk = one.desk()
    desk.bus.accelerometers[0].masses.noiseG = 0.003
    desk.run(.seconds(8))
    let values = desk.batches.flatMap { batch in (0..<batch.count).map { batch[$0].x } }
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    #expect((0.0025...0.0036).contains(variance.squareRoot()))
    #expect(one.noiseG.contains(desk.found.first?.noiseG ?? -1))
  }

  @Test(arguments: ChipCase.all) func samplesHaveInstantsThatFollowTheChipsClock(_ one: ChipCase) {
    var desk = one.desk()
    desk.run(.seconds(60))
    let batches = desk.batches
    for (before, after) in zip(batches, batches.dropFirst()) {
      #expect(after.first > before.instant(of: before.count - 1))
    }
    let rate = one.rateHz * (1 + one.chip.masses.clockError)
    let measured = 1 / (batches.last?.interval.seconds ?? 1)
    #expect(abs(measured / rate - 1) < 0.01)
    // Sample 100 after the middle lies where the chip made it.
    let newest = batches.last.map { $0.instant(of: $0.count - 1) } ?? .zero
    #expect(desk.now - newest < .milliseconds(1_100))
    #expect(newest <= desk.now)
  }

  @Test(arguments: ChipCase.all.filter(\.hasFIFO)) func pollingWakesAtMostFiveTimesASecond(
    _ one: ChipCase
  ) {
    var desk = one.desk()
    desk.run(.seconds(5))
    let before = desk.wakeCount
    desk.run(.seconds(60))
    #expect(desk.wakeCount - before <= 5 * 60)
    #expect(desk.wakeCount - before >= 60)
  }

  /// Where bursts come more often than once a second, what is surely there is read with its level in one transfer: asking

  /// first would be a transfer more, and with it a wake-up.

  @Test(arguments: ChipCase.all.filter(\.hasFIFO)) func aSmallFIFOIsReadWithoutAskingFirst(
    _ one: ChipCase
  ) throws {
    let configuration = try #require(one.configuration)
    #expect(configuration.fifo?.isSteady == (configuration.burstPeriod < .seconds(1)))
  }

  @Test(arguments: ChipCase.all) func restingWithALineWakesInTenMinutes(_ one: ChipCase) {
    var desk = one.desk(hasLine: true, mode: .resting)
    desk.run(.seconds(5))
    #expect(desk.found.map(\.reading) == [.restingWithInterrupt])
    let before = desk.wakeCount
    desk.run(.seconds(620))
    #expect(desk.wakeCount - before <= 2)
    #expect(desk.movedCount == 0)
    #expect(desk.sampleCount == 2)
  }

  @Test(arguments: ChipCase.all) func movementIsReportedWhileItRests(_ one: ChipCase) {
    var desk = one.desk(hasLine: true, mode: .resting)
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0.4, y: 0, z: 0.9)
    desk.run(.milliseconds(100))
    #expect(desk.movedCount == 1)
    // Once more after it was put back, and not more than once a second.
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0, y: 0, z: 1)
    desk.run(.seconds(5))
    #expect((2...11).contains(desk.movedCount))
  }

  @Test(arguments: ChipCase.all) func aWatermarkSavesTheClock(_ one: ChipCase) {
    var desk = one.desk(hasLine: true)
    desk.run(.seconds(10))
    #expect(desk.found.first?.reading == one.lined)
    #expect(desk.faults == [])
    #expect(desk.sampleCount > 430)
    if one.lined == .interrupt { #expect(desk.batches.dropFirst().allSatisfy { $0.count >= 20 }) }
  }

  /// It is set up again and again, for years.

  @Test(arguments: ChipCase.all) func saturationIsCounted(_ one: ChipCase) {
    var desk = one.desk()
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0, y: 3, z: 1)
    desk.run(.seconds(3))
    let last = desk.batches.last
    #expect(last?.saturatedCount == last?.count)
    #expect((last?[0].y ?? 0) > 1.98)
  }

  @Test(arguments: ChipCase.all) func aShakenBoardMakesTheSelfTestInconclusive(_ one: ChipCase) {
    var chip = one.chip
    chip.masses.noiseG = 0.3
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [chip]), mode: .streaming)
    desk.run(.seconds(5))
    #expect(desk.found.first?.selfTest.hasPrefix("inconclusive") == true)
    #expect(desk.faults == [])
  }

  @Test(arguments: ChipCase.all) func theModeIsChangedAtWork(_ one: ChipCase) {
    var desk = one.desk(mode: .resting)
    desk.run(.seconds(3))
    desk.call { $0.modeWanted(.streaming, at: $1, into: &$2) }
    desk.run(.seconds(5))
    desk.call { $0.modeWanted(.resting, at: $1, into: &$2) }
    desk.run(.seconds(3))
    #expect(desk.found.map(\.reading) == [.resting, one.polled, .resting])
    let before = desk.sampleCount
    desk.run(.seconds(30))
    #expect(desk.sampleCount - before <= 1)
  }
}

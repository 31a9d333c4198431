import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// Tests of every driver, each with its simulated chip.
@Suite struct DriverTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let family: ChipFamily
    let model: String
    let chip: any SimulatedAccelerometer
    var hasWatermark = true
    /// MMA8452 and 8453 give sample by sample.
    var hasFIFO = true
    /// The actual rate for a request of 50 Hz, and the steps between the rates.
    var rateHz = 50.0
    var rateStep = 1.3
    /// Longer than its FIFO holds at that rate.
    var holdUp = Interval.seconds(8)
    /// By the data sheet, in g; 0: it has no figure.
    var noiseG: ClosedRange<Double> = 0.0003...0.005
    var rangeMaxG = 16
    /// Whether its steps are fine enough that noise moves the last digit.
    var noiseShows = true
    /// Whether its interrupt is fine enough to take the place of reading while updates pause.
    var isArmable: Bool {
      ["LIS3DH", "MPU-6500", "LSM6DSO", "ICM-20948"].contains(model)
    }

    var polled: AccelerometerDescription.Reading { hasFIFO ? .polledFIFO : .polled }
    var lined: AccelerometerDescription.Reading {
      hasWatermark ? .interrupt : polled
    }

    var testDescription: String { model }
  }

  static let cases: [Case] = [
    Case(family: .lis3dh, model: "LIS3DH", chip: SimulatedLIS3DH(clockError: 0.03)),
    Case(
      family: .mpu6050, model: "MPU-6050", chip: SimulatedMPU6050(clockError: -0.02),
      hasWatermark: false),
    Case(
      family: .mpu6050, model: "MPU-6500",
      chip: SimulatedMPU6050(identity: 0x70, clockError: 0.02), hasWatermark: false),
    Case(family: .adxl345, model: "ADXL345", chip: SimulatedADXL345(clockError: -0.03)),
    Case(
      family: .lsm6ds, model: "LSM6DS3", chip: SimulatedLSM6DS(clockError: 0.02), rateHz: 52,
      holdUp: .seconds(30), noiseG: 0.0002...0.0004),
    Case(
      family: .lsm6ds, model: "LSM6DS3TR-C",
      chip: SimulatedLSM6DS(address: 0x6B, identity: 0x6A, clockError: -0.02), rateHz: 52,
      holdUp: .seconds(18), noiseG: 0.0002...0.0004),
    Case(
      family: .lsm6ds, model: "LSM6DSO",
      chip: SimulatedLSM6DS(identity: 0x6C, clockError: 0.03), rateHz: 52,
      holdUp: .seconds(14), noiseG: 0.0001...0.0003),
    Case(
      family: .lsm9ds1, model: "LSM9DS1", chip: SimulatedLSM9DS1(clockError: -0.02), rateStep: 2,
      noiseG: 0...0),
    Case(
      family: .mma845x, model: "MMA8451", chip: SimulatedMMA845x(clockError: 0.02), rateStep: 2,
      noiseG: 0.0004...0.0006, rangeMaxG: 8),
    Case(
      family: .mma845x, model: "MMA8452",
      chip: SimulatedMMA845x(address: 0x1C, identity: 0x2A, clockError: -0.02),
      hasWatermark: false, hasFIFO: false,
      rateStep: 2, noiseG: 0.0005...0.0007, rangeMaxG: 8),
    Case(
      family: .mma845x, model: "MMA8453", chip: SimulatedMMA845x(identity: 0x3A, clockError: 0.03),
      hasWatermark: false, hasFIFO: false, rateStep: 2, noiseG: 0.001...0.0014, rangeMaxG: 8,
      noiseShows: false),
    Case(
      family: .kx022, model: "KX022", chip: SimulatedKX022(clockError: -0.02),
      noiseG: 0.0002...0.0004, rangeMaxG: 8),
    Case(
      family: .kx022, model: "KX023",
      chip: SimulatedKX022(address: 0x1F, identity: 0x15, clockError: 0.02),
      noiseG: 0.0002...0.0004, rangeMaxG: 8),
    Case(
      family: .icm20948, model: "ICM-20948", chip: SimulatedICM20948(clockError: 0.01),
      hasWatermark: false, rateHz: 51.1, holdUp: .seconds(8), noiseG: 0.0006...0.0011),
  ]

  private func desk(
    _ one: Case, hasLine: Bool = false, mode: AccelerometerMachine.Mode = .streaming,
    rangeG: Int = 2, rateHz: Int = 50
  ) -> ChipDesk {
    ChipDesk(
      AccelerometerSettings(rangeG: rangeG, rateHz: rateHz, hasLine: hasLine),
      SimulatedI2CBus(accelerometers: [one.chip]), mode: mode)
  }

  /// How it is read while every sample counts.
  static func configuration(of one: Case) -> ChipConfiguration? {
    let driver = one.family.driver
    let model = driver.identities.flatMap(\.models).first { $0.name == one.model }
    return model.map { driver.configuration(for: $0, AccelerometerSettings(), use: .streaming) }
  }

  @Test(arguments: cases) func aChipIsFoundAndTestedAndDeliversSamples(_ one: Case) {
    var desk = desk(one)
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

  @Test(arguments: cases, [2, 4, 8, 16]) func samplesAreInGInEveryRange(_ one: Case, rangeG: Int) {
    var desk = desk(one, rangeG: rangeG)
    let wanted = Acceleration(x: 0.3, y: -0.7, z: 0.65)
    desk.bus.accelerometers[0].masses.acceleration = wanted
    desk.run(.seconds(4))
    let mean = desk.mean(ofLast: 4)
    #expect(abs(mean.x - wanted.x) < 0.008)
    #expect(abs(mean.y - wanted.y) < 0.008)
    #expect(abs(mean.z - wanted.z) < 0.008)
    #expect(desk.found.first?.rangeG == min(rangeG, one.rangeMaxG))
  }

  @Test(arguments: cases, [10, 25, 100, 200]) func samplesArriveAtTheReportedRate(
    _ one: Case, rateHz: Int
  ) {
    var desk = desk(one, rateHz: rateHz)
    desk.run(.seconds(12))
    let said = desk.found.first?.rateHz ?? 0
    #expect(said >= Double(rateHz) && said <= Double(rateHz) * one.rateStep)
    let span = desk.batches.dropFirst().reduce(0) { $0 + $1.count }
    let first = desk.batches.dropFirst().first?.first ?? .zero
    let seconds = (desk.now - first).seconds
    #expect(abs(Double(span) / seconds / said - 1) < 0.1)
    #expect(desk.batches.allSatisfy { $0.lostCount == 0 })
  }

  @Test(arguments: cases) func theMeasuredNoiseEqualsTheDescription(_ one: Case) {
    var desk = desk(one)
    desk.bus.accelerometers[0].masses.noiseG = 0.003
    desk.run(.seconds(8))
    let values = desk.batches.flatMap { batch in (0..<batch.count).map { batch[$0].x } }
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    #expect((0.0025...0.0036).contains(variance.squareRoot()))
    #expect(one.noiseG.contains(desk.found.first?.noiseG ?? -1))
  }

  @Test(arguments: cases) func samplesHaveInstantsThatFollowTheChipsClock(_ one: Case) {
    var desk = desk(one)
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

  @Test(arguments: cases.filter(\.hasFIFO)) func pollingWakesAtMostFiveTimesASecond(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    let before = desk.wakeCount
    desk.run(.seconds(60))
    #expect(desk.wakeCount - before <= 5 * 60)
    #expect(desk.wakeCount - before >= 60)
  }

  /// Where bursts come more often than once a second, what is surely there is read with its level in one transfer: asking
  /// first would be a transfer more, and with it a wake-up.
  @Test(arguments: cases.filter(\.hasFIFO)) func aSmallFIFOIsReadWithoutAskingFirst(
    _ one: Case
  ) throws {
    let configuration = try #require(DriverTests.configuration(of: one))
    #expect(configuration.fifo?.isSteady == (configuration.burstPeriod < .seconds(1)))
  }

  @Test(arguments: cases) func restingWithALineWakesInTenMinutes(_ one: Case) {
    var desk = desk(one, hasLine: true, mode: .resting)
    desk.run(.seconds(5))
    #expect(desk.found.map(\.reading) == [.restingWithInterrupt])
    let before = desk.wakeCount
    desk.run(.seconds(620))
    #expect(desk.wakeCount - before <= 2)
    #expect(desk.movedCount == 0)
    #expect(desk.sampleCount == 2)
  }

  @Test(arguments: cases) func movementIsReportedWhileItRests(_ one: Case) {
    var desk = desk(one, hasLine: true, mode: .resting)
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

  @Test(arguments: cases) func aWatermarkSavesTheClock(_ one: Case) {
    var desk = desk(one, hasLine: true)
    desk.run(.seconds(10))
    #expect(desk.found.first?.reading == one.lined)
    #expect(desk.faults == [])
    #expect(desk.sampleCount > 430)
    if one.lined == .interrupt { #expect(desk.batches.dropFirst().allSatisfy { $0.count >= 20 }) }
  }

  @Test(arguments: cases.filter(\.hasWatermark)) func aLineThatIsNotWiredIsNoticed(_ one: Case) {
    var desk = desk(one, hasLine: true)
    desk.isLineWired = false
    desk.run(.seconds(12))
    #expect(desk.faults == [.lineSilent])
    #expect(desk.found.map(\.reading) == [one.lined, one.polled])
    let before = desk.sampleCount
    desk.run(.seconds(10))
    #expect(desk.sampleCount - before > 450)
  }

  @Test(arguments: cases) func aChipThatWasUnpluggedIsSetUpAgain(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.unplug(one.chip.address)
    desk.run(.seconds(20))
    #expect(desk.faults.first == .vanished)
    let before = desk.sampleCount
    desk.run(.seconds(5))
    #expect(desk.sampleCount == before)
    desk.bus.plug(one.chip.address, at: desk.now)
    desk.run(.seconds(40))
    #expect(desk.found.count == 2)
    #expect(desk.sampleCount > before + 300)
  }

  @Test(arguments: cases) func aChipThatLostItsPowerForAMomentIsSetUpAgain(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.plug(one.chip.address, at: desk.now)
    desk.run(.seconds(90))
    #expect(desk.found.count == 2)
    let before = desk.sampleCount
    desk.run(.seconds(10))
    #expect(desk.sampleCount - before > 450)
  }

  @Test(arguments: cases) func singleFailuresOfTheBusAreSurvived(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    for _ in 0..<10 {
      desk.bus.fail(2, errno: SimulatedI2CBus.noAcknowledge)
      desk.run(.seconds(3))
    }
    #expect(desk.faults == [])
    #expect(desk.found.count == 1)
    // A FIFO that has to be started again loses what it holds.
    let keeps = ![.mma845x, .kx022].contains(one.family)
    #expect(desk.sampleCount > (keeps ? 1_400 : 1_200))
  }

  @Test(arguments: cases) func aStuckBusIsReportedOnceAndEnds(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.isStuck = true
    desk.run(.seconds(120))
    #expect(desk.faults == [.busFailed])
    let before = desk.sampleCount
    desk.bus.isStuck = false
    desk.run(.seconds(60))
    #expect(desk.found.count == 2)
    #expect(desk.sampleCount - before > 1_000)
  }

  @Test(arguments: cases) func anotherChipIsNeverWrittenTo(_ one: Case) {
    var chip = one.chip
    chip.falseIdentity = 0x5C
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [chip]), mode: .streaming)
    desk.run(.seconds(60))
    #expect(desk.faults == [.unknownChip])
    #expect(desk.writes == [])
  }

  @Test(arguments: cases) func aChipThatBecomesAnotherIsLeftAlone(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].falseIdentity = 0x5C
    desk.run(.seconds(62))
    #expect(desk.faults == [.unknownChip])
    let before = desk.writes.count
    desk.run(.seconds(60))
    #expect(desk.writes.count == before)
  }

  @Test(arguments: cases.filter(\.noiseShows)) func aFrozenAxisIsReportedAndSamplesContinue(
    _ one: Case
  ) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.frozenAxis = 1
    desk.run(.seconds(15))
    #expect(desk.faults == [.frozen])
    guard
      case .fault(let fault)? = desk.told.last(where: {
        if case .fault = $0 { true } else { false }
      })
    else {
      Issue.record("no fault is reported")
      return
    }
    #expect(fault.description.contains("axis y"))
    let before = desk.sampleCount
    desk.run(.seconds(2))
    #expect(desk.sampleCount > before)
  }

  @Test(arguments: cases) func aChipWithoutSamplesIsSetUpAgain(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.isDead = true
    desk.run(.seconds(10))
    #expect(desk.faults.contains(.silent))
    desk.bus.accelerometers[0].masses.isDead = false
    desk.run(.seconds(60))
    #expect(desk.found.count >= 2)
  }

  /// It is set up again and again, for years.
  @Test(arguments: cases) func aChipThatStaysWithoutSamplesIsReportedOnceAndTriedEachHalfMinute(
    _ one: Case
  ) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.isDead = true
    desk.run(.seconds(300))
    #expect(desk.faults == [.silent])
    #expect(desk.found.count == 1)
    let (orders, heard) = (desk.orderCount, desk.told.count)
    desk.run(.seconds(300))
    #expect(desk.told.count == heard)
    // Ten rounds of a look, a self-test, registers and empty bursts.
    #expect((1...1_500).contains(desk.orderCount - orders))
    desk.bus.accelerometers[0].masses.isDead = false
    desk.run(.seconds(40))
    guard desk.told.count > heard, case .found = desk.told[heard] else {
      Issue.record("what is told of it when it makes samples again does not begin with what it is")
      return
    }
    #expect(desk.found.count == 2)
  }

  @Test(arguments: cases) func saturationIsCounted(_ one: Case) {
    var desk = desk(one)
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0, y: 3, z: 1)
    desk.run(.seconds(3))
    let last = desk.batches.last
    #expect(last?.saturatedCount == last?.count)
    #expect((last?[0].y ?? 0) > 1.98)
  }

  @Test(arguments: cases) func anOverrunIsCountedAndLeavesNoHalfSample(_ one: Case) {
    var desk = desk(one)
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0.25, y: -0.5, z: 0.8)
    desk.run(.seconds(5))
    // The bus thread was blocked for longer than the FIFO can hold samples: time passes without reads.
    desk.now += one.holdUp
    desk.run(.seconds(3))
    let lost = desk.batches.reduce(0) { $0 + $1.lostCount }
    // And what one burst more would have brought.
    let most = Int((one.holdUp.seconds + 1) * one.rateHz * 1.05)
    #expect((150...most).contains(lost))
    let mean = desk.mean(ofLast: 2)
    #expect(abs(mean.x - 0.25) < 0.01 && abs(mean.y + 0.5) < 0.01 && abs(mean.z - 0.8) < 0.01)
    #expect(desk.faults == [])
  }

  @Test(arguments: cases) func aBrokenMassFailsTheSelfTestAndIsUsedAllTheSame(_ one: Case) {
    // A chip whose field has no effect: the masses hang.
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [one.chip]), mode: .streaming)
    desk.bus.accelerometers[0].masses.frozenAxis = 2
    desk.run(.seconds(5))
    #expect(desk.faults.first == .selfTestFailed)
    #expect(desk.found.first?.selfTest.contains("axis z") == true)
    #expect(desk.sampleCount > 100)
  }

  @Test(arguments: cases) func aShakenBoardMakesTheSelfTestInconclusive(_ one: Case) {
    var chip = one.chip
    chip.masses.noiseG = 0.3
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [chip]), mode: .streaming)
    desk.run(.seconds(5))
    #expect(desk.found.first?.selfTest.hasPrefix("inconclusive") == true)
    #expect(desk.faults == [])
  }

  @Test(arguments: cases) func theModeIsChangedAtWork(_ one: Case) {
    var desk = desk(one, mode: .resting)
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

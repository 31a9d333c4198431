import BinnacleBasics
import BinnacleModel
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// Tests of every driver with a chip, a bus or an interrupt line that fails.
@Suite struct DriverFaultTests {
  @Test func theKeyOfTheReportListsEveryKindOfFault() throws {
    let entry = try #require(ReportCatalog.entry(of: "accelerometer.fault_kind"))
    for kind in AccelerometerFailure.allCases {
      #expect(entry.meaning.contains("`\(kind.word)`"), "\(kind)")
    }
  }

  @Test(arguments: ChipCase.all.filter(\.hasWatermark)) func aLineThatIsNotWiredIsNoticed(
    _ one: ChipCase
  ) {
    var desk = one.desk(hasLine: true)
    desk.isLineWired = false
    desk.run(.seconds(12))
    #expect(desk.faults == [.lineSilent])
    #expect(desk.found.map(\.reading) == [one.lined, one.polled])
    let before = desk.sampleCount
    desk.run(.seconds(10))
    #expect(desk.sampleCount - before > 450)
  }

  @Test(arguments: ChipCase.all) func aChipThatWasUnpluggedIsSetUpAgain(_ one: ChipCase) {
    var desk = one.desk()
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

  @Test(arguments: ChipCase.all) func aChipThatLostItsPowerForAMomentIsSetUpAgain(_ one: ChipCase) {
    var desk = one.desk()
    desk.run(.seconds(5))
    desk.bus.plug(one.chip.address, at: desk.now)
    desk.run(.seconds(90))
    #expect(desk.found.count == 2)
    let before = desk.sampleCount
    desk.run(.seconds(10))
    #expect(desk.sampleCount - before > 450)
  }

  @Test(arguments: ChipCase.all) func singleFailuresOfTheBusAreSurvived(_ one: ChipCase) {
    var desk = one.desk()
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

  @Test(arguments: ChipCase.all) func aStuckBusIsReportedOnceAndEnds(_ one: ChipCase) {
    var desk = one.desk()
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

  @Test(arguments: ChipCase.all) func anotherChipIsNeverWrittenTo(_ one: ChipCase) {
    var chip = one.chip
    chip.falseIdentity = 0x5C
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [chip]), mode: .streaming)
    desk.run(.seconds(60))
    #expect(desk.faults == [.unknownChip])
    #expect(desk.writes == [])
  }

  @Test(arguments: ChipCase.all) func aChipThatBecomesAnotherIsLeftAlone(_ one: ChipCase) {
    var desk = one.desk()
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].falseIdentity = 0x5C
    desk.run(.seconds(62))
    #expect(desk.faults == [.unknownChip])
    let before = desk.writes.count
    desk.run(.seconds(60))
    #expect(desk.writes.count == before)
  }

  @Test(arguments: ChipCase.all.filter(\.noiseShows)) func aFrozenAxisIsReportedAndSamplesContinue(
    _ one: ChipCase
  ) {
    var desk = one.desk()
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.frozenAxis = 1
    desk.run(.seconds(15))
    #expect(desk.faults == [.frozen])
    #expect(desk.faultTexts.last?.contains("axis y") == true)
    let before = desk.sampleCount
    desk.run(.seconds(2))
    #expect(desk.sampleCount > before)
  }

  @Test(arguments: ChipCase.all) func aChipWithoutSamplesIsSetUpAgain(_ one: ChipCase) {
    var desk = one.desk()
    desk.run(.seconds(5))
    desk.bus.accelerometers[0].masses.isDead = true
    desk.run(.seconds(10))
    #expect(desk.faults.contains(.silent))
    desk.bus.accelerometers[0].masses.isDead = false
    desk.run(.seconds(60))
    #expect(desk.found.count >= 2)
  }

  @Test(arguments: ChipCase.all)
  func aChipThatStaysWithoutSamplesIsReportedOnceAndTriedEachHalfMinute(_ one: ChipCase) {
    var desk = one.desk()
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
    // The description of the chip comes before its samples.
    #expect(desk.told.dropFirst(heard).first?.isFound == true)
    #expect(desk.found.count == 2)
  }

  @Test(arguments: ChipCase.all) func anOverrunIsCountedAndLeavesNoHalfSample(_ one: ChipCase) {
    var desk = one.desk()
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

  @Test(arguments: ChipCase.all) func aBrokenMassFailsTheSelfTestAndIsUsedAllTheSame(
    _ one: ChipCase
  ) {
    // A chip whose field has no effect: the masses hang.
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [one.chip]), mode: .streaming)
    desk.bus.accelerometers[0].masses.frozenAxis = 2
    desk.run(.seconds(5))
    #expect(desk.faults.first == .selfTestFailed)
    #expect(desk.found.first?.selfTest.contains("axis z") == true)
    #expect(desk.sampleCount > 100)
  }
}

extension AccelerometerMachine.Action {
  fileprivate var isFound: Bool { if case .found = self { true } else { false } }
}

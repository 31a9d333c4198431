import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// A burst that broke off after some bytes, and what comes out afterwards: never bytes of one axis as another's.
struct BrokenBurstTests {
  static let lengths = [1, 2, 3, 5, 6, 7, 9, 13, 40]

  @Test(arguments: ChipCase.all, lengths)
  func anInterruptedBurstShiftsNoSample(_ one: ChipCase, byteCount: Int) {
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [one.chip]), mode: .streaming)
    let wanted = Acceleration(x: 0.25, y: -0.5, z: 0.8)
    desk.bus.accelerometers[0].masses.acceleration = wanted
    desk.run(.seconds(4))
    desk.bus.breakOff(after: byteCount)
    desk.run(.seconds(6))
    for batch in desk.batches {
      for index in 0..<batch.count {
        let sample = batch[index]
        #expect(abs(sample.x - wanted.x) < 0.03)
        #expect(abs(sample.y - wanted.y) < 0.03)
        #expect(abs(sample.z - wanted.z) < 0.03)
      }
    }
    #expect(desk.faults == [])
    #expect(desk.found.count == 1)
    // The chip loses little more than a second of samples, and samples continue.
    #expect(Double(desk.sampleCount) > one.rateHz * 6.5)
  }

  /// With a FIFO of bytes: MPU, ICM and KX.
  static let byteFIFOs = ChipCase.all.filter {
    [.mpu6050, .icm20948, .kx022].contains($0.family)
  }

  @Test(arguments: byteFIFOs) func discardedSamplesAreCounted(_ one: ChipCase) {
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [one.chip]), mode: .streaming)
    desk.run(.seconds(4))
    let before = desk.sampleCount
    desk.bus.breakOff(after: 7)
    desk.run(.seconds(10))
    let lost = desk.batches.reduce(0) { $0 + $1.lostCount }
    #expect((30...65).contains(lost))
    let made = one.rateHz * (1 + one.chip.masses.clockError) * 10
    #expect(abs(Double(desk.sampleCount - before + lost) - made) < 60)
  }

  @Test(arguments: byteFIFOs) func aFIFOThatCannotBeStartedAgainAtOnceIsStartedLater(
    _ one: ChipCase
  ) {
    var desk = ChipDesk(
      AccelerometerSettings(), SimulatedI2CBus(accelerometers: [one.chip]), mode: .streaming)
    desk.run(.seconds(4))
    desk.bus.breakOff(after: 7)
    // The next reading of level and FIFO goes well, the order that starts the FIFO again does not.
    desk.bus.fail(2, errno: SimulatedI2CBus.noAcknowledge, after: 4)
    let before = desk.sampleCount
    desk.run(.seconds(6))
    #expect(desk.sampleCount - before > 200)
    #expect(desk.faults == [])
  }

  @Test func stepsThatAreCoarserThanNoiseAreNoFrozenAxis() {
    let settings = AccelerometerSettings(rangeG: 16)
    for chip: any SimulatedAccelerometer in [
      SimulatedMMA845x(identity: 0x3A), SimulatedLIS3DH(),
    ] {
      var quiet = chip
      quiet.masses.noiseG = 0.1e-3
      var desk = ChipDesk(settings, SimulatedI2CBus(accelerometers: [quiet]), mode: .streaming)
      desk.run(.seconds(30))
      #expect(desk.faults == [])
      #expect(desk.sampleCount > 1_200)
    }
  }
}

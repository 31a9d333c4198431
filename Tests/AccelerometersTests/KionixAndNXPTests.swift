import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// The MMA845x and the KX022, register by register.
struct KionixAndNXPTests {
  private func desk(
    _ chip: any SimulatedAccelerometer, hasLine: Bool = false,
    mode: AccelerometerMachine.Mode = .streaming, rangeG: Int = 2
  ) -> ChipDesk {
    var desk = ChipDesk(
      AccelerometerSettings(rangeG: rangeG, hasLine: hasLine),
      SimulatedI2CBus(accelerometers: [chip]), mode: mode)
    desk.run(.seconds(3))
    return desk
  }

  /// The last writes of the set-up.
  private func last(_ count: Int, _ desk: ChipDesk) -> [[UInt8]] {
    Array(desk.writes.suffix(count))
  }

  @Test func theMMA8451IsSetUpInStandbyAndItsFIFOGoesRound() {
    #expect(
      last(15, desk(SimulatedMMA845x(), hasLine: true)) == [
        [0x2A, 0x24], [0x0E, 0x00], [0x2B, 0x02], [0x2F, 0x00], [0x30, 0x00], [0x31, 0x00],
        [0x2C, 0x02], [0x09, 0x00], [0x1D, 0x00], [0x2D, 0x40], [0x2E, 0x40], [0x2A, 0x24],
        [0x09, 0x00], [0x09, 0x58], [0x2A, 0x25],
      ])
  }

  @Test func theMMA8452HasNoFIFOAndSignalsEachSample() {
    let writes = desk(SimulatedMMA845x(identity: 0x2A), hasLine: true).writes
    #expect(!writes.contains { $0[0] == 0x09 })
    #expect(writes.suffix(3) == [[0x2D, 0x00], [0x2E, 0x00], [0x2A, 0x25]])
  }

  @Test func theModeOfLowNoiseEndsAtFourG() {
    for (rangeG, format, control) in [(4, 1, 0x25), (8, 2, 0x21), (16, 2, 0x21)]
      as [(Int, UInt8, UInt8)]
    {
      let desk = desk(SimulatedMMA845x(identity: 0x2A), rangeG: rangeG)
      #expect(desk.writes.last == [0x2A, control])
      #expect(desk.writes.contains([0x0E, format]))
      #expect(desk.found.first?.rangeG == min(8, rangeG))
    }
  }

  @Test func theMMADetectsMovementBehindItsHighPass() {
    let desk = desk(SimulatedMMA845x(identity: 0x3A), hasLine: true, mode: .resting)
    #expect(
      last(7, desk) == [
        [0x0F, 0x03], [0x1D, 0x1E], [0x1F, 0x01], [0x20, 0x00], [0x2D, 0x20], [0x2E, 0x20],
        [0x2A, 0x25],
      ])
  }

  @Test func theKX022GetsItsLowPassAndABufferThatGoesRound() {
    let desk = desk(SimulatedKX022(), hasLine: true)
    let setup = desk.writes.split(separator: [0x19, 0x80]).last.map(Array.init) ?? []
    #expect(
      setup == [
        [0x60, 0x00], [0x1B, 0x02], [0x1C, 0x30], [0x1F, 0x20], [0x3A, 24], [0x3B, 0xC1],
        [0x18, 0xC0], [0x3E, 0x00],
      ])
  }

  @Test func theKX022WakesOnMovement() {
    let desk = desk(SimulatedKX022(identity: 0x15), hasLine: true, mode: .resting, rangeG: 8)
    let setup = desk.writes.split(separator: [0x19, 0x80]).last.map(Array.init) ?? []
    #expect(
      setup == [
        [0x60, 0x00], [0x1B, 0x02], [0x1C, 0x30], [0x3B, 0x00], [0x1A, 0x9E], [0x30, 0x01],
        [0x23, 0x01], [0x1D, 0x3F], [0x1F, 0x02], [0x18, 0xD2],
      ])
  }

  @Test func samplesThatWereMissedAreCounted() {
    var desk = desk(SimulatedMMA845x(identity: 0x2A))
    let before = desk.batches.reduce(0) { $0 + $1.lostCount }
    desk.now += .seconds(1)
    desk.run(.seconds(2))
    let lost = desk.batches.reduce(0) { $0 + $1.lostCount } - before
    #expect((45...55).contains(lost))
  }
}

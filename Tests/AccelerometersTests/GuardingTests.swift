import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// Looking for movement while updates pause: seldom bursts, or the chip's own interrupt.
@Suite struct GuardingTests {
  private static let cases = ChipCase.all
  private static let withFIFO = cases.filter(\.hasFIFO)
  private static let armable = cases.filter(\.isArmable)

  private func desk(
    _ one: ChipCase, _ mode: AccelerometerMachine.Mode, hasLine: Bool = true,
    rangeG: Int = 2
  ) -> ChipDesk {
    ChipDesk(
      AccelerometerSettings(rangeG: rangeG, hasLine: hasLine),
      SimulatedI2CBus(accelerometers: [one.chip]), mode: mode)
  }

  /// Sways by so much at 2 Hz.
  private func sway(_ desk: inout ChipDesk, milliG: Double, seconds: Int) {
    for turn in 0..<seconds * 4 {
      desk.bus.accelerometers[0].masses.acceleration =
        Acceleration(x: (turn % 2 == 0 ? 1 : -1) * milliG / 1_000, y: 0, z: 1)
      desk.run(.milliseconds(250))
    }
  }

  /// An order wakes the bus's thread for its time and for each transfer, and the machine's call wakes the loop.
  @Test(arguments: withFIFO) func guardingWakesTheProcessorAtMostTwiceASecond(
    _ one: ChipCase
  ) {
    var desk = desk(one, .guarding)
    desk.run(.seconds(20))
    #expect(desk.found.map(\.reading) == [.guarding])
    let (wakes, orders, samples) = (desk.wakeCount, desk.orderCount, desk.sampleCount)
    desk.run(.seconds(120))
    let isSteady = one.configuration?.fifo?.isSteady == true
    let cost = (desk.orderCount - orders) * (isSteady ? 2 : 3) + desk.wakeCount - wakes
    #expect(cost <= 2 * 120 + 10)
    // Few bursts are reported at once, and no sample is lost.
    #expect(desk.wakeCount - wakes <= 24)
    let rate = (desk.found.first?.rateHz ?? 0) * (1 + one.chip.masses.clockError)
    #expect(abs(Double(desk.sampleCount - samples) / (rate * 120) - 1) < 0.1)
    #expect(desk.batches.allSatisfy { $0.lostCount == 0 })
    #expect(desk.faults == [])
  }

  @Test(arguments: withFIFO) func motionIsReportedWithTheNextBurst(_ one: ChipCase) {
    var desk = desk(one, .guarding)
    desk.run(.seconds(21))
    let before = desk.now
    sway(&desk, milliG: 25, seconds: 3)
    let told = desk.batches.last.map { $0.instant(of: $0.count - 1) } ?? .zero
    #expect(told - before > .milliseconds(1_300))
    let rate = desk.found.first?.rateHz ?? 0
    #expect(rate >= 10 && rate <= one.rateHz * 1.1)
  }

  @Test(arguments: withFIFO) func aPolledChipIsReadSoonerWithoutANewSetUp(
    _ one: ChipCase
  ) {
    var desk = desk(one, .armed, hasLine: false)
    desk.run(.seconds(20))
    let orders = desk.orderCount
    desk.call { $0.modeWanted(.alert, at: $1, into: &$2) }
    desk.run(.seconds(5))
    #expect(desk.orderCount - orders >= 9)
    desk.call { $0.modeWanted(.guarding, at: $1, into: &$2) }
    let (wakes, later) = (desk.wakeCount, desk.orderCount)
    desk.run(.seconds(20))
    #expect(desk.orderCount - later <= 20)
    #expect(desk.wakeCount - wakes <= 5)
    #expect(desk.found.count == 1)
    #expect(desk.batches.allSatisfy { $0.lostCount == 0 } && desk.faults == [])
  }

  @Test(arguments: armable) func theInterruptReplacesReading(_ one: ChipCase) {
    var desk = desk(one, .armed)
    desk.run(.seconds(5))
    #expect(desk.found.map(\.reading) == [.armed])
    let (wakes, orders) = (desk.wakeCount, desk.orderCount)
    desk.run(.seconds(600))
    #expect(desk.orderCount - orders == 10)
    #expect(desk.wakeCount - wakes == 1)
    #expect(desk.movedCount == 0)
    // Half of the batches of a chip without a waiting client.
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0.045, y: 0, z: 1)
    desk.run(.milliseconds(200))
    #expect(desk.movedCount == 1)
  }

  @Test(arguments: cases) func onlyAWiredFineInterruptReplacesReading(_ one: ChipCase) {
    let seldom: AccelerometerDescription.Reading = one.hasFIFO ? .guarding : .polled
    for (hasLine, rangeG, wanted) in [
      (true, 2, one.isArmable ? .armed : seldom), (false, 2, seldom),
      (true, 16, ["MPU-6500", "ICM-20948"].contains(one.model) ? .armed : seldom),
    ] as [(Bool, Int, AccelerometerDescription.Reading)] {
      var desk = desk(one, .armed, hasLine: hasLine, rangeG: rangeG)
      desk.run(.seconds(3))
      #expect(desk.found.map(\.reading) == [wanted])
    }
  }

  @Test(arguments: armable) func aMissingArmedChipIsReportedWithinAMinute(
    _ one: ChipCase
  ) {
    var desk = desk(one, .armed)
    desk.run(.seconds(5))
    desk.bus.unplug(one.chip.address)
    desk.run(.seconds(62))
    #expect(desk.faults.first == .vanished)
  }

  @Test(arguments: armable, [false, true]) func anArmedChipThatLostItsSettingsIsSetUpAgain(
    _ one: ChipCase, takesOneReadOnly: Bool
  ) {
    var desk = desk(one, .armed)
    desk.bus.takesOneReadOnly = takesOneReadOnly
    desk.run(.seconds(5))
    desk.bus.plug(one.chip.address, at: desk.now)
    // Where a transfer takes one read, the settings are read after ten looks at the identity.
    desk.run(.seconds(takesOneReadOnly ? 630 : 62))
    #expect(desk.found.map(\.reading) == [.armed, .armed])
    #expect(desk.faults == [.vanished])
  }

  @Test(arguments: cases) func onAlertSamplesAreReportedTwiceASecond(_ one: ChipCase) {
    var desk = desk(one, .alert, hasLine: false)
    desk.run(.seconds(5))
    let before = desk.wakeCount
    desk.run(.seconds(10))
    #expect(desk.wakeCount - before >= 18)
    #expect(desk.batches.allSatisfy { $0.lostCount == 0 })
  }
}

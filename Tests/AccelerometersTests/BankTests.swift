import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// The ICM-20948, whose registers lie in banks.
struct BankTests {
  private func desk(
    hasLine: Bool = false, mode: AccelerometerMachine.Mode = .streaming, rangeG: Int = 2
  ) -> ChipDesk {
    ChipDesk(
      AccelerometerSettings(rangeG: rangeG, hasLine: hasLine),
      SimulatedI2CBus(accelerometers: [SimulatedICM20948()]), mode: mode)
  }

  /// The bank that the chip is in now.
  private func bank(_ desk: inout ChipDesk) -> UInt8? {
    guard
      case .answers(let answers) = desk.bus.carryOut(.read(1, from: 0x7F, of: 0x69), at: desk.now)
    else { return nil }
    return answers[0][0]
  }

  @Test func rateFilterAndRangeAreInTheThirdBank() {
    var desk = desk(rangeG: 4)
    desk.run(.seconds(3))
    let reset = desk.writes.split(separator: [0x06, 0x80]).last.map(Array.init) ?? []
    #expect(
      Array(reset.prefix(20)) == [
        [0x7F, 0x00], [0x06, 0x09], [0x07, 0x07], [0x7F, 0x20], [0x10, 0x00], [0x11, 0x15],
        [0x14, 0x33], [0x15, 0x00], [0x12, 0x00], [0x13, 0x00], [0x7F, 0x00], [0x0F, 0x20],
        [0x10, 0x00], [0x69, 0x00], [0x67, 0x10], [0x03, 0x00], [0x68, 0x1F], [0x68, 0x00],
        [0x03, 0x40], [0x7F, 0x00],
      ])
    #expect(desk.found.first?.rateHz == 1_125.0 / 22)
    #expect(bank(&desk) == 0)
  }

  @Test func aRegisterOfAnotherBankThatLostItsValueBringsTheSetUpBack() {
    for (register, value) in [(0x11, 0x00), (0x14, 0x01)] as [(UInt8, UInt8)] {
      var desk = desk()
      desk.run(.seconds(5))
      for transfer: I2CTransfer in [
        .write([0x20], to: 0x7F, of: 0x69), .write([value], to: register, of: 0x69),
        .write([0x00], to: 0x7F, of: 0x69),
      ] {
        _ = desk.bus.carryOut(transfer, at: desk.now)
      }
      desk.run(.seconds(65))
      #expect(desk.found.count == 2)
    }
  }

  @Test func sameNumbersInOtherBanksAreOtherRegisters() {
    let settings = AccelerometerSettings()
    let configuration = ICM20948.configuration(
      for: .init(value: 0xEA, name: ""), settings, use: .streaming)
    let values = configuration.lastingValues.filter { $0.register == 0x10 }
    #expect(values.map(\.bank) == [0x20, 0x00])
    let transfers = configuration.opening(at: 0x69) + configuration.lookingBack(at: 0x69)
    #expect(transfers.first == .write([0], to: 0x7F, of: 0x69))
    #expect(transfers.last.map { $0 != .write([0x20], to: 0x7F, of: 0x69) } == true)
  }

  /// Wherever an order breaks off, no reading is ever taken from the wrong bank.
  @Test(arguments: 0..<30) func anInterruptedOrderLeavesNoWrongBankSelected(_ place: Int) {
    var desk = desk()
    let wanted = Acceleration(x: 0.25, y: -0.5, z: 0.8)
    desk.bus.accelerometers[0].masses.acceleration = wanted
    // Just before the look after all registers that comes once a minute.
    while desk.found.isEmpty { desk.run(.milliseconds(1)) }
    desk.run(.milliseconds(59_900))
    desk.bus.fail(1, errno: SimulatedI2CBus.timedOut, after: place)
    desk.run(.seconds(8))
    #expect(desk.faults == [])
    #expect(desk.found.count == 1)
    for batch in desk.batches {
      for index in 0..<batch.count {
        #expect(abs(batch[index].y + 0.5) < 0.03 && abs(batch[index].z - 0.8) < 0.03)
      }
    }
    #expect(desk.sampleCount > 3_200)
    #expect(bank(&desk) == 0)
  }

  /// While it is set up, too: in whichever bank that stopped, the next try begins in the first.
  @Test(arguments: 0..<60) func anInterruptedSetupIsRepeated(_ place: Int) {
    var desk = desk(hasLine: true, mode: .resting)
    // The probe comes first: 11 addresses, and six reads at this one.
    desk.bus.fail(1, errno: SimulatedI2CBus.timedOut, address: 0x69, after: 6 + place)
    desk.run(.seconds(8))
    #expect(desk.found.map(\.reading) == [.restingWithInterrupt])
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0.4, y: 0, z: 0.9)
    desk.run(.milliseconds(100))
    #expect(desk.movedCount == 1)
  }

  @Test func aChipThatWasLeftInAnotherBankIsNotWrittenTo() {
    var bus = SimulatedI2CBus(accelerometers: [SimulatedICM20948()])
    _ = bus.carryOut(.write([0x20], to: 0x7F, of: 0x69), at: .zero)
    var desk = ChipDesk(AccelerometerSettings(), bus)
    desk.run(.seconds(30))
    #expect(desk.faults == [.unknownChip])
    #expect(desk.writes == [])
  }
}

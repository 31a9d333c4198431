import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// Tests of the search for chips on a bus, which changes no register.
struct AccelerometerProbeTests {
  /// Lets a probe look; every transfer that wrote more than a register's number is counted.
  private func look(
    on bus: SimulatedI2CBus, _ settings: AccelerometerSettings = AccelerometerSettings()
  ) -> (step: AccelerometerProbe.Step, writes: Int) {
    var bus = bus
    var probe = AccelerometerProbe(settings)
    var step = probe.first
    var writes = 0
    while case .check(let order) = step {
      var answers: [[UInt8]] = []
      var failure: I2CFault?
      for case .transfer(let transfer) in order.steps where failure == nil {
        for case .write(let bytes) in transfer.parts where bytes.count > 1 { writes += 1 }
        switch bus.carryOut(transfer, at: .zero) {
        case .answers(let more): answers += more
        case .failure(let errno): failure = I2CFault(.noAcknowledge, "error \(errno)")
        }
      }
      step = probe.orderEnded(
        I2COrder.Outcome(
          ticket: I2COrder.Ticket(.accelerometer, number: 1), answers: answers, failure: failure,
          began: .zero, ended: .zero))
    }
    return (step, writes)
  }

  @Test func aChipIsNamedAndNothingIsWritten() {
    let bus = SimulatedI2CBus(accelerometers: [SimulatedADXL345(seed: 1)])
    let (step, writes) = look(on: bus)
    #expect(step == .found(model: "ADXL345", address: 0x53))
    #expect(writes == 0)
  }

  /// A disturbed bus may read one identity for another, once.
  @Test func anIdentityThatDoesNotReadTheSameTwiceIsNoChip() {
    let settings = AccelerometerSettings(family: .lis3dh, address: 0x18)
    for (read, isFound) in [
      ([[0x33], [0x33], [0x33]], true), ([[0x33], [0x33], [0x32]], false),
      ([[0x32], [0x33], [0x33]], false),
    ] as [([[UInt8]], Bool)] {
      var probe = AccelerometerProbe(settings)
      guard case .check(let order) = probe.first else {
        Issue.record("the probe checks no address")
        return
      }
      #expect(order.steps.count == 3)
      let step = probe.orderEnded(
        I2COrder.Outcome(
          ticket: I2COrder.Ticket(.accelerometer, number: 1), answers: read, began: .zero,
          ended: .zero))
      #expect((step == .found(model: "LIS3DH", address: 0x18)) == isFound)
    }
  }

  /// Every simulated chip at every address that a driver checks.
  static let places: [(chip: SimulatedChip, address: UInt8)] = {
    let addresses = Set(ChipFamily.allCases.flatMap { $0.driver.identities.flatMap(\.addresses) })
    return SimulatedChip.allCases.flatMap { chip in addresses.sorted().map { (chip, $0) } }
  }()

  @Test(arguments: places) func noChipIsIdentifiedAsAnotherChip(
    chip: SimulatedChip, address: UInt8
  ) {
    let bus = SimulatedI2CBus(accelerometers: [chip.make(address: address, seed: 1)])
    let own = look(on: SimulatedI2CBus(accelerometers: [chip.make(address: nil, seed: 1)])).step
    guard case .found(let model, _) = own else {
      Issue.record("\(chip) is not found where it usually is")
      return
    }
    let families: [ChipFamily?] = [nil] + ChipFamily.allCases
    for family in families {
      for place in [nil, address] as [UInt8?] {
        let settings = AccelerometerSettings(family: family, address: place)
        let (step, writes) = look(on: bus, settings)
        #expect(writes == 0)
        let own = ChipFamily.allCases.filter {
          $0.driver.identities.flatMap(\.models).map(\.name).contains(model)
        }
        let isWanted = family.map { own.contains($0) } ?? true
        // A chip at an odd address is found where the profile says both what it is and where.
        let isExpected = own[0].driver.identities[0].addresses.contains(address)
        let isFindable = isWanted && (isExpected || family != nil && place != nil)
        switch step {
        case .found(let found, let at):
          #expect(found == model && at == address && isFindable)
        case .nothing: #expect(!isFindable)
        case .check: Issue.record("an end that is none")
        }
      }
    }
  }

  /// An MPU-6500's trim of the gyroscope may read what is the ICM-20948's identity.
  @Test func aTrimValueEqualToAnIdentityDoesNotChangeTheChip() {
    var chip = SimulatedMPU6050(identity: 0x70)
    chip.set(0x00, 0xEA, at: .zero)
    let bus = SimulatedI2CBus(accelerometers: [chip])
    #expect(look(on: bus).step == .found(model: "MPU-6500", address: 0x68))
    guard
      case .nothing(let fault) = look(on: bus, AccelerometerSettings(family: .icm20948)).step
    else {
      Issue.record("an MPU-6500 passed for an ICM-20948")
      return
    }
    #expect(
      fault.description
        == "the chip is not the one that Chip= names: MPU-6500 at 0x68")
  }

  /// A clock chip with 64 registers repeats them, whatever they hold.
  @Test func aClockChipIsNoAccelerometer() {
    for value in 0...255 as ClosedRange<UInt8> {
      let bus = SimulatedI2CBus(others: [ClockChip(value: value)])
      guard case .nothing = look(on: bus).step else {
        Issue.record("a clock chip that reads \(value) was taken for an accelerometer")
        return
      }
    }
  }

  /// 64 registers, read over and over, with one value in them.
  private struct ClockChip: SimulatedI2CDevice {
    let address: UInt8 = 0x68
    let value: UInt8

    mutating func write(_ bytes: [UInt8], at now: Instant) -> Bool { true }
    mutating func read(_ count: Int, at now: Instant) -> [UInt8] {
      [UInt8](repeating: value, count: count)
    }
  }

  @Test func anEmptyBusHasNone() {
    guard case .nothing(let fault) = look(on: SimulatedI2CBus(accelerometers: [])).step else {
      Issue.record("a chip out of nothing")
      return
    }
    #expect(fault.kind == .notFound)
  }
}

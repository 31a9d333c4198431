import BinnacleBasics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// The LSM6DS and the LSM9DS1, register by register.
struct LSM6DSTests {
  private func desk(
    _ chip: any SimulatedAccelerometer, hasLine: Bool = false,
    mode: AccelerometerMachine.Mode = .streaming, rangeG: Int = 2
  ) -> ChipDesk {
    ChipDesk(
      AccelerometerSettings(rangeG: rangeG, hasLine: hasLine),
      SimulatedI2CBus(accelerometers: [chip]), mode: mode)
  }

  /// The writes of the set-up: the self-test comes before it, and both begin with a reset.
  private func setup(_ desk: ChipDesk, reset: [UInt8]) -> [[UInt8]] {
    desk.writes.split(separator: reset).last.map(Array.init) ?? []
  }

  @Test func theLSM6DS3HasAFilterAndAFIFOOfWords() {
    var desk = desk(SimulatedLSM6DS(identity: 0x69), hasLine: true)
    desk.run(.seconds(2))
    #expect(
      setup(desk, reset: [0x12, 0x01]) == [
        [0x12, 0x44], [0x11, 0x00], [0x14, 0x00], [0x17, 0xC0], [0x10, 0x30], [0x5E, 0x00],
        [0x0D, 0x08], [0x06, 72], [0x07, 0x00], [0x08, 0x01], [0x09, 0x00], [0x0A, 0x00],
        [0x0A, 0x1E],
      ])
  }

  @Test func theLSM6DSLHasItsFilterInAnotherRegister() {
    var desk = desk(SimulatedLSM6DS(identity: 0x6A))
    desk.run(.seconds(2))
    let writes = setup(desk, reset: [0x12, 0x01])
    #expect(writes.contains([0x17, 0xC8]) && writes.contains([0x10, 0x30]))
    #expect(writes.suffix(2) == [[0x0A, 0x00], [0x0A, 0x1E]])
  }

  @Test func theLSM6DSOHasAFilterAndAFIFOWithTags() {
    var desk = desk(SimulatedLSM6DS(identity: 0x6C))
    desk.run(.seconds(2))
    #expect(
      setup(desk, reset: [0x12, 0x01]) == [
        [0x12, 0x44], [0x11, 0x00], [0x14, 0x00], [0x17, 0x20], [0x10, 0x32], [0x5E, 0x00],
        [0x0D, 0x00], [0x07, 24], [0x08, 0x00], [0x09, 0x03], [0x0A, 0x00], [0x0A, 0x06],
      ])
  }

  @Test(arguments: [(2, 0x30), (4, 0x38), (8, 0x3C), (16, 0x34)])
  func rangesAreNotInOrder(_ range: (g: Int, control: UInt8)) {
    var desk = desk(SimulatedLSM6DS(identity: 0x69), rangeG: range.g)
    desk.run(.seconds(2))
    #expect(setup(desk, reset: [0x12, 0x01]).contains([0x10, range.control]))
  }

  @Test func movementIsDetectedBehindTheHighPass() {
    for (identity, writes) in [
      (0x69, [[0x58, 0x11]]), (0x6A, [[0x58, 0x91]]), (0x6C, [[0x56, 0x51], [0x58, 0x80]]),
    ] as [(UInt8, [[UInt8]])] {
      var desk = desk(SimulatedLSM6DS(identity: identity), hasLine: true, mode: .resting)
      desk.run(.seconds(2))
      let all = setup(desk, reset: [0x12, 0x01])
      #expect(writes.allSatisfy { all.contains($0) })
      #expect(all.last == [0x5E, 0x20])
    }
  }

  @Test(arguments: [0x69, 0x6A] as [UInt8])
  func aLostWordDoesNotMixAxes(_ identity: UInt8) {
    var desk = desk(SimulatedLSM6DS(identity: identity))
    desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0.25, y: -0.5, z: 0.8)
    desk.run(.seconds(3))
    // A transfer that broke off in the middle has taken a word away.
    desk.run(.milliseconds(100))
    _ = desk.bus.carryOut(.read(2, from: 0x3E, of: 0x6A), at: desk.now)
    desk.run(.seconds(4))
    for batch in desk.batches {
      for index in 0..<batch.count { #expect(abs(batch[index].y + 0.5) < 0.02) }
    }
    #expect(desk.batches.reduce(0) { $0 + $1.lostCount } > 0)
    #expect(desk.faults == [])
  }

  @Test func theSenseHATsChipGetsBothFilters() {
    var desk = desk(SimulatedLSM9DS1(), hasLine: true)
    desk.run(.seconds(2))
    #expect(
      setup(desk, reset: [0x22, 0x05]) == [
        [0x22, 0x44], [0x10, 0x00], [0x24, 0x00], [0x1F, 0x38], [0x20, 0x47], [0x21, 0xC0],
        [0x06, 0x00], [0x0C, 0x08], [0x23, 0x02], [0x2E, 0x00], [0x2E, 0xD8],
      ])
  }

  /// With the gyroscope in power-down the address goes round within the accelerometer's registers (data sheet, 3.3).
  @Test func theSenseHATsFIFOIsReadInOneTransfer() throws {
    let configuration = LSM9DS1.configuration(
      for: .init(value: 0x68, name: "LSM9DS1"), AccelerometerSettings(), use: .streaming)
    guard case .counted(let read) = BurstReader(configuration, startedAt: .zero).step(of: 0x6A)
    else {
      Issue.record("a FIFO that is not asked for its level")
      return
    }
    #expect(
      read.transfersWithLevel(byteCount: 28 * 6).map(\.parts) == [
        [.write([0x2F]), .read(1), .write([0x28]), .read(28 * 6)]
      ])
    for (gyroscope, isRound) in [(0x00, true), (0x40, false)] as [(UInt8, Bool)] {
      var chip = SimulatedLSM9DS1()
      chip.masses.noiseG = 0
      chip.masses.acceleration = Acceleration(x: 0.25, y: -0.5, z: 0.8)
      _ = chip.write([0x10, gyroscope], at: .zero)
      _ = chip.write([0x20, 0x47], at: .zero)
      _ = chip.write([0x23, 0x02], at: .zero)
      _ = chip.write([0x2E, 0xC0], at: .zero)
      let now = Instant.zero + .seconds(1)
      _ = chip.write([0x28], at: now)
      let bytes = chip.read(24, at: now)
      #expect(bytes[..<6].elementsEqual(bytes[6..<12]) == isRound)
    }
  }

  @Test func theSenseHATsChipIsNoMPU() {
    // Both answer 0x68, in registers and at addresses of their own.
    for (chip, model) in [
      (SimulatedLSM9DS1(address: 0x6B), "LSM9DS1"), (SimulatedMPU6050(address: 0x69), "MPU-6050"),
    ] as [(any SimulatedAccelerometer, String)] {
      var desk = desk(chip)
      desk.run(.seconds(3))
      #expect(desk.found.map(\.model) == [model])
    }
  }

  @Test(arguments: [0x10, 0x17, 0x0A] as [UInt8])
  func aRegisterThatLostItsValueBringsTheSetUpBack(_ register: UInt8) {
    var desk = desk(SimulatedLSM6DS(identity: 0x6C))
    desk.run(.seconds(5))
    _ = desk.bus.carryOut(.write([0x00], to: register, of: 0x6A), at: desk.now)
    desk.run(.seconds(65))
    #expect(desk.found.count == 2)
  }

  @Test func theSelfTestJudgesTheSizeOfAResponseAndNotItsSign() {
    let test = LSM9DS1.selfTest(of: .init(value: 0x68, name: "LSM9DS1"))
    func answers(_ counts: [Int16]) -> [[UInt8]] {
      let bytes = counts.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
      let rest = [UInt8](repeating: 0, count: 6)
      return Array(repeating: rest, count: 5) + Array(repeating: bytes, count: 5)
    }
    // 0.07 g are 1,148 counts.
    #expect(test?.result(of: answers([1_200, -1_200, 1_200])) == .passed)
    #expect(
      test?.result(of: answers([1_200, -1_100, 1_200])) == .failed("axis y answered with -67 mg"))
  }
}

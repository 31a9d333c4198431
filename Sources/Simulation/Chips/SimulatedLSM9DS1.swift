import Accelerometers
public import BinnacleBasics

/// The accelerometer of ST's LSM9DS1: registers, FIFO, self-test, and the interrupt through the high-pass.
///
/// By ST's header file and the data sheet (DocID025715 rev. 2). The oldest sample leaves the FIFO when its last byte
/// was read, and the address returns to the first output register. That register is the accelerometer's while the
/// gyroscope is in power-down, otherwise the gyroscope's (section 3.3).
public struct SimulatedLSM9DS1: SimulatedRegisterChip {
  public static let registerCount = 64
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  private var registers = [UInt8](repeating: 0, count: 64)
  public var pointer = 0
  private var fifo: [[UInt8]] = []
  private var isOverrun = false
  private var latest = [UInt8](repeating: 0, count: 6)
  /// The acceleration that the high-pass treats as rest.
  private var level: Acceleration?
  private var isMoved = false

  public init(address: UInt8 = 0x6A, clockError: Double = 0, seed: UInt64 = 1) {
    self.address = address
    masses = SimulatedMasses(noiseG: 0.7e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    registers = [UInt8](repeating: 0, count: 64)
    registers[0x0F] = 0x68
    registers[0x1E] = 0x38
    registers[0x1F] = 0x38
    registers[0x22] = 0x04
    fifo = []
    isOverrun = false
    isMoved = false
    level = nil
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  // MARK: Samples

  private var rateHz: Double? {
    [nil, 10, 50, 119, 238, 476, 952, nil][Int(registers[0x20] >> 5)]
  }

  private var gPerCount: Double {
    [0.061e-3, 0.732e-3, 0.122e-3, 0.244e-3][Int(registers[0x20] >> 3 & 3)]
  }

  private var isFIFOOn: Bool { registers[0x23] & 0x02 != 0 && registers[0x2E] >> 5 == 6 }

  public mutating func advance(to now: Instant) {
    let isPushed = registers[0x24] & 0x01 != 0
    let push = isPushed ? Acceleration(x: 0.3, y: -0.3, z: 0.4) : .zero
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    latest = sample.bytes(gPerCount: gPerCount)
    if isFIFOOn {
      fifo.append(latest)
      if fifo.count > 32 {
        isOverrun = true
        fifo.removeFirst()
      }
    }
    // A high-pass of first order at a fiftieth of the rate: the level follows by an eighth with each sample.
    guard registers[0x21] & 0x01 != 0 else { return level = nil }
    let before = level ?? sample
    let isWatched = registers[0x06] & 0x2A == 0x2A
    if isWatched, sample.distance(to: before) > Double(registers[0x07]) * 128 * gPerCount {
      isMoved = true
    }
    level = Acceleration(
      x: before.x + (sample.x - before.x) / 8, y: before.y + (sample.y - before.y) / 8,
      z: before.z + (sample.z - before.z) / 8)
  }

  private var isFull: Bool {
    let watermark = Int(registers[0x2E] & 0x1F)
    return watermark > 0 && fifo.count >= watermark
  }

  public var isInterruptRaised: Bool {
    registers[0x0C] & 0x08 != 0 && isFull || registers[0x0C] & 0x40 != 0 && isMoved
  }

  // MARK: The bus

  public mutating func set(_ register: Int, _ value: UInt8, at now: Instant) {
    switch register {
    case 0x0F, 0x14...0x1D, 0x26...0x2D, 0x2F: return
    case 0x22 where value & 0x01 != 0: switchOn(at: now)
    case 0x2E:
      registers[0x2E] = value
      guard value >> 5 == 0 else { break }
      fifo = []
      isOverrun = false
    default: registers[register] = value
    }
  }

  public mutating func step() {
    guard registers[0x22] & 0x04 != 0 else { return }
    guard pointer == 0x2D else { return pointer = (pointer + 1) & 0x3F }
    if isFIFOOn, !fifo.isEmpty {
      fifo.removeFirst()
      isOverrun = false
    }
    pointer = registers[0x10] >> 5 == 0 ? 0x28 : 0x18
  }

  public mutating func get(_ register: Int) -> UInt8 {
    switch register {
    case 0x0F: return falseIdentity ?? registers[0x0F]
    case 0x26:
      defer { isMoved = false }
      return isMoved ? 0x40 : 0
    case 0x28...0x2D: return (isFIFOOn ? fifo.first ?? latest : latest)[register - 0x28]
    case 0x2F:
      let flags: UInt8 = (isFull ? 0x80 : 0) | (isOverrun ? 0x40 : 0)
      return flags | UInt8(min(32, fifo.count))
    default: return registers[register]
    }
  }
}

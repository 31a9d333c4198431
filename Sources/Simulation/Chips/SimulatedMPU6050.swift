import Accelerometers
public import BinnacleBasics

/// InvenSense's MPU-6050 and its successors: asleep at first, a FIFO of bytes, big-endian.
///
/// By RM-MPU-6000A (rev. 4.2) and RM-MPU-6500A (rev. 2.1): the address stays at 0x74 while the FIFO is read. Bytes that
/// do not fit replace the oldest bytes, so that an overflow leaves half a sample at the beginning.
public struct SimulatedMPU6050: SimulatedRegisterChip {
  public static let registerCount = 128
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  private let identity: UInt8
  private let fifoBytesMax: Int
  private var registers = [UInt8](repeating: 0, count: 128)
  public var pointer = 0
  private var fifo: [UInt8] = []
  private var latest = [UInt8](repeating: 0, count: 6)
  private var last = Acceleration.zero
  private var isMoved = false

  private var isFirstGeneration: Bool { identity == 0x68 }

  /// The value of the identity register: 0x68 is an MPU-6050, 0x70 an MPU-6500.
  public init(
    address: UInt8 = 0x68, identity: UInt8 = 0x68, clockError: Double = 0, seed: UInt64 = 1
  ) {
    self.address = address
    self.identity = identity
    fifoBytesMax = identity == 0x68 ? 1_024 : 512
    masses = SimulatedMasses(noiseG: 1.6e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    registers = [UInt8](repeating: 0, count: 128)
    registers[0x75] = identity
    registers[0x6B] = isFirstGeneration ? 0x40 : 0x01
    // The trims of the factory: codes of 16 in the first generation, of 100 in the second.
    let trims: [UInt8] = isFirstGeneration ? [0x80, 0x80, 0x80, 0x00] : [100, 100, 100, 0]
    for (index, trim) in trims.enumerated() { registers[0x0D + index] = trim }
    fifo = []
    isMoved = false
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  // MARK: Samples

  private var rateHz: Double? {
    registers[0x6B] & 0x40 != 0 ? nil : 1_000 / Double(Int(registers[0x19]) + 1)
  }

  /// The self-test response that the trims encode, in g.
  private var push: Acceleration {
    // 0.34 g times (0.92 / 0.34) to the power of 15 / 30; 2,620 counts at 2 g times 1.01 to the power of 99.
    let one = isFirstGeneration ? 0.5593 : 2_620 * 2.678 / 16_384
    let bits = registers[0x1C]
    return Acceleration(
      x: bits & 0x80 != 0 ? one : 0, y: bits & 0x40 != 0 ? one : 0,
      z: bits & 0x20 != 0 ? one : 0)
  }

  public mutating func advance(to now: Instant) {
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    let range = Double(2 << Int(registers[0x1C] >> 3 & 3))
    latest = sample.bytes(gPerCount: range / 32_768, isBigEndian: true)
    if registers[0x6A] & 0x40 != 0, registers[0x23] & 0x08 != 0 {
      fifo += latest
      if fifo.count > fifoBytesMax { fifo.removeFirst(fifo.count - fifoBytesMax) }
    }
    let step = isFirstGeneration ? 0.002 : 0.004
    let isWatched =
      registers[0x38] & 0x40 != 0 && (isFirstGeneration || registers[0x69] & 0xC0 == 0xC0)
    if isWatched, last != .zero, sample.distance(to: last) > Double(registers[0x1F]) * step {
      isMoved = true
    }
    last = sample
  }

  public var isInterruptRaised: Bool { isMoved && registers[0x38] & 0x40 != 0 }

  // MARK: The bus

  public mutating func set(_ register: Int, _ value: UInt8, at now: Instant) {
    switch register {
    case 0x0D...0x10, 0x3A...0x40, 0x72...0x75: return
    case 0x6A:
      if value & 0x04 != 0 { fifo = [] }
      registers[0x6A] = value & 0xF8
    case 0x6B where value & 0x80 != 0: switchOn(at: now)
    default: registers[register] = value
    }
  }

  public mutating func step() {
    if pointer != 0x74 { pointer = (pointer + 1) % SimulatedMPU6050.registerCount }
  }

  public mutating func get(_ register: Int) -> UInt8 {
    switch register {
    case 0x3A:
      defer { isMoved = false }
      return isMoved ? 0x40 : 0
    case 0x3B...0x40: return latest[register - 0x3B]
    case 0x72: return UInt8(fifo.count >> 8)
    case 0x73: return UInt8(fifo.count & 0xFF)
    case 0x74: return fifo.isEmpty ? 0xFF : fifo.removeFirst()
    case 0x75: return falseIdentity ?? registers[0x75]
    default: return registers[register]
    }
  }
}

import Accelerometers
public import BinnacleBasics

/// Kionix's KX022-1020 and KX023-1025: standby and operation, a buffer of bytes, a wake-up function.
///
/// By the data sheet KX022-1020 (rev. 12) and Kionix's list of registers. The chip ignores settings that are written
/// during operation. The address stays at the buffer's register during a burst.
public struct SimulatedKX022: SimulatedRegisterChip {
  public static let registerCount = 128
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  public var pointer = 0
  private let identity: UInt8
  private var registers = [UInt8](repeating: 0, count: 128)
  private var buffer: [UInt8] = []
  private var latest = [UInt8](repeating: 0, count: 6)
  private var reference: Acceleration?
  private var isMoved = false

  private static let samplesMax = 41

  /// The value of the identity register: 0x14 is a KX022, 0x15 a KX023.
  public init(
    address: UInt8 = 0x1E, identity: UInt8 = 0x14, clockError: Double = 0, seed: UInt64 = 1
  ) {
    self.address = address
    self.identity = identity
    masses = SimulatedMasses(noiseG: 0.4e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    registers = [UInt8](repeating: 0, count: 128)
    registers[0x0C] = 0x55
    registers[0x0F] = identity
    registers[0x1A] = 0x98
    registers[0x1B] = 0x02
    registers[0x1C] = 0x10
    registers[0x1D] = 0x3F
    registers[0x30] = 0x08
    buffer = []
    reference = nil
    isMoved = false
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  // MARK: Samples

  private var isAtWork: Bool { registers[0x18] & 0x80 != 0 }
  private var rangeG: Double { [2, 4, 8, 8][Int(registers[0x18] >> 3 & 3)] }
  /// Samples have 16 bits, and the newest sample replaces the oldest.
  private var isBufferOn: Bool { registers[0x3B] & 0xC3 == 0xC1 }

  private var rateHz: Double? {
    guard isAtWork else { return nil }
    let code = Int(registers[0x1B] & 0x0F)
    return code < 8 ? 12.5 * Double(1 << code) : 0.781_25 * Double(1 << (code & 3))
  }

  public mutating func advance(to now: Instant) {
    let isPushed = registers[0x60] == 0xCA
    let push = isPushed ? Acceleration(x: 0.5, y: 0.5, z: 0.5) : .zero
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    latest = sample.bytes(gPerCount: rangeG / 32_768)
    if isBufferOn {
      buffer += latest
      let bytesMax = SimulatedKX022.samplesMax * 6
      if buffer.count > bytesMax { buffer.removeFirst(buffer.count - bytesMax) }
    }
    guard registers[0x18] & 0x02 != 0 else { return reference = nil }
    let before = reference ?? sample
    if sample.distance(to: before) > Double(registers[0x30]) / 16 { isMoved = true }
    reference = sample
  }

  public var isInterruptRaised: Bool {
    let watermark = Int(registers[0x3A] & 0x7F)
    let isFull = isBufferOn && watermark > 0 && buffer.count >= watermark * 6
    let sources: UInt8 = (isFull ? 0x20 : 0) | (isMoved ? 0x02 : 0)
    return registers[0x1C] & 0x30 == 0x30 && sources & registers[0x1F] != 0
  }

  // MARK: The bus

  public mutating func set(_ register: Int, _ value: UInt8, at now: Instant) {
    switch register {
    case 0x00...0x17, 0x3C, 0x3D, 0x3F: return
    case 0x18: registers[0x18] = value
    case 0x3E: buffer = []
    case _ where isAtWork: return
    case 0x19 where value & 0x80 != 0: switchOn(at: now)
    case 0x3B:
      registers[0x3B] = value
      if value & 0x80 == 0 { buffer = [] }
    default: registers[register] = value
    }
  }

  public mutating func step() {
    if pointer != 0x3F { pointer = (pointer + 1) % SimulatedKX022.registerCount }
  }

  public mutating func get(_ register: Int) -> UInt8 {
    switch register {
    case 0x06...0x0B: return latest[register - 0x06]
    case 0x0F: return falseIdentity ?? registers[0x0F]
    case 0x17:
      isMoved = false
      return 0
    case 0x3C: return UInt8(min(255, buffer.count))
    case 0x3F: return buffer.isEmpty ? 0 : buffer.removeFirst()
    case 0x60: return 0
    default: return registers[register]
    }
  }
}

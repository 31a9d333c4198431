import Accelerometers
public import BinnacleBasics

/// Analog Devices' ADXL345: one sample of the FIFO for each read of all data registers.
///
/// By the data sheet (rev. G): the chip starts in standby. The oldest sample leaves the FIFO when the address has
/// passed 0x37 or the read ends. In the self-test the x axis is pushed in the opposite direction of y.
public struct SimulatedADXL345: SimulatedAccelerometer {
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  private var registers = [UInt8](repeating: 0, count: 64)
  private var pointer = 0
  private var fifo: [[UInt8]] = []
  private var latest = [UInt8](repeating: 0, count: 6)
  private var reference: Acceleration?
  private var isActive = false

  public init(address: UInt8 = 0x53, clockError: Double = 0, seed: UInt64 = 1) {
    self.address = address
    masses = SimulatedMasses(noiseG: 3e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    registers = [UInt8](repeating: 0, count: 64)
    registers[0x00] = 0xE5
    registers[0x2C] = 0x0A
    fifo = []
    reference = nil
    isActive = false
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  // MARK: Samples

  private var rateHz: Double? {
    guard registers[0x2D] & 0x08 != 0 else { return nil }
    return 3_200 / Double(1 << (15 - Int(registers[0x2C] & 0x0F)))
  }

  public mutating func advance(to now: Instant) {
    let isPushed = registers[0x31] & 0x80 != 0
    let push = isPushed ? Acceleration(x: 0.8, y: -0.8, z: 1.2) : .zero
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    let range = Int(registers[0x31] & 3)
    // Full resolution keeps 256 counts for a g; otherwise there are 10 bits in every range.
    let isFull = registers[0x31] & 0x08 != 0
    let perG = isFull ? 256.0 : Double(256 >> range)
    let countMax = isFull ? 512 << range - 1 : 511
    latest = sample.counts(gPerCount: 1 / perG, countMax: countMax).flatMap { count in
      let word = UInt16(bitPattern: Int16(count))
      return [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
    }
    if registers[0x38] & 0xC0 != 0 {
      fifo.append(latest)
      if fifo.count > 33 { fifo.removeFirst() }
    }
    guard registers[0x27] & 0x70 != 0 else { return reference = nil }
    let start = reference ?? sample
    reference = start
    if sample.distance(to: start) > Double(registers[0x24]) * 0.0625 { isActive = true }
  }

  private var interruptSource: UInt8 {
    (fifo.count >= Int(registers[0x38] & 0x1F) && !fifo.isEmpty ? 0x02 : 0)
      | (isActive ? 0x10 : 0)
  }

  public var isInterruptRaised: Bool {
    interruptSource & registers[0x2E] & ~registers[0x2F] != 0
  }

  // MARK: The bus

  public mutating func write(_ bytes: [UInt8], at now: Instant) -> Bool {
    advance(to: now)
    pointer = Int(bytes[0] & 0x3F)
    for byte in bytes.dropFirst() {
      set(pointer, byte)
      pointer = (pointer + 1) & 0x3F
    }
    // A chip that was just switched on starts to count time now.
    advance(to: now)
    return true
  }

  private mutating func set(_ register: Int, _ value: UInt8) {
    switch register {
    case 0x00, 0x30, 0x32...0x37, 0x39: return
    case 0x38:
      registers[0x38] = value
      if value & 0xC0 == 0 { fifo = [] }
    case 0x27:
      registers[0x27] = value
      reference = nil
    default: registers[register] = value
    }
  }

  public mutating func read(_ count: Int, at now: Instant) -> [UInt8] {
    advance(to: now)
    let isData = (0x32...0x37).contains(pointer)
    let bytes = (0..<count).map { _ in
      defer { pointer = (pointer + 1) & 0x3F }
      return get(pointer)
    }
    if isData, !fifo.isEmpty { fifo.removeFirst() }
    return bytes
  }

  private mutating func get(_ register: Int) -> UInt8 {
    switch register {
    case 0x00: return falseIdentity ?? registers[0x00]
    case 0x30:
      defer { isActive = false }
      return interruptSource
    case 0x32...0x37: return (fifo.first ?? latest)[register - 0x32]
    case 0x39: return UInt8(min(33, fifo.count))
    default: return registers[register]
    }
  }
}

import Accelerometers
public import BinnacleBasics

/// ST's LIS3DH: registers, resolutions, FIFO, self-test, and the interrupt on movement.
///
/// By the data sheet (DocID17530): the address increments only when its uppermost bit is set. Within the FIFO the
/// address cycles through the six output registers. Data is left-justified.
public struct SimulatedLIS3DH: SimulatedAccelerometer {
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  private var registers = [UInt8](repeating: 0, count: 64)
  private var pointer = 0
  private var goesOn = false
  private var fifo: [[UInt8]] = []
  private var isOverrun = false
  private var latest = [UInt8](repeating: 0, count: 6)
  private var reference = Acceleration.zero
  private var felt = Acceleration.zero
  private var isMoved = false

  public init(address: UInt8 = 0x18, clockError: Double = 0, seed: UInt64 = 1) {
    self.address = address
    masses = SimulatedMasses(noiseG: 0.7e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    registers = [UInt8](repeating: 0, count: 64)
    registers[0x0F] = 0x33
    registers[0x1E] = 0x10
    registers[0x20] = 0x07
    fifo = []
    isOverrun = false
    isMoved = false
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  // MARK: Samples

  private var rateHz: Double? {
    let rates: [Double?] = [nil, 1, 10, 25, 50, 100, 200, 400]
    let code = Int(registers[0x20] >> 4)
    return code < rates.count ? rates[code] : nil
  }

  private var range: Int { Int(registers[0x23] >> 4 & 3) }
  private var isFIFOOn: Bool { registers[0x24] & 0x40 != 0 && registers[0x2E] & 0xC0 != 0 }

  public mutating func advance(to now: Instant) {
    let isPushed = registers[0x23] & 0x06 == 0x02
    let push = isPushed ? Acceleration(x: 0.5, y: 0.45, z: 0.6) : .zero
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    felt = sample
    // Milli-g of one count and its position, by resolution: 8, 10 and 12 bits.
    let isLow = registers[0x20] & 0x08 != 0
    let isHigh = registers[0x23] & 0x08 != 0
    let (bits, one) = isLow ? (8, 16.0) : isHigh ? (12, 1.0) : (10, 4.0)
    let scale = one / 1_000 * [1.0, 2, 4, 12][range]
    latest = sample.counts(gPerCount: scale, countMax: 1 << (bits - 1) - 1).flatMap { count in
      let word = UInt16(bitPattern: Int16(count)) << UInt16(16 - bits)
      return [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
    }
    if isFIFOOn {
      if fifo.count >= 32 {
        isOverrun = true
        fifo.removeFirst()
      }
      fifo.append(latest)
    }
    let steps = [0.016, 0.032, 0.062, 0.186][range]
    let isWatched = registers[0x30] & 0x2A != 0
    if isWatched, sample.distance(to: reference) > Double(registers[0x32]) * steps {
      isMoved = true
    }
  }

  public var isInterruptRaised: Bool {
    let isFull = fifo.count > Int(registers[0x2E] & 0x1F)
    return registers[0x22] & 0x04 != 0 && isFull || registers[0x22] & 0x40 != 0 && isMoved
  }

  // MARK: The bus

  public mutating func write(_ bytes: [UInt8], at now: Instant) -> Bool {
    advance(to: now)
    pointer = Int(bytes[0] & 0x3F)
    goesOn = bytes[0] & 0x80 != 0
    for byte in bytes.dropFirst() {
      set(pointer, byte)
      if goesOn { pointer = (pointer + 1) & 0x3F }
    }
    // A chip that was just switched on starts to count time now.
    advance(to: now)
    return true
  }

  private mutating func set(_ register: Int, _ value: UInt8) {
    switch register {
    case 0x0F, 0x26...0x2D, 0x2F, 0x31: return
    case 0x24: registers[0x24] = value & 0x7F
    case 0x2E:
      registers[0x2E] = value
      if value & 0xC0 == 0 { fifo = [] }
      isOverrun = false
    default: registers[register] = value
    }
  }

  public mutating func read(_ count: Int, at now: Instant) -> [UInt8] {
    advance(to: now)
    return (0..<count).map { _ in
      defer { step() }
      return get(pointer)
    }
  }

  private mutating func step() {
    guard goesOn else { return }
    if pointer == 0x2D, isFIFOOn {
      if !fifo.isEmpty { fifo.removeFirst() }
      if fifo.isEmpty { isOverrun = false }
      pointer = 0x28
    } else {
      pointer = (pointer + 1) & 0x3F
    }
  }

  private mutating func get(_ register: Int) -> UInt8 {
    switch register {
    case 0x0F: return falseIdentity ?? registers[0x0F]
    case 0x26:
      reference = felt
      return 0
    case 0x28...0x2D: return (isFIFOOn ? fifo.first ?? latest : latest)[register - 0x28]
    case 0x2F:
      let isFull = fifo.count > Int(registers[0x2E] & 0x1F)
      let flags: UInt8 =
        (isFull ? 0x80 : 0) | (isOverrun ? 0x40 : 0) | (fifo.isEmpty ? 0x20 : 0)
      return flags | UInt8(min(31, fifo.count))
    case 0x31:
      defer { isMoved = false }
      return isMoved ? 0x40 : 0
    default: return registers[register]
    }
  }
}

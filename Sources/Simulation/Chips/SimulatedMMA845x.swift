import Accelerometers
public import BinnacleBasics

/// NXP's MMA8451, MMA8452 and MMA8453: standby and active, a FIFO in the MMA8451, left-justified and big-endian.
///
/// By the data sheets MMA8451Q (rev. 10.3) and MMA8452Q (rev. 10). The chip ignores settings that are written while it
/// is active. The address stays at register 0x01 during a burst of the FIFO. The data sheets do not state the next byte
/// after a burst that broke off. Here the next byte of the sample follows, which is the worst case.
public struct SimulatedMMA845x: SimulatedRegisterChip {
  public static let registerCount = 64
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  public var pointer = 0
  private let identity: UInt8
  private var registers = [UInt8](repeating: 0, count: 64)
  private var fifo: [[UInt8]] = []
  /// The number of read bytes of the oldest sample.
  private var readCount = 0
  private var isOverrun = false
  private var isFresh = false
  private var latest = [UInt8](repeating: 0, count: 6)
  private var level: Acceleration?
  private var isMoved = false

  private var hasFIFO: Bool { identity == 0x1A }
  private var bits: Int { identity == 0x1A ? 14 : identity == 0x2A ? 12 : 10 }

  /// The value of the identity register: 0x1A is an MMA8451, 0x2A an MMA8452, 0x3A an MMA8453.
  public init(
    address: UInt8 = 0x1D, identity: UInt8 = 0x1A, clockError: Double = 0, seed: UInt64 = 1
  ) {
    self.address = address
    self.identity = identity
    masses = SimulatedMasses(noiseG: 0.5e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    registers = [UInt8](repeating: 0, count: 64)
    registers[0x0D] = identity
    empty()
    isFresh = false
    isMoved = false
    level = nil
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  private mutating func empty() {
    fifo = []
    readCount = 0
    isOverrun = false
  }

  // MARK: Samples

  private var isActive: Bool { registers[0x2A] & 0x01 != 0 }
  private var isFIFOOn: Bool { hasFIFO && registers[0x09] & 0xC0 == 0x40 }
  private var rangeG: Double { [2, 4, 8, 8][Int(registers[0x0E] & 3)] }

  private var rateHz: Double? {
    guard isActive else { return nil }
    return [800, 400, 200, 100, 50, 12.5, 6.25, 1.56][Int(registers[0x2A] >> 3 & 7)]
  }

  public mutating func advance(to now: Instant) {
    let isPushed = registers[0x2B] & 0x80 != 0
    // The typical counts of table 2 at 4 g.
    let push = isPushed ? Acceleration(x: 0.088, y: 0.125, z: 0.82) : .zero
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    let half = 1 << (bits - 1)
    latest = sample.bytes(
      gPerCount: rangeG / Double(half), countMax: half - 1, shift: 16 - bits, isBigEndian: true)
    if isFIFOOn {
      fifo.append(latest)
      if fifo.count > 32 {
        isOverrun = true
        fifo.removeFirst()
      }
    } else {
      isOverrun = isFresh
      isFresh = true
    }
    // A high-pass of first order at a few hertz.
    guard registers[0x1D] & 0x0E != 0 else { return level = nil }
    let before = level ?? sample
    if sample.distance(to: before) > Double(registers[0x1F] & 0x7F) * 0.063 { isMoved = true }
    level = Acceleration(
      x: before.x + (sample.x - before.x) / 4, y: before.y + (sample.y - before.y) / 4,
      z: before.z + (sample.z - before.z) / 4)
  }

  private var isFull: Bool {
    let watermark = Int(registers[0x09] & 0x3F)
    return isFIFOOn && watermark > 0 && fifo.count >= watermark
  }

  /// The output is active high, and the sources are on INT1, only when configured so.
  public var isInterruptRaised: Bool {
    let sources: UInt8 =
      (isFull ? 0x40 : 0) | (isMoved ? 0x20 : 0) | (isFresh && !isFIFOOn ? 0x01 : 0)
    return registers[0x2C] & 0x02 != 0 && sources & registers[0x2D] & registers[0x2E] != 0
  }

  // MARK: The bus

  public mutating func set(_ register: Int, _ value: UInt8, at now: Instant) {
    switch register {
    case 0x00...0x06, 0x0B...0x0D, 0x1E: return
    case 0x2A:
      if value & 0x01 != 0, !isActive { empty() }
      registers[0x2A] = value
    case _ where isActive: return
    case 0x09:
      guard hasFIFO else { return }
      registers[0x09] = value
      if value & 0xC0 == 0 { empty() }
    default: registers[register] = value
    }
  }

  public mutating func step() {
    switch pointer {
    case 0x01 where isFIFOOn: break
    case 0x06: pointer = 0x00
    default: pointer = (pointer + 1) % SimulatedMMA845x.registerCount
    }
  }

  public mutating func get(_ register: Int) -> UInt8 {
    switch register {
    case 0x00: return status
    case 0x01 where isFIFOOn: return next()
    case 0x01...0x06:
      if register == 0x06 {
        isFresh = false
        isOverrun = false
      }
      return latest[register - 1]
    case 0x0D: return falseIdentity ?? registers[0x0D]
    case 0x1E:
      defer { isMoved = false }
      return isMoved ? 0x40 : 0
    default: return registers[register]
    }
  }

  private var status: UInt8 {
    if isFIFOOn {
      return (isOverrun ? 0x80 : 0) | (isFull ? 0x40 : 0) | UInt8(fifo.count)
    }
    return (isOverrun ? 0xF0 : 0) | (isFresh ? 0x0F : 0)
  }

  private mutating func next() -> UInt8 {
    guard let front = fifo.first else { return 0 }
    let byte = front[readCount]
    readCount += 1
    if readCount == 6 {
      readCount = 0
      fifo.removeFirst()
      isOverrun = false
    }
    return byte
  }
}

import Accelerometers
public import BinnacleBasics

/// ST's LSM6DS3, LSM6DS3TR-C and LSM6DSO: one register map, two kinds of FIFO.
///
/// By ST's header files and Linux's `st_lsm6dsx`. The older chips keep words of 16 bits and report the axis of the
/// oldest word. Words that do not fit replace the oldest words, so that an overrun leaves a part of a sample there. The
/// LSM6DSO keeps samples with a tag.
public struct SimulatedLSM6DS: SimulatedRegisterChip {
  public static let registerCount = 128
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  private let identity: UInt8
  private var registers = [UInt8](repeating: 0, count: 128)
  public var pointer = 0
  /// Single words, or complete samples in the LSM6DSO.
  private var fifo: [[UInt8]] = []
  /// The axis of the oldest word.
  private var frontAxis = 0
  private var isOverrun = false
  private var latest = [UInt8](repeating: 0, count: 6)
  private var last = Acceleration.zero
  private var isMoved = false

  private var isTagged: Bool { identity == 0x6C }
  private var fifoMax: Int { isTagged ? 512 : identity == 0x69 ? 4_096 : 2_048 }

  /// The value of the identity register: 0x69 is an LSM6DS3, 0x6A an LSM6DS3TR-C, 0x6C an LSM6DSO.
  public init(
    address: UInt8 = 0x6A, identity: UInt8 = 0x69, clockError: Double = 0, seed: UInt64 = 1
  ) {
    self.address = address
    self.identity = identity
    masses = SimulatedMasses(noiseG: 0.3e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    registers = [UInt8](repeating: 0, count: 128)
    registers[0x0F] = identity
    registers[0x12] = 0x04
    empty()
    isMoved = false
    last = .zero
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  private mutating func empty() {
    fifo = []
    frontAxis = 0
    isOverrun = false
  }

  // MARK: Samples

  private static let rates: [Double?] = [nil, 12.5, 26, 52, 104, 208, 416, 833]

  private var rateHz: Double? {
    let code = Int(registers[0x10] >> 4)
    return code < SimulatedLSM6DS.rates.count ? SimulatedLSM6DS.rates[code] : nil
  }

  private var rangeG: Double { [2, 16, 4, 8][Int(registers[0x10] >> 2 & 3)] }

  /// Whether the FIFO gets the accelerometer's samples, at the accelerometer's own rate.
  private var isFIFOOn: Bool {
    let rate = registers[0x10] >> 4
    guard registers[0x0A] & 0x07 == 0x06 else { return false }
    if isTagged { return registers[0x09] & 0x0F == rate }
    return registers[0x08] & 0x07 == 0x01 && registers[0x0A] >> 3 & 0x0F == rate
  }

  public mutating func advance(to now: Instant) {
    let push: Acceleration =
      switch registers[0x14] & 0x03 {
      case 1: Acceleration(x: 0.4, y: 0.5, z: 0.3)
      case 2: Acceleration(x: -0.4, y: -0.5, z: -0.3)
      default: .zero
      }
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    let words = sample.counts(gPerCount: 0.061e-3 * rangeG / 2, countMax: 32_767).map { count in
      let word = UInt16(bitPattern: Int16(count))
      return [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
    }
    latest = words.flatMap { $0 }
    if isFIFOOn {
      fifo += isTagged ? [[0x10] + latest] : words
      let lostCount = fifo.count - fifoMax
      if lostCount > 0 {
        isOverrun = true
        fifo.removeFirst(lostCount)
        frontAxis = (frontAxis + lostCount) % 3
      }
    }
    let isWatched = identity == 0x69 || registers[0x58] & 0x80 != 0
    // The LSM6DSO has an option that divides a threshold step by four (`lsm6dso_reg.h`, WAKE_THS_W).
    let isQuarter = ![0x69, 0x6A].contains(identity) && registers[0x5C] & 0x10 != 0
    let threshold = Double(registers[0x5B] & 0x3F) * rangeG / (isQuarter ? 256 : 64)
    if isWatched, last != .zero, sample.distance(to: last) > threshold { isMoved = true }
    last = sample
  }

  private var isFull: Bool {
    let low = Int(registers[isTagged ? 0x07 : 0x06])
    let high = Int(registers[isTagged ? 0x08 : 0x07] & (isTagged ? 0x01 : 0x0F))
    let watermark = high << 8 | low
    return watermark > 0 && fifo.count >= watermark
  }

  public var isInterruptRaised: Bool {
    registers[0x0D] & 0x08 != 0 && isFull || registers[0x5E] & 0x20 != 0 && isMoved
  }

  // MARK: The bus

  public mutating func set(_ register: Int, _ value: UInt8, at now: Instant) {
    switch register {
    case 0x0F, 0x1A...0x1E, 0x20...0x2D, 0x3A...0x3F, 0x78...0x7E: return
    case 0x0A:
      registers[0x0A] = value
      if value & 0x07 == 0 { empty() }
    case 0x12 where value & 0x01 != 0: switchOn(at: now)
    default: registers[register] = value
    }
  }

  /// The address increments when the chip is configured so, and cycles within the FIFO.
  public mutating func step() {
    guard registers[0x12] & 0x04 != 0 else { return }
    switch pointer {
    case 0x3F where !isTagged:
      take(front: 1)
      pointer = 0x3E
    case 0x7E where isTagged:
      take(front: 1)
      pointer = 0x78
    default: pointer = (pointer + 1) & 0x7F
    }
  }

  private mutating func take(front count: Int) {
    guard fifo.count >= count else { return }
    fifo.removeFirst(count)
    frontAxis = (frontAxis + count) % 3
    isOverrun = false
  }

  public mutating func get(_ register: Int) -> UInt8 {
    switch register {
    case 0x0F: return falseIdentity ?? registers[0x0F]
    case 0x1B:
      defer { isMoved = false }
      return isMoved ? 0x08 : 0
    case 0x28...0x2D: return latest[register - 0x28]
    case 0x3A: return UInt8(fifo.count & 0xFF)
    case 0x3B:
      let high = isTagged ? fifo.count >> 8 & 0x03 : fifo.count >> 8 & 0x0F
      let flags: UInt8 = (isFull ? 0x80 : 0) | (isOverrun ? 0x40 : 0)
      return flags | (fifo.isEmpty && !isTagged ? 0x10 : 0) | UInt8(high)
    case 0x3C: return isTagged ? 0 : UInt8(frontAxis)
    case 0x3E, 0x3F: return isTagged ? 0 : fifo.first?[register - 0x3E] ?? 0
    case 0x78...0x7E: return isTagged ? fifo.first?[register - 0x78] ?? 0 : 0
    default: return registers[register]
    }
  }
}

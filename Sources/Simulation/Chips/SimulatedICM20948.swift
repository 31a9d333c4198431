import Accelerometers
public import BinnacleBasics

/// InvenSense's ICM-20948: four banks of registers, asleep at first, a FIFO of bytes.
///
/// By DS-000189 (rev. 1.3): register 0x7F selects the bank in every bank, and a reset selects bank 0. The address stays
/// at 0x72 while the FIFO is read. Bytes that do not fit replace the oldest bytes.
public struct SimulatedICM20948: SimulatedRegisterChip {
  public static let registerCount = 128
  public let address: UInt8
  public var masses: SimulatedMasses
  public var falseIdentity: UInt8?
  public var pointer = 0
  private var banks: [[UInt8]] = []
  private var bank = 0
  private var fifo: [UInt8] = []
  private var latest = [UInt8](repeating: 0, count: 6)
  private var last = Acceleration.zero
  private var isMoved = false

  private static let fifoBytesMax = 512

  public init(address: UInt8 = 0x69, clockError: Double = 0, seed: UInt64 = 1) {
    self.address = address
    masses = SimulatedMasses(noiseG: 1e-3, clockError: clockError, seed: seed)
    switchOn(at: .zero)
  }

  public mutating func switchOn(at now: Instant) {
    banks = Array(repeating: [UInt8](repeating: 0, count: 128), count: 4)
    bank = 0
    banks[0][0x00] = 0xEA
    banks[0][0x05] = 0x40
    banks[0][0x06] = 0x41
    banks[2][0x14] = 0x01
    // The trims of the factory.
    for register in 0x0E...0x10 { banks[1][register] = 100 }
    fifo = []
    isMoved = false
    last = .zero
    latest = [UInt8](repeating: 0, count: 6)
    masses.restart()
  }

  // MARK: Samples

  private var rateHz: Double? {
    let divider = Int(banks[2][0x10] & 0x0F) << 8 | Int(banks[2][0x11])
    return banks[0][0x06] & 0x40 != 0 ? nil : 1_125 / Double(divider + 1)
  }

  public mutating func advance(to now: Instant) {
    // 2,620 counts at 2 g times 1.01 to the power of 99.
    let one = 2_620 * 2.678 / 16_384
    let bits = banks[2][0x15]
    let push = Acceleration(
      x: bits & 0x10 != 0 ? one : 0, y: bits & 0x08 != 0 ? one : 0,
      z: bits & 0x04 != 0 ? one : 0)
    for sample in masses.samples(until: now, rateHz: rateHz, push: push) { take(sample) }
  }

  private mutating func take(_ sample: Acceleration) {
    let range = Double(2 << Int(banks[2][0x14] >> 1 & 3))
    latest = sample.bytes(gPerCount: range / 32_768, isBigEndian: true)
    if banks[0][0x03] & 0x40 != 0, banks[0][0x67] & 0x10 != 0 {
      fifo += latest
      let excess = fifo.count - SimulatedICM20948.fifoBytesMax
      if excess > 0 { fifo.removeFirst(excess) }
    }
    let isWatched = banks[2][0x12] & 0x03 == 0x03
    if isWatched, last != .zero, sample.distance(to: last) > Double(banks[2][0x13]) * 0.004 {
      isMoved = true
    }
    last = sample
  }

  public var isInterruptRaised: Bool { isMoved && banks[0][0x10] & 0x08 != 0 }

  // MARK: The bus

  public mutating func set(_ register: Int, _ value: UInt8, at now: Instant) {
    switch (bank, register) {
    case (_, 0x7F): bank = Int(value >> 4 & 3)
    case (0, 0x00), (0, 0x19), (0, 0x2D...0x32), (0, 0x70...0x72): return
    case (0, 0x06) where value & 0x80 != 0: switchOn(at: now)
    case (0, 0x68):
      banks[0][0x68] = value
      if value & 0x1F != 0 { fifo = [] }
    default: banks[bank][register] = value
    }
  }

  public mutating func step() {
    if bank == 0, pointer == 0x72 { return }
    pointer = (pointer + 1) % SimulatedICM20948.registerCount
  }

  public mutating func get(_ register: Int) -> UInt8 {
    switch (bank, register) {
    case (_, 0x7F): return UInt8(bank << 4)
    case (0, 0x00): return falseIdentity ?? banks[0][0x00]
    case (0, 0x19):
      defer { isMoved = false }
      return isMoved ? 0x08 : 0
    case (0, 0x2D...0x32): return latest[register - 0x2D]
    case (0, 0x70): return UInt8(fifo.count >> 8)
    case (0, 0x71): return UInt8(fifo.count & 0xFF)
    case (0, 0x72): return fifo.isEmpty ? 0xFF : fifo.removeFirst()
    default: return banks[bank][register]
    }
  }
}

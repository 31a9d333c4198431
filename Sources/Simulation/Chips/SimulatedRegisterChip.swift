import Accelerometers
public import BinnacleBasics

/// A simulated chip as a list of registers: the first byte of a write selects a register, the next bytes follow it.
public protocol SimulatedRegisterChip: SimulatedAccelerometer {
  /// The register of the next byte.
  var pointer: Int { get set }
  /// The number of register numbers.
  static var registerCount: Int { get }
  /// Writes a byte to a register.
  mutating func set(_ register: Int, _ value: UInt8, at now: Instant)
  /// Reads a byte from a register.
  mutating func get(_ register: Int) -> UInt8
  /// Moves to the next register.
  mutating func step()
}

extension SimulatedRegisterChip {
  public mutating func write(_ bytes: [UInt8], at now: Instant) -> Bool {
    advance(to: now)
    pointer = Int(bytes[0]) % Self.registerCount
    for byte in bytes.dropFirst() {
      set(pointer, byte, at: now)
      step()
    }
    // A chip that was just switched on starts to count time now.
    advance(to: now)
    return true
  }

  public mutating func read(_ count: Int, at now: Instant) -> [UInt8] {
    advance(to: now)
    return (0..<count).map { _ in
      defer { step() }
      return get(pointer)
    }
  }

  public mutating func step() { pointer = (pointer + 1) % Self.registerCount }
}

extension Acceleration {
  /// The bytes of a sample in the format of the registers.
  func bytes(
    gPerCount: Double, countMax: Int = 32_767, shift: Int = 0, isBigEndian: Bool = false
  ) -> [UInt8] {
    counts(gPerCount: gPerCount, countMax: countMax).flatMap { count in
      let word = UInt16(bitPattern: Int16(count)) << UInt16(shift)
      let low = UInt8(truncatingIfNeeded: word)
      let high = UInt8(word >> 8)
      return isBigEndian ? [high, low] : [low, high]
    }
  }
}

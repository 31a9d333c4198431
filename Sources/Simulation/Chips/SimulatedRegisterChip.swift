import Accelerometers
public import BinnacleBasics

/// A simulated chip as a row of registers: the first byte of a write chooses one, and the next ones follow.
public protocol SimulatedRegisterChip: SimulatedAccelerometer {
  /// The register that is next.
  var pointer: Int { get set }
  /// A register's number has so many values.
  static var registerCount: Int { get }
  /// A byte is written.
  mutating func set(_ register: Int, _ value: UInt8, at now: Instant)
  /// A byte is read.
  mutating func get(_ register: Int) -> UInt8
  /// Goes on to the next register.
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
    // What was just switched on begins to count time now.
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
  /// The bytes of a sample, as registers have them.
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

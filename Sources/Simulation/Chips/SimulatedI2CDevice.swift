public import BinnacleBasics

/// A chip on a simulated I2C bus: its reaction to bytes, and its answers.
public protocol SimulatedI2CDevice: Sendable {
  /// The chip's 7-bit address.
  var address: UInt8 { get }
  /// Whether the chip acknowledges its address now; a chip that does not gets no other part of the transfer.
  mutating func acknowledgesAddress(at now: Instant) -> Bool
  /// Takes the bytes of one write; false: the chip did not acknowledge all bytes.
  mutating func write(_ bytes: [UInt8], at now: Instant) -> Bool
  /// Answers one read.
  mutating func read(_ count: Int, at now: Instant) -> [UInt8]
}

extension SimulatedI2CDevice {
  public mutating func acknowledgesAddress(at now: Instant) -> Bool { true }
}

public import BinnacleBasics

/// A chip on a simulated I2C bus: what it does with bytes, and what it answers.
public protocol SimulatedI2CDevice: Sendable {
  /// Its 7-bit address.
  var address: UInt8 { get }
  /// Whether it acknowledges its address now; one that does not hears of a transfer no more than that.
  mutating func acknowledgesAddress(at now: Instant) -> Bool
  /// Takes the bytes of one write; false: it did not acknowledge them all.
  mutating func write(_ bytes: [UInt8], at now: Instant) -> Bool
  /// Answers one read.
  mutating func read(_ count: Int, at now: Instant) -> [UInt8]
}

extension SimulatedI2CDevice {
  public mutating func acknowledgesAddress(at now: Instant) -> Bool { true }
}

import I2C

/// What carries out transfers: the kernel's bus or a virtual board's; used by the bus's thread alone.
protocol I2CBackend {
  /// Carries out one transfer and waits for its end.
  ///
  /// - Returns: what each read brought.
  mutating func carryOut(_ transfer: I2CTransfer) throws(I2CFault) -> [[UInt8]]
}

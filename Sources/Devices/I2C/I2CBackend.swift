import I2C

/// Carries out transfers, on the kernel's bus or on a virtual board; used by the bus thread only.
protocol I2CBackend {
  /// Carries out one transfer and waits for its end.
  ///
  /// - Returns: the bytes of each read.
  mutating func carryOut(_ transfer: I2CTransfer) throws(I2CFault) -> [[UInt8]]
}

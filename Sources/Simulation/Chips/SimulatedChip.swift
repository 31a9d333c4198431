/// The accelerometers that can be put on a simulated bus, by the names of their drivers.
public enum SimulatedChip: String, CaseIterable, Sendable {
  case adxl345
  case lis3dh
  case mpu6050

  /// A chip fresh from the works, at its usual address unless another is named.
  public func make(address: UInt8?, seed: UInt64) -> any SimulatedAccelerometer {
    switch self {
    case .adxl345: SimulatedADXL345(address: address ?? 0x53, seed: seed)
    case .lis3dh: SimulatedLIS3DH(address: address ?? 0x18, seed: seed)
    case .mpu6050: SimulatedMPU6050(address: address ?? 0x68, seed: seed)
    }
  }
}

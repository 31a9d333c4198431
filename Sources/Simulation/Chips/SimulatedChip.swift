/// The accelerometers that can be put on a simulated bus, by the names of their drivers.
public enum SimulatedChip: String, CaseIterable, Sendable {
  case adxl345
  case icm20948
  case kx022
  case kx023
  case lis3dh
  case lsm6ds3
  case lsm6ds3trc
  case lsm6dso
  case lsm9ds1
  case mma8451
  case mma8452
  case mma8453
  case mpu6050
  case mpu6500

  /// A chip in its factory state with a typical clock error; its usual address applies unless another is given.
  public func make(address: UInt8?, seed: UInt64) -> any SimulatedAccelerometer {
    switch self {
    case .adxl345: SimulatedADXL345(address: address ?? 0x53, clockError: -0.03, seed: seed)
    case .icm20948: SimulatedICM20948(address: address ?? 0x69, clockError: 0.01, seed: seed)
    case .kx022:
      SimulatedKX022(address: address ?? 0x1E, identity: 0x14, clockError: -0.02, seed: seed)
    case .kx023:
      SimulatedKX022(address: address ?? 0x1E, identity: 0x15, clockError: 0.01, seed: seed)
    case .lis3dh: SimulatedLIS3DH(address: address ?? 0x18, clockError: 0.02, seed: seed)
    case .lsm6ds3:
      SimulatedLSM6DS(address: address ?? 0x6A, identity: 0x69, clockError: 0.01, seed: seed)
    case .lsm6ds3trc:
      SimulatedLSM6DS(address: address ?? 0x6A, identity: 0x6A, clockError: -0.02, seed: seed)
    case .lsm6dso:
      SimulatedLSM6DS(address: address ?? 0x6A, identity: 0x6C, clockError: 0.02, seed: seed)
    case .lsm9ds1: SimulatedLSM9DS1(address: address ?? 0x6A, clockError: -0.01, seed: seed)
    case .mma8451:
      SimulatedMMA845x(address: address ?? 0x1D, identity: 0x1A, clockError: 0.02, seed: seed)
    case .mma8452:
      SimulatedMMA845x(address: address ?? 0x1D, identity: 0x2A, clockError: -0.01, seed: seed)
    case .mma8453:
      SimulatedMMA845x(address: address ?? 0x1D, identity: 0x3A, clockError: 0.01, seed: seed)
    case .mpu6050: SimulatedMPU6050(address: address ?? 0x68, clockError: -0.01, seed: seed)
    case .mpu6500:
      SimulatedMPU6050(address: address ?? 0x68, identity: 0x70, clockError: 0.01, seed: seed)
    }
  }
}

/// A driver: chips that are set up and read in the same way.
public enum ChipFamily: String, CaseIterable, Sendable, Codable {
  case lis3dh
  case mpu6050
  case adxl345
  case lsm6ds
  case lsm9ds1
  case mma845x
  case kx022
  case icm20948

  /// The chips of the family.
  var driver: any ChipDriver.Type {
    switch self {
    case .lis3dh: LIS3DH.self
    case .mpu6050: MPU6050.self
    case .adxl345: ADXL345.self
    case .lsm6ds: LSM6DS.self
    case .lsm9ds1: LSM9DS1.self
    case .mma845x: MMA845x.self
    case .kx022: KX022.self
    case .icm20948: ICM20948.self
    }
  }
}

/// The knowledge of a driver: how to recognize, set up, read and test its chips.
///
/// Everything is values: registers out, numbers in.
protocol ChipDriver {
  static var identities: [ChipIdentity] { get }
  /// How a chip is set up and read.
  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration
  /// How a chip moves its own masses; nil when it cannot.
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest?
  /// How fine the steps are in which its interrupt on movement is set, in g; nil when it has none that is known well enough.
  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double?
}

extension ChipDriver {
  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double? { nil }
}

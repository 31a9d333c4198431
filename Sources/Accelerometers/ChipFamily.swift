/// A driver: a family of chips with the same configuration and reading.
public enum ChipFamily: String, CaseIterable, Sendable, Codable {
  case lis3dh
  case mpu6050
  case adxl345
  case lsm6ds
  case lsm9ds1
  case mma845x
  case kx022
  case icm20948

  /// The driver of the family.
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

/// The knowledge about a family of chips: identification, configuration, reading and test.
///
/// A driver consists of pure functions: it returns register values and converts read bytes.
protocol ChipDriver {
  static var identities: [ChipIdentity] { get }
  /// The configuration of a chip for a use.
  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration
  /// The chip's self-test; nil if the chip has none.
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest?
  /// The step of the threshold of the motion interrupt, in g; nil if there is no sufficiently documented interrupt.
  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double?
}

extension ChipDriver {
  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double? { nil }
}

import BinnacleBasics
import Simulation
import Testing

@testable import Accelerometers

/// A model of an accelerometer with its simulated chip, for tests of every driver.
struct ChipCase: Sendable, CustomTestStringConvertible {
  let family: ChipFamily
  let model: String
  let chip: any SimulatedAccelerometer
  var hasWatermark = true
  /// MMA8452 and 8453 give sample by sample.
  var hasFIFO = true
  /// The actual rate for a request of 50 Hz, and the steps between the rates.
  var rateHz = 50.0
  var rateStep = 1.3
  /// Longer than its FIFO holds at that rate.
  var holdUp = Interval.seconds(8)
  /// By the data sheet, in g; 0: it has no figure.
  var noiseG: ClosedRange<Double> = 0.0003...0.005
  var rangeMaxG = 16
  /// Whether its steps are fine enough that noise moves the last digit.
  var noiseShows = true
  /// Whether its interrupt is fine enough to take the place of reading while updates pause.
  var isArmable: Bool {
    ["LIS3DH", "MPU-6500", "LSM6DSO", "ICM-20948"].contains(model)
  }

  var polled: AccelerometerDescription.Reading { hasFIFO ? .polledFIFO : .polled }
  var lined: AccelerometerDescription.Reading {
    hasWatermark ? .interrupt : polled
  }

  var testDescription: String { model }

  static let all: [ChipCase] = [
    ChipCase(family: .lis3dh, model: "LIS3DH", chip: SimulatedLIS3DH(clockError: 0.03)),
    ChipCase(
      family: .mpu6050, model: "MPU-6050", chip: SimulatedMPU6050(clockError: -0.02),
      hasWatermark: false),
    ChipCase(
      family: .mpu6050, model: "MPU-6500",
      chip: SimulatedMPU6050(identity: 0x70, clockError: 0.02), hasWatermark: false),
    ChipCase(family: .adxl345, model: "ADXL345", chip: SimulatedADXL345(clockError: -0.03)),
    ChipCase(
      family: .lsm6ds, model: "LSM6DS3", chip: SimulatedLSM6DS(clockError: 0.02), rateHz: 52,
      holdUp: .seconds(30), noiseG: 0.0002...0.0004),
    ChipCase(
      family: .lsm6ds, model: "LSM6DS3TR-C",
      chip: SimulatedLSM6DS(address: 0x6B, identity: 0x6A, clockError: -0.02), rateHz: 52,
      holdUp: .seconds(18), noiseG: 0.0002...0.0004),
    ChipCase(
      family: .lsm6ds, model: "LSM6DSO",
      chip: SimulatedLSM6DS(identity: 0x6C, clockError: 0.03), rateHz: 52,
      holdUp: .seconds(14), noiseG: 0.0001...0.0003),
    ChipCase(
      family: .lsm9ds1, model: "LSM9DS1", chip: SimulatedLSM9DS1(clockError: -0.02), rateStep: 2,
      noiseG: 0...0),
    ChipCase(
      family: .mma845x, model: "MMA8451", chip: SimulatedMMA845x(clockError: 0.02), rateStep: 2,
      noiseG: 0.0004...0.0006, rangeMaxG: 8),
    ChipCase(
      family: .mma845x, model: "MMA8452",
      chip: SimulatedMMA845x(address: 0x1C, identity: 0x2A, clockError: -0.02),
      hasWatermark: false, hasFIFO: false,
      rateStep: 2, noiseG: 0.0005...0.0007, rangeMaxG: 8),
    ChipCase(
      family: .mma845x, model: "MMA8453", chip: SimulatedMMA845x(identity: 0x3A, clockError: 0.03),
      hasWatermark: false, hasFIFO: false, rateStep: 2, noiseG: 0.001...0.0014, rangeMaxG: 8,
      noiseShows: false),
    ChipCase(
      family: .kx022, model: "KX022", chip: SimulatedKX022(clockError: -0.02),
      noiseG: 0.0002...0.0004, rangeMaxG: 8),
    ChipCase(
      family: .kx022, model: "KX023",
      chip: SimulatedKX022(address: 0x1F, identity: 0x15, clockError: 0.02),
      noiseG: 0.0002...0.0004, rangeMaxG: 8),
    ChipCase(
      family: .icm20948, model: "ICM-20948", chip: SimulatedICM20948(clockError: 0.01),
      hasWatermark: false, rateHz: 51.1, holdUp: .seconds(8), noiseG: 0.0006...0.0011),
  ]

  /// The driver at a simulated bus with this chip.
  func desk(
    hasLine: Bool = false, mode: AccelerometerMachine.Mode = .streaming, rangeG: Int = 2,
    rateHz: Int = 50
  ) -> ChipDesk {
    ChipDesk(
      AccelerometerSettings(rangeG: rangeG, rateHz: rateHz, hasLine: hasLine),
      SimulatedI2CBus(accelerometers: [chip]), mode: mode)
  }

  /// How it is read while every sample counts.
  var configuration: ChipConfiguration? {
    let driver = family.driver
    let identity = driver.identities.flatMap(\.models).first { $0.name == model }
    return identity.map {
      driver.configuration(for: $0, AccelerometerSettings(), use: .streaming)
    }
  }
}

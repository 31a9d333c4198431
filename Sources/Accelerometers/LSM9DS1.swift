import BinnacleBasics

/// ST's LSM9DS1, the sensor of the Sense HAT, and LSM6DS0, the same design without a magnetometer.
///
/// Registers by ST's header file `lsm9ds1_reg.h` and the data sheet (DocID025715); they differ from those of the
/// LSM6DS. The data sheet has no figure for the accelerometer's noise, so the noise is reported as unknown. With the
/// gyroscope in power-down, a burst wraps from the accelerometer's last output register to its first (section 3.3 of
/// revision 2), so one read takes the whole content of the FIFO.
enum LSM9DS1: ChipDriver {
  static let identities = [
    // An MPU-6050 has the same value, but another register and other addresses.
    ChipIdentity(
      addresses: [0x6A, 0x6B], register: 0x0F, models: [.init(value: 0x68, name: "LSM9DS1")])
  ]

  private enum Register {
    static let interruptAxes: UInt8 = 0x06
    static let interruptThreshold: UInt8 = 0x07
    static let interruptDuration: UInt8 = 0x0A
    static let interrupt1: UInt8 = 0x0C
    static let gyroscope: UInt8 = 0x10
    static let control4: UInt8 = 0x1E
    static let control5: UInt8 = 0x1F
    static let control6: UInt8 = 0x20
    static let control7: UInt8 = 0x21
    static let control8: UInt8 = 0x22
    static let control9: UInt8 = 0x23
    static let control10: UInt8 = 0x24
    static let interruptSource: UInt8 = 0x26
    static let output: UInt8 = 0x28
    static let fifoControl: UInt8 = 0x2E
    static let fifoSource: UInt8 = 0x2F
  }

  private static let rates: [(hz: Int, code: UInt8)] = [
    (10, 1), (50, 2), (119, 3), (238, 4), (476, 5),
  ]
  private static let watermark: UInt8 = 24
  private static let capacity = 32

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let rate = rates.first { $0.hz >= settings.rateHz } ?? (476, 5)
    // The codes 0 to 3 stand for 2, 16, 4 and 8 g: they are not in the order of the ranges. At 16 g a count is larger
    // than in proportion.
    let (range, gPerCount): (UInt8, Double) =
      switch settings.rangeG {
      case ...2: (0, 0.061e-3)
      case ...4: (2, 0.122e-3)
      case ...8: (3, 0.244e-3)
      default: (1, 0.732e-3)
      }
    var configuration = ChipConfiguration(
      rateHz: Double(rate.hz), rangeG: settings.rangeG, noiseG: 0, steps: [],
      layout: SampleLayout(
        gPerCount: gPerCount,
        countMax: settings.rangeG == 16 ? Int16(16 / gPerCount) : 32_767),
      sampleRegister: Register.output)
    configuration.steps = [
      .write(Register.control8, 0x05, mask: 0), .wait(.milliseconds(10)),
      // A sample does not change during its read, and the address increments automatically.
      .write(Register.control8, 0x44), .write(Register.gyroscope, 0x00),
      .write(Register.control10, 0x00), .write(Register.control5, 0x38),
      // The analog filter has 50 Hz at any rate.
      .write(Register.control6, rate.code << 5 | range << 3 | 0x07),
    ]
    switch use {
    case .streaming: stream(&configuration, hasLine: settings.hasLine)
    case .resting, .armed: rest(&configuration, settings)
    }
    return configuration
  }

  private static func stream(_ configuration: inout ChipConfiguration, hasLine: Bool) {
    configuration.steps += [
      // The digital filter has a ninth of the rate.
      .write(Register.control7, 0xC0), .write(Register.interruptAxes, 0x00),
      .write(Register.interrupt1, hasLine ? 0x08 : 0x00), .write(Register.control9, 0x02),
      // Bypass mode empties the FIFO before continuous mode.
      .write(Register.fifoControl, 0x00, mask: 0),
      .write(Register.fifoControl, 0xC0 | watermark),
    ]
    configuration.fifo = ChipConfiguration.FIFO(
      levelRegister: Register.fifoSource, levelBytes: 1, mask: 0x3F, unitBytes: 6,
      dataRegister: Register.output, capacity: capacity, overrun: .flag(0x40),
      isSteady: true)
    if hasLine { configuration.interrupt = .watermark(samples: Int(watermark)) }
  }

  private static func rest(
    _ configuration: inout ChipConfiguration, _ settings: AccelerometerSettings
  ) {
    configuration.steps += [.write(Register.fifoControl, 0x00), .write(Register.control9, 0x00)]
    guard settings.hasLine else {
      configuration.steps += [
        .write(Register.control7, 0xC0), .write(Register.interruptAxes, 0x00),
        .write(Register.interrupt1, 0x00),
      ]
      return
    }
    // A step is 128 counts: 62 mg at 2, 4 and 8 g, 94 mg at 16 g. The high-pass filter, at a fiftieth of the rate,
    // removes the present position. The interrupt is latched until it is read.
    let threshold: UInt8 = [8, 4, 2, 1][Int(settings.rangeCode)]
    configuration.steps += [
      .write(Register.control7, 0x01), .write(Register.control4, 0x3A),
      .write(Register.interruptThreshold, threshold),
      .write(Register.interruptThreshold + 1, threshold),
      .write(Register.interruptThreshold + 2, threshold),
      .write(Register.interruptDuration, 0x00), .write(Register.interruptAxes, 0x2A),
      .wait(.milliseconds(1_000)), .read(Register.interruptSource, count: 1),
      .write(Register.interrupt1, 0x40),
    ]
    configuration.interrupt = .motion(acknowledge: [.read(Register.interruptSource, count: 1)])
  }

  /// As in ST's `lsm9ds1_self_test.c`: 50 Hz, 2 g, with the limits of that file.
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    SelfTest(
      off: [
        .write(Register.control8, 0x05, mask: 0), .wait(.milliseconds(10)),
        .write(Register.control8, 0x44), .write(Register.control10, 0x00),
        .write(Register.control6, 0x40),
      ],
      on: [.write(Register.control10, 0x01)], settling: .milliseconds(200),
      sampleRegister: Register.output,
      layout: SampleLayout(gPerCount: 0.061e-3, countMax: 32_767), sampleCount: 5,
      spacing: .milliseconds(22), verdict: .eitherWay(0.07...1.5))
  }
}

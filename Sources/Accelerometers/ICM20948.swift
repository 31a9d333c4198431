import BinnacleBasics

/// InvenSense's (TDK's) ICM-20948, whose registers are in four banks with the same register numbers.
///
/// Registers by DS-000189 (rev. 1.3), chapters 7 to 10. Identity, data and interrupts are in bank 0, rate, filter and
/// range in bank 2, the factory trim in bank 1. Each order begins and ends in bank 0. An interrupted order may leave
/// another bank selected, so the next order selects bank 0 first. If a program was killed while another bank was
/// selected, the chip is not found, because reading its identity would need a write. Such a chip needs a power cycle.
enum ICM20948: ChipDriver {
  static let identities = [
    ChipIdentity(
      addresses: [0x68, 0x69], register: 0x00, models: [.init(value: 0xEA, name: "ICM-20948")],
      // A real-time clock chip with 64 registers repeats them.
      unlike: 0x40)
  ]

  private enum Register {
    static let bank: UInt8 = 0x7F
    // Bank 0.
    static let userControl: UInt8 = 0x03
    static let power1: UInt8 = 0x06
    static let power2: UInt8 = 0x07
    static let interruptPin: UInt8 = 0x0F
    static let interruptEnable: UInt8 = 0x10
    static let interruptStatus: UInt8 = 0x19
    static let output: UInt8 = 0x2D
    static let fifoEnable: UInt8 = 0x67
    static let fifoReset: UInt8 = 0x68
    static let fifoMode: UInt8 = 0x69
    static let fifoCount: UInt8 = 0x70
    static let fifoData: UInt8 = 0x72
    // Bank 1.
    static let selfTestTrim: UInt8 = 0x0E
    // Bank 2.
    static let rateDivider: UInt8 = 0x10
    static let motionControl: UInt8 = 0x12
    static let motionThreshold: UInt8 = 0x13
    static let accelerometer: UInt8 = 0x14
    static let accelerometer2: UInt8 = 0x15
  }

  /// The filters, widest first: the configuration takes the widest filter below a fifth of the rate, or the narrowest.
  ///
  /// Each has its bandwidth for noise (table 18).
  private static let filters: [(hz: Double, noiseHz: Double, code: UInt8)] = [
    (50.4, 68.8, 3), (23.9, 34.4, 4), (11.5, 17.0, 5), (5.7, 8.3, 6),
  ]
  /// The capacity in samples for a FIFO of 512 bytes.
  ///
  /// 512 bytes is the data sheet's size, according to the author of the Arduino library ICM20948_WE. The author
  /// measured 4096 bytes (in the FIFO examples of the library). The smaller size loses nothing with a larger FIFO,
  /// because the FIFO is read before it has that many bytes.
  private static let capacity = 85

  private static func bank(_ number: UInt8) -> RegisterStep {
    .write(Register.bank, number << 4, mask: 0)
  }

  private static let beginning: [RegisterStep] = [
    bank(0), .write(Register.power1, 0x80, mask: 0), .wait(.milliseconds(100)), bank(0),
    // The chip is awake, thermometer and gyroscopes are off.
    .write(Register.power1, 0x09), .write(Register.power2, 0x07), .wait(.milliseconds(30)),
  ]

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let divider = 1_125 / settings.rateHz
    let rateHz = 1_125 / Double(divider)
    let filter = filters.first { $0.hz <= rateHz / 5 } ?? (5.7, 8.3, 6)
    var configuration = ChipConfiguration(
      rateHz: rateHz, rangeG: settings.rangeG,
      // 230 micro-g per root hertz: table 2.
      noiseG: 230e-6 * filter.noiseHz.squareRoot(), steps: [],
      layout: SampleLayout(
        isBigEndian: true, gPerCount: Double(settings.rangeG) / 32_768, countMax: 32_767),
      sampleRegister: Register.output)
    configuration.bankRegister = Register.bank
    let hasMotion = use != .streaming && settings.hasLine
    configuration.steps = beginning
    configuration.steps += [
      bank(2), .write(Register.rateDivider, UInt8((divider - 1) >> 8)),
      .write(Register.rateDivider + 1, UInt8((divider - 1) & 0xFF)),
      .write(Register.accelerometer, filter.code << 3 | settings.rangeCode << 1 | 0x01),
      .write(Register.accelerometer2, 0x00),
      // The threshold is 64 or 32 mg between two samples, in steps of 4 mg.
      .write(Register.motionControl, hasMotion ? 0x03 : 0x00),
      .write(Register.motionThreshold, hasMotion ? (use == .armed ? 8 : 16) : 0), bank(0),
      // The output is high while active, until the status is read.
      .write(Register.interruptPin, 0x20),
    ]
    switch use {
    case .streaming: stream(&configuration)
    case .resting, .armed: rest(&configuration, hasMotion: hasMotion)
    }
    return configuration
  }

  private static func stream(_ configuration: inout ChipConfiguration) {
    let restart: [RegisterStep] = [
      .write(Register.userControl, 0x00, mask: 0), .write(Register.fifoReset, 0x1F, mask: 0),
      .write(Register.fifoReset, 0x00, mask: 0), .write(Register.userControl, 0x40),
    ]
    configuration.steps += [
      .write(Register.interruptEnable, 0x00), .write(Register.fifoMode, 0x00),
      .write(Register.fifoEnable, 0x10),
    ]
    configuration.steps += restart
    configuration.fifo = ChipConfiguration.FIFO(
      levelRegister: Register.fifoCount, levelBytes: 2, isBigEndian: true, mask: 0x1FFF,
      unitBytes: 1, dataRegister: Register.fifoData, capacity: capacity,
      overrun: .levelAtLeast(507), restart: restart)
  }

  private static func rest(_ configuration: inout ChipConfiguration, hasMotion: Bool) {
    configuration.steps += [.write(Register.fifoEnable, 0x00), .write(Register.userControl, 0x00)]
    guard hasMotion else {
      configuration.steps += [.write(Register.interruptEnable, 0x00)]
      return
    }
    configuration.steps += [
      .wait(.milliseconds(100)), .write(Register.interruptEnable, 0x08),
      .read(Register.interruptStatus, count: 1),
    ]
    configuration.interrupt = .motion(acknowledge: [.read(Register.interruptStatus, count: 1)])
  }

  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double? { 0.004 }

  /// As for the MPU-6500, its predecessor: the data sheet (4.13) gives the response but no formula.
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    var off = beginning
    off += [
      bank(2), .write(Register.rateDivider, 0x00), .write(Register.rateDivider + 1, 0x00),
      .write(Register.accelerometer, 0x11), .write(Register.accelerometer2, 0x00), bank(0),
    ]
    return SelfTest(
      off: off, on: [bank(2), .write(Register.accelerometer2, 0x1C), bank(0)],
      settling: .milliseconds(100), sampleRegister: Register.output,
      layout: SampleLayout(isBigEndian: true, gPerCount: 1.0 / 16_384, countMax: 32_767),
      sampleCount: 10, spacing: .milliseconds(5), verdict: .trim6500,
      trim: [bank(0), bank(1), .read(Register.selfTestTrim, count: 3), bank(0)])
  }
}

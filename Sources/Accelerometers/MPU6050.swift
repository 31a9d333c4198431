import BinnacleBasics

/// InvenSense's MPU-6050 and 9150, MPU-6500 and 9250 and related chips, ICM-206xx, and compatible chips.
///
/// Registers by RM-MPU-6000A (rev. 4.2) and RM-MPU-6500A (rev. 2.1). The later generation has a separate filter for
/// the accelerometer in register 0x1D; with the configuration of an MPU-6050 alone, such a chip would alias.
enum MPU6050: ChipDriver {
  static let identities = [
    ChipIdentity(
      addresses: [0x68, 0x69], register: 0x75,
      models: [
        .init(value: 0x68, name: "MPU-6050"), .init(value: 0x70, name: "MPU-6500"),
        .init(value: 0x71, name: "MPU-9250"), .init(value: 0x73, name: "MPU-9255"),
        .init(value: 0x74, name: "MPU-6515"), .init(value: 0x78, name: "MPU-6880"),
        .init(value: 0x12, name: "ICM-20602"), .init(value: 0xAF, name: "ICM-20608"),
        .init(value: 0xAE, name: "ICM-20608-D"), .init(value: 0xA6, name: "ICM-20609"),
        .init(value: 0x98, name: "ICM-20689"), .init(value: 0x20, name: "ICM-20690"),
        .init(value: 0xA9, name: "IAM-20680"),
      ],
      // The clock chip DS1307, which is often at 0x68, has 64 registers and repeats them.
      unlike: 0x35)
  ]

  private enum Register {
    static let selfTestTrim: UInt8 = 0x0D
    static let rateDivider: UInt8 = 0x19
    static let configuration: UInt8 = 0x1A
    static let accelerometer: UInt8 = 0x1C
    static let accelerometer2: UInt8 = 0x1D
    static let motionThreshold: UInt8 = 0x1F
    static let motionDuration: UInt8 = 0x20
    static let fifoEnable: UInt8 = 0x23
    static let interruptPin: UInt8 = 0x37
    static let interruptEnable: UInt8 = 0x38
    static let interruptStatus: UInt8 = 0x3A
    static let output: UInt8 = 0x3B
    static let motionControl: UInt8 = 0x69
    static let userControl: UInt8 = 0x6A
    static let power1: UInt8 = 0x6B
    static let power2: UInt8 = 0x6C
    static let fifoCount: UInt8 = 0x72
    static let fifoData: UInt8 = 0x74
  }

  /// The filters, widest first: the configuration takes the widest filter below a fifth of the rate, or the narrowest.
  private static let filters: [(hz: Double, code: UInt8)] = [(44, 3), (21, 4), (10, 5), (5, 6)]

  private static func isFirstGeneration(_ model: ChipIdentity.Model) -> Bool {
    model.value == 0x68
  }

  /// The size of the FIFO in bytes; Linux's `inv_mpu_core.c` has the same table.
  private static func fifoBytes(_ model: ChipIdentity.Model) -> Int {
    switch model.value {
    case 0x68, 0x20: 1_024
    case 0x78, 0xA6, 0x98: 4_096
    case 0x12: 1_008
    default: 512
    }
  }

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let divider = 1_000 / settings.rateHz
    let rateHz = 1_000 / Double(divider)
    let filter = filters.first { $0.hz <= rateHz / 5 } ?? (5, 6)
    let isFirst = isFirstGeneration(model)
    // Micro-g per root hertz: PS-MPU-6000A, table 6.2, and PS-MPU-6500A, table 2.
    let density = isFirst ? 400e-6 : 300e-6
    var configuration = ChipConfiguration(
      rateHz: rateHz, rangeG: settings.rangeG, noiseG: density * (filter.hz * 1.57).squareRoot(),
      steps: [],
      layout: SampleLayout(
        isBigEndian: true, gPerCount: Double(settings.rangeG) / 32_768, countMax: 32_767),
      sampleRegister: Register.output)
    configuration.steps = [
      .write(Register.power1, 0x80, mask: 0), .wait(.milliseconds(100)),
      // The chip is awake, thermometer and gyroscopes are off. Without gyroscopes the first generation can use only its
      // internal oscillator.
      .write(Register.power1, isFirst ? 0x08 : 0x09), .write(Register.power2, 0x07),
      .write(Register.configuration, filter.code),
      .write(Register.rateDivider, UInt8(divider - 1)),
    ]
    if !isFirst {
      // In the ICM-20689 and 20690 the two upper bits are the size of the FIFO; Linux also sets them.
      let size: UInt8 = [0x98, 0x20].contains(model.value) ? 0xC0 : 0
      configuration.steps += [.write(Register.accelerometer2, filter.code | size)]
    }
    switch use {
    case .streaming: stream(&configuration, model, settings)
    case .resting: rest(&configuration, model, settings, threshold: 16)
    case .armed: rest(&configuration, model, settings, threshold: 8)
    }
    return configuration
  }

  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double? {
    isFirstGeneration(model) ? nil : 0.004
  }

  private static func stream(
    _ configuration: inout ChipConfiguration, _ model: ChipIdentity.Model,
    _ settings: AccelerometerSettings
  ) {
    // Off, emptied, on. Lost bytes leave a partial sample in the FIFO, so an overrun empties the FIFO, too.
    let restart: [RegisterStep] = [
      .write(Register.userControl, 0x00, mask: 0), .write(Register.userControl, 0x04, mask: 0),
      .write(Register.userControl, 0x40),
    ]
    configuration.steps += [
      .write(Register.accelerometer, settings.rangeCode << 3),
      .write(Register.interruptEnable, 0x00), .write(Register.fifoEnable, 0x08),
    ]
    configuration.steps += restart
    let bytes = fifoBytes(model)
    configuration.fifo = ChipConfiguration.FIFO(
      levelRegister: Register.fifoCount, levelBytes: 2, isBigEndian: true, mask: 0x1FFF,
      unitBytes: 1, dataRegister: Register.fifoData, capacity: bytes / 6,
      overrun: .levelAtLeast(UInt32(bytes - 5)), restart: restart)
  }

  private static func rest(
    _ configuration: inout ChipConfiguration, _ model: ChipIdentity.Model,
    _ settings: AccelerometerSettings,
    threshold: UInt8
  ) {
    let isFirst = isFirstGeneration(model)
    configuration.steps += [
      .write(Register.fifoEnable, 0x00), .write(Register.userControl, 0x00),
      // The first generation compares the output of a 5 Hz high-pass filter.
      .write(
        Register.accelerometer, settings.rangeCode << 3 | (isFirst && settings.hasLine ? 1 : 0)),
    ]
    guard settings.hasLine else {
      configuration.steps += [.write(Register.interruptEnable, 0x00)]
      return
    }
    configuration.steps += [
      // The output is high while active, until the status is read.
      .write(Register.interruptPin, 0x20),
      // 4 mg per step in the later generation. For the first generation the register map gives 2 mg and the product
      // specification 32 mg; the actual step is known only by trial.
      .write(Register.motionThreshold, isFirst ? 20 : threshold),
      .write(isFirst ? Register.motionDuration : Register.motionControl, isFirst ? 1 : 0xC0),
      .wait(.milliseconds(100)),
      .write(Register.interruptEnable, 0x40), .read(Register.interruptStatus, count: 1),
    ]
    configuration.interrupt = .motion(acknowledge: [.read(Register.interruptStatus, count: 1)])
  }

  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    let isFirst = isFirstGeneration(model)
    let range: UInt8 = isFirst ? 0x10 : 0x00
    var off: [RegisterStep] = [
      .write(Register.power1, 0x80, mask: 0), .wait(.milliseconds(100)),
      .write(Register.power1, isFirst ? 0x00 : 0x01, mask: 0x40),
      .write(Register.configuration, 0x02), .write(Register.rateDivider, 0x00),
      .write(Register.accelerometer, range),
    ]
    if !isFirst { off += [.write(Register.accelerometer2, 0x02)] }
    return SelfTest(
      off: off, on: [.write(Register.accelerometer, 0xE0 | range)],
      settling: .milliseconds(50), sampleRegister: Register.output,
      layout: SampleLayout(
        isBigEndian: true, gPerCount: isFirst ? 1.0 / 4_096 : 1.0 / 16_384, countMax: 32_767),
      sampleCount: 10, spacing: .milliseconds(5), verdict: isFirst ? .trim6050 : .trim6500,
      trim: [.read(Register.selfTestTrim, count: isFirst ? 4 : 3)])
  }
}

import BinnacleBasics

/// ST's LSM6DS3, LSM6DS3TR-C (with LSM6DSL and DSM, which have the same identity) and LSM6DSO (with DSOX).
///
/// Registers by ST's header files `lsm6ds3_reg.h`, `lsm6ds3tr-c_reg.h` and `lsm6dso_reg.h`, and by Linux
/// (`drivers/iio/imu/st_lsm6dsx`). Output, range and rate are the same in three generations. The filter that limits the
/// bandwidth to about a tenth of the rate has three layouts, the FIFO two. In the older generations the FIFO holds
/// words of 16 bits, and a register beside the level has the position of the next word in the sample. In the LSM6DSO
/// each sample begins with a tag. The gyroscope stays off. The direction of the self-test is not specified, so only its
/// size counts.
enum LSM6DS: ChipDriver {
  static let identities = [
    ChipIdentity(
      addresses: [0x6A, 0x6B], register: 0x0F,
      models: [
        .init(value: 0x69, name: "LSM6DS3"), .init(value: 0x6A, name: "LSM6DS3TR-C"),
        .init(value: 0x6C, name: "LSM6DSO"),
      ])
  ]

  private enum Register {
    static let control1: UInt8 = 0x10
    static let gyroscope: UInt8 = 0x11
    static let control3: UInt8 = 0x12
    static let control5: UInt8 = 0x14
    static let control8: UInt8 = 0x17
    static let interrupt1: UInt8 = 0x0D
    static let wakeSource: UInt8 = 0x1B
    static let output: UInt8 = 0x28
    /// In the older generations this register also has the rate of the FIFO.
    static let fifoMode: UInt8 = 0x0A
    static let fifoStatus: UInt8 = 0x3A
    static let fifoWords: UInt8 = 0x3E
    static let fifoTagged: UInt8 = 0x78
    static let wakeFilter: UInt8 = 0x56
    static let wakeEnable: UInt8 = 0x58
    static let wakeThreshold: UInt8 = 0x5B
    static let wakeDuration: UInt8 = 0x5C
    static let interrupt1Events: UInt8 = 0x5E
  }

  private enum Generation { case ds3, trc, dso }

  private static func generation(_ model: ChipIdentity.Model) -> Generation {
    switch model.value {
    case 0x69: .ds3
    case 0x6A: .trc
    default: .dso
    }
  }

  private static let rates: [(hz: Double, code: UInt8)] = [
    (12.5, 1), (26, 2), (52, 3), (104, 4), (208, 5), (416, 6),
  ]
  private static let watermark: UInt8 = 24
  /// Continuous mode: new samples replace the oldest ones.
  private static let continuous: UInt8 = 0x06

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let rate = rates.first { $0.hz >= Double(settings.rateHz) } ?? (416, 6)
    let generation = generation(model)
    // The bandwidth is a ninth of the rate, a ninth with the low-noise filter, or a tenth, because the bits differ by
    // generation.
    let filter: (first: UInt8, second: UInt8, divider: Double) =
      switch generation {
      case .ds3: (0x00, 0xC0, 9)
      case .trc: (0x00, 0xC8, 9)
      case .dso: (0x02, 0x20, 10)
      }
    // Micro-g per root hertz, by the mechanical characteristics in the data sheets.
    let density = generation == .dso ? 70e-6 : 90e-6
    var configuration = ChipConfiguration(
      rateHz: rate.hz, rangeG: settings.rangeG,
      noiseG: density * (rate.hz / filter.divider * 1.57).squareRoot(), steps: [],
      layout: SampleLayout(
        gPerCount: 0.061e-3 * Double(settings.rangeG) / 2, countMax: 32_767),
      sampleRegister: Register.output)
    configuration.steps = [
      .write(Register.control3, 0x01, mask: 0), .wait(.milliseconds(10)),
      // A sample does not change during its read, and the address increments automatically.
      .write(Register.control3, 0x44), .write(Register.gyroscope, 0x00),
      .write(Register.control5, 0x00), .write(Register.control8, filter.second),
      .write(Register.control1, rate.code << 4 | rangeCode(settings) << 2 | filter.first),
    ]
    switch use {
    case .streaming: stream(&configuration, generation, rate.code, hasLine: settings.hasLine)
    case .resting: rest(&configuration, generation, settings, isFine: false)
    case .armed: rest(&configuration, generation, settings, isFine: true)
    }
    return configuration
  }

  /// The codes 0 to 3 stand for 2, 16, 4 and 8 g: they are not in the order of the ranges.
  private static func rangeCode(_ settings: AccelerometerSettings) -> UInt8 {
    [0, 2, 3, 1][Int(settings.rangeCode)]
  }

  private static func stream(
    _ configuration: inout ChipConfiguration, _ generation: Generation, _ rateCode: UInt8,
    hasLine: Bool
  ) {
    configuration.steps += [
      .write(Register.interrupt1Events, 0x00), .write(Register.interrupt1, hasLine ? 0x08 : 0x00),
    ]
    let isTagged = generation == .dso
    let mode = isTagged ? continuous : rateCode << 3 | continuous
    // Bypass mode empties the FIFO.
    let restart: [RegisterStep] = [
      .write(Register.fifoMode, 0x00, mask: 0), .write(Register.fifoMode, mode),
    ]
    if isTagged {
      configuration.layout.tagBytes = 1
      // The watermark is in samples; only the accelerometer is stored, at its own rate.
      configuration.steps += [.write(0x07, watermark), .write(0x08, 0x00), .write(0x09, rateCode)]
      configuration.fifo = ChipConfiguration.FIFO(
        levelRegister: Register.fifoStatus, levelBytes: 2, mask: 0x03FF, unitBytes: 7,
        dataRegister: Register.fifoTagged, capacity: 512, overrun: .flag(0x4800), restart: restart)
    } else {
      // The watermark is in words; each sample of the accelerometer is stored, and no other data.
      configuration.steps += [
        .write(0x06, watermark * 3), .write(0x07, 0x00), .write(0x08, 0x01), .write(0x09, 0x00),
      ]
      let isFirst = generation == .ds3
      // A register beside the level has the position of the next word. If it is not the first word, a part of a sample
      // was lost.
      configuration.fifo = ChipConfiguration.FIFO(
        levelRegister: Register.fifoStatus, levelBytes: 4, mask: isFirst ? 0x0FFF : 0x07FF,
        unitBytes: 2, dataRegister: Register.fifoWords, capacity: isFirst ? 1_365 : 682,
        overrun: .flag(0x03FF_4000), restart: restart)
    }
    configuration.steps += restart
    if hasLine { configuration.interrupt = .watermark(samples: Int(watermark)) }
  }

  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double? {
    generation(model) == .dso ? Double(settings.rangeG) / 256 : nil
  }

  private static func rest(
    _ configuration: inout ChipConfiguration, _ generation: Generation,
    _ settings: AccelerometerSettings,
    isFine: Bool
  ) {
    configuration.steps += [.write(Register.fifoMode, 0x00), .write(Register.interrupt1, 0x00)]
    guard settings.hasLine else {
      configuration.steps += [.write(Register.interrupt1Events, 0x00)]
      return
    }
    // A step is a 64th of the range: 62 mg at 2 and 4 g, 125 mg at 8 g, 250 mg at 16 g. The high-pass filter removes
    // the present position, and the interrupt is latched until it is read. The last generation supports a 256th
    // (`lsm6dso_reg.h`, WAKE_THS_W): 31 mg at 2 and 4 g.
    let isQuarter = isFine && generation == .dso
    let steps: UInt8 = settings.rangeG == 2 ? 2 : 1
    configuration.steps += [
      .write(Register.wakeThreshold, isQuarter ? 2 * steps : steps),
      .write(Register.wakeDuration, isQuarter ? 0x10 : 0x00),
    ]
    switch generation {
    case .ds3: configuration.steps += [.write(Register.wakeEnable, 0x11)]
    case .trc: configuration.steps += [.write(Register.wakeEnable, 0x91)]
    case .dso:
      configuration.steps += [.write(Register.wakeFilter, 0x51), .write(Register.wakeEnable, 0x80)]
    }
    configuration.steps += [
      .wait(.milliseconds(500)), .read(Register.wakeSource, count: 1),
      .write(Register.interrupt1Events, 0x20),
    ]
    configuration.interrupt = .motion(acknowledge: [.read(Register.wakeSource, count: 1)])
  }

  /// As in ST's `lsm6ds3tr_c_self_test.c` and `lsm6dso_self_test.c`: 52 Hz, 4 g; the limits are from the data sheets.
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    SelfTest(
      off: [
        .write(Register.control3, 0x01, mask: 0), .wait(.milliseconds(10)),
        .write(Register.control3, 0x44), .write(Register.control5, 0x00),
        .write(Register.control1, 0x38),
      ],
      on: [.write(Register.control5, 0x01)], settling: .milliseconds(200),
      sampleRegister: Register.output,
      layout: SampleLayout(gPerCount: 0.122e-3, countMax: 32_767), sampleCount: 5,
      spacing: .milliseconds(21),
      verdict: .eitherWay((generation(model) == .dso ? 0.05 : 0.09)...1.7))
  }
}

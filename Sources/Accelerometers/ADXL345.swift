import BinnacleBasics

/// Analog Devices' ADXL345 and ADXL343.
///
/// Registers by the ADXL345 datasheet (rev. G). The chip's only filter has a bandwidth of half the rate, so each sample
/// must be read: polling at a lower rate would alias. The FIFO provides one sample per read of all six registers.
enum ADXL345: ChipDriver {
  static let identities = [
    ChipIdentity(
      addresses: [0x53, 0x1D], register: 0x00, models: [.init(value: 0xE5, name: "ADXL345")])
  ]

  private enum Register {
    static let offsets: UInt8 = 0x1E
    static let activityThreshold: UInt8 = 0x24
    static let activityAxes: UInt8 = 0x27
    static let rate: UInt8 = 0x2C
    static let power: UInt8 = 0x2D
    static let interruptEnable: UInt8 = 0x2E
    static let interruptMap: UInt8 = 0x2F
    static let interruptSource: UInt8 = 0x30
    static let format: UInt8 = 0x31
    static let output: UInt8 = 0x32
    static let fifoControl: UInt8 = 0x38
    static let fifoStatus: UInt8 = 0x39
  }

  private static let rates: [(hz: Double, code: UInt8)] = [
    (12.5, 7), (25, 8), (50, 9), (100, 10), (200, 11), (400, 12),
  ]
  private static let watermark: UInt8 = 24

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let rate = rates.first { $0.hz >= Double(settings.rateHz) } ?? (400, 12)
    // 1.1 counts of 3.9 mg at 100 Hz for the z axis, which is the noisiest; noise scales with the root of the
    // bandwidth.
    let noise = 1.1 * 0.0039 * (rate.hz / 100).squareRoot()
    var configuration = ChipConfiguration(
      rateHz: rate.hz, rangeG: settings.rangeG, noiseG: noise, steps: [],
      layout: SampleLayout(
        gPerCount: 1.0 / 256, countMax: Int16(256 * settings.rangeG - 1)),
      sampleRegister: Register.output)
    configuration.steps = [
      .write(Register.power, 0x00), .write(Register.interruptEnable, 0x00),
      .write(Register.fifoControl, 0x00, mask: 0),
      .write(Register.format, 0x08 | settings.rangeCode), .write(Register.rate, rate.code),
      .write(Register.offsets, 0x00), .write(Register.offsets + 1, 0x00),
      .write(Register.offsets + 2, 0x00), .write(Register.interruptMap, 0x00),
    ]
    switch use {
    case .streaming:
      configuration.steps += [
        .write(Register.fifoControl, 0x80 | watermark),
        .write(Register.interruptEnable, settings.hasLine ? 0x02 : 0x00),
        .write(Register.power, 0x08),
      ]
      configuration.fifo = ChipConfiguration.FIFO(
        levelRegister: Register.fifoStatus, levelBytes: 1, mask: 0x3F, unitBytes: 6,
        dataRegister: Register.output, manner: .each, capacity: 32, overrun: .levelAtLeast(33),
        isSteady: true)
      if settings.hasLine { configuration.interrupt = .watermark(samples: Int(watermark)) }
    case .resting, .armed:
      configuration.steps += [.write(Register.power, 0x08)]
      guard settings.hasLine else { break }
      configuration.steps += [
        // The threshold is 125 mg from the position at the start: the step is 62.5 mg, and a single step is too near
        // the noise.
        .write(Register.activityThreshold, 0x02), .write(Register.activityAxes, 0xF0),
        .wait(.milliseconds(100)), .read(Register.interruptSource, count: 1),
        .write(Register.interruptEnable, 0x10),
      ]
      configuration.interrupt = .motion(acknowledge: [
        .write(Register.activityAxes, 0x00), .write(Register.activityAxes, 0xF0),
        .read(Register.interruptSource, count: 1),
      ])
    }
    return configuration
  }

  /// The datasheet's limits (table 1) at 2.5 V, scaled to 3.3 V by its factors (table 14).
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    SelfTest(
      off: [
        .write(Register.power, 0x00), .write(Register.fifoControl, 0x00),
        .write(Register.format, 0x0B), .write(Register.rate, 0x0A),
        .write(Register.power, 0x08),
      ],
      on: [.write(Register.format, 0x8B)], settling: .milliseconds(50),
      sampleRegister: Register.output,
      layout: SampleLayout(gPerCount: 1.0 / 256, countMax: 4_095), sampleCount: 10,
      spacing: .milliseconds(11),
      verdict: .within([0.20...3.72, -3.72...(-0.20), 0.30...5.0]))
  }
}

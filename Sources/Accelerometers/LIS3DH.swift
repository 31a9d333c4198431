import BinnacleBasics

/// ST's LIS3DH and LIS2DH12, and other chips of the same design (LIS3DE, LSM303AGR).
///
/// Registers by ST's LIS3DH datasheet (DocID17530), chapters 6 to 8, and application note AN3308. High-resolution mode
/// (12 bits) has a bandwidth of a ninth of the rate, which prevents aliasing.
enum LIS3DH: ChipDriver {
  static let identities = [
    ChipIdentity(
      addresses: [0x18, 0x19], register: 0x0F, models: [.init(value: 0x33, name: "LIS3DH")])
  ]

  private enum Register {
    static let control1: UInt8 = 0x20
    static let control2: UInt8 = 0x21
    static let control3: UInt8 = 0x22
    static let control4: UInt8 = 0x23
    static let control5: UInt8 = 0x24
    static let control6: UInt8 = 0x25
    static let reference: UInt8 = 0x26
    /// The highest bit enables the automatic increment of the address.
    static let output: UInt8 = 0x28 | 0x80
    static let fifoControl: UInt8 = 0x2E
    static let fifoSource: UInt8 = 0x2F
    static let interruptConfiguration: UInt8 = 0x30
    static let interruptSource: UInt8 = 0x31
    static let interruptThreshold: UInt8 = 0x32
    static let interruptDuration: UInt8 = 0x33
  }

  private static let rates: [(hz: Int, code: UInt8)] = [
    (10, 2), (25, 3), (50, 4), (100, 5), (200, 6), (400, 7),
  ]
  private static let capacity = 32
  private static let watermark: UInt8 = 24

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let rate = rates.first { $0.hz >= settings.rateHz } ?? (400, 7)
    // Milli-g per count of 12 bits.
    let sensitivity = [1.0, 2, 4, 12][Int(settings.rangeCode)]
    // 220 micro-g per root hertz, with a bandwidth of a ninth of the rate.
    let noise = 220e-6 * (Double(rate.hz) / 9 * 1.57).squareRoot()
    var configuration = ChipConfiguration(
      rateHz: Double(rate.hz), rangeG: settings.rangeG, noiseG: noise, steps: [],
      layout: SampleLayout(shift: 4, gPerCount: sensitivity / 1_000, countMax: 2_047),
      sampleRegister: Register.output)
    configuration.steps = [
      // Loads the factory trim again, as after power-on.
      .write(Register.control5, 0x80, mask: 0), .wait(.milliseconds(5)),
      .write(Register.control1, rate.code << 4 | 0x07),
      .write(Register.control4, 0x88 | settings.rangeCode << 4),
      .write(Register.control6, 0x00),
    ]
    switch use {
    case .streaming: stream(&configuration, hasLine: settings.hasLine)
    // The threshold is 64 or 32 mg at 2 g, in steps of 16 mg; at 16 g a step is 62 mg.
    case .resting: rest(&configuration, settings, threshold: [4, 2, 1, 1][Int(settings.rangeCode)])
    case .armed: rest(&configuration, settings, threshold: settings.rangeG == 2 ? 2 : 1)
    }
    return configuration
  }

  private static func stream(_ configuration: inout ChipConfiguration, hasLine: Bool) {
    configuration.steps += [
      .write(Register.control2, 0x00), .write(Register.interruptConfiguration, 0x00),
      .write(Register.control3, hasLine ? 0x04 : 0x00),
      .write(Register.control5, 0x40),
      // Bypass mode empties the FIFO before stream mode. The watermark flag is set above this number of samples.
      .write(Register.fifoControl, 0x00, mask: 0),
      .write(Register.fifoControl, 0x80 | watermark - 1),
    ]
    configuration.fifo = ChipConfiguration.FIFO(
      levelRegister: Register.fifoSource, levelBytes: 1, mask: 0x1F, unitBytes: 6,
      dataRegister: Register.output, capacity: capacity, overrun: .flag(0x40),
      isSteady: true)
    if hasLine { configuration.interrupt = .watermark(samples: Int(watermark)) }
  }

  static func motionStepG(
    of model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> Double? {
    [0.016, 0.032, 0.062, 0.186][Int(settings.rangeCode)]
  }

  private static func rest(
    _ configuration: inout ChipConfiguration, _ settings: AccelerometerSettings, threshold: UInt8
  ) {
    configuration.steps += [.write(Register.fifoControl, 0x00)]
    guard settings.hasLine else {
      configuration.steps += [
        .write(Register.control2, 0x00), .write(Register.control3, 0x00),
        .write(Register.interruptConfiguration, 0x00), .write(Register.control5, 0x00),
      ]
      return
    }
    // Movement is a difference from the present position, after the high-pass filter. The interrupt is latched until it
    // is read.
    configuration.steps += [
      .write(Register.control2, 0x01), .write(Register.interruptThreshold, threshold),
      .write(Register.interruptDuration, 0x00), .write(Register.control5, 0x08),
      // The read makes the present position the reference of the filter; the old reference would cause an interrupt.
      .read(Register.reference, count: 1), .wait(.milliseconds(100)),
      .read(Register.reference, count: 1),
      .write(Register.interruptConfiguration, 0x2A), .read(Register.interruptSource, count: 1),
      .write(Register.control3, 0x40),
    ]
    configuration.interrupt = .motion(acknowledge: [
      .read(Register.reference, count: 1), .read(Register.interruptSource, count: 1),
    ])
  }

  /// Self-test 0 in normal mode (10 bits) at 2 g moves each axis by 17 to 360 counts of 4 mg (datasheet, table 4).
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    let bounds = 0.068...1.44
    return SelfTest(
      off: [
        .write(Register.control2, 0x00), .write(Register.control5, 0x00),
        .write(Register.fifoControl, 0x00), .write(Register.control4, 0x80),
        .write(Register.control1, 0x57),
      ],
      on: [.write(Register.control4, 0x82)], settling: .milliseconds(90),
      sampleRegister: Register.output,
      layout: SampleLayout(shift: 6, gPerCount: 0.004, countMax: 511), sampleCount: 5,
      spacing: .milliseconds(11), verdict: .within([bounds, bounds, bounds]))
  }
}

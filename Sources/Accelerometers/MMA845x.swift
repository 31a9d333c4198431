import BinnacleBasics

/// NXP's (Freescale's) MMA8451Q, MMA8452Q and MMA8453Q: 14, 12 and 10 bits of the same sensor.
///
/// Registers by the data sheets MMA8451Q (rev. 10.3) and MMA8452Q (rev. 10), chapter 6. Settings can be changed only in
/// standby. High-resolution mode averages many conversions per sample (32 at 50 Hz), which prevents aliasing. The
/// largest range is 8 g. Only the MMA8451 has a FIFO. The others hold the newest sample, and their status shows whether
/// the sample is new and whether an earlier one was missed: this is treated as a FIFO for one sample.
enum MMA845x: ChipDriver {
  static let identities = [
    ChipIdentity(
      addresses: [0x1C, 0x1D], register: 0x0D,
      models: [
        .init(value: 0x1A, name: "MMA8451"), .init(value: 0x2A, name: "MMA8452"),
        .init(value: 0x3A, name: "MMA8453"),
      ])
  ]

  private enum Register {
    /// The level of an active FIFO; without a FIFO, whether a sample is new.
    static let status: UInt8 = 0x00
    static let output: UInt8 = 0x01
    static let fifoSetup: UInt8 = 0x09
    static let format: UInt8 = 0x0E
    static let highPass: UInt8 = 0x0F
    static let transientAxes: UInt8 = 0x1D
    static let transientSource: UInt8 = 0x1E
    static let transientThreshold: UInt8 = 0x1F
    static let transientCount: UInt8 = 0x20
    static let control1: UInt8 = 0x2A
    static let control2: UInt8 = 0x2B
    static let interruptPin: UInt8 = 0x2C
    static let interruptEnable: UInt8 = 0x2D
    static let interruptMap: UInt8 = 0x2E
    static let offsets: UInt8 = 0x2F
  }

  private static let rates: [(hz: Double, code: UInt8)] = [
    (12.5, 5), (50, 4), (100, 3), (200, 2), (400, 1),
  ]
  private static let watermark: UInt8 = 24
  private static let active: UInt8 = 0x01
  private static let highResolution: UInt8 = 0x02

  private static func bits(_ model: ChipIdentity.Model) -> Int {
    switch model.value {
    case 0x1A: 14
    case 0x2A: 12
    default: 10
    }
  }

  private static func hasFIFO(_ model: ChipIdentity.Model) -> Bool { model.value == 0x1A }

  private static func layout(_ model: ChipIdentity.Model, rangeG: Int) -> SampleLayout {
    let half = 1 << (bits(model) - 1)
    return SampleLayout(
      isBigEndian: true, shift: 16 - bits(model), gPerCount: Double(rangeG) / Double(half),
      countMax: Int16(half - 1))
  }

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let rate = rates.first { $0.hz >= Double(settings.rateHz) } ?? (400, 1)
    let rangeG = min(settings.rangeG, 8)
    // Low-noise mode supports up to 4 g. Noise in micro-g per root hertz: MMA8451Q rev. 10.3, 99 on its first page, 126
    // in its table 2, which could not be checked, because no copy was found. The bandwidth is half the rate.
    let isQuiet = rangeG <= 4
    let density = isQuiet ? 99e-6 : 126e-6
    var configuration = ChipConfiguration(
      rateHz: rate.hz, rangeG: rangeG, noiseG: density * (rate.hz / 2).squareRoot(), steps: [],
      layout: layout(model, rangeG: rangeG), sampleRegister: Register.output)
    let control1 = rate.code << 3 | (isQuiet ? 0x04 : 0)
    configuration.steps = [
      .write(Register.control1, control1, mask: 0),
      .write(Register.format, min(settings.rangeCode, 2)),
      .write(Register.control2, highResolution), .write(Register.offsets, 0x00),
      .write(Register.offsets + 1, 0x00), .write(Register.offsets + 2, 0x00),
      // The interrupt output is push-pull, and high while active.
      .write(Register.interruptPin, 0x02),
    ]
    if hasFIFO(model) { configuration.steps += [.write(Register.fifoSetup, 0x00, mask: 0)] }
    switch use {
    case .streaming: stream(&configuration, model, control1, hasLine: settings.hasLine)
    case .resting, .armed: rest(&configuration, model, control1, hasLine: settings.hasLine)
    }
    return configuration
  }

  private static func stream(
    _ configuration: inout ChipConfiguration, _ model: ChipIdentity.Model, _ control1: UInt8,
    hasLine: Bool
  ) {
    // Without a FIFO the line would signal each sample, which costs more than polling.
    let source: UInt8 = hasLine && hasFIFO(model) ? 0x40 : 0x00
    configuration.steps += [
      .write(Register.transientAxes, 0x00), .write(Register.interruptEnable, source),
      .write(Register.interruptMap, source),
    ]
    guard hasFIFO(model) else {
      configuration.steps += [.write(Register.control1, control1 | active)]
      configuration.fifo = ChipConfiguration.FIFO(
        levelRegister: Register.status, levelBytes: 1, mask: 0x01, unitBytes: 6,
        dataRegister: Register.output, capacity: 1, overrun: .flag(0x80))
      return
    }
    // Circular mode: new samples replace the oldest ones.
    let restart: [RegisterStep] = [
      .write(Register.control1, control1, mask: 0), .write(Register.fifoSetup, 0x00, mask: 0),
      .write(Register.fifoSetup, 0x40 | watermark), .write(Register.control1, control1 | active),
    ]
    configuration.steps += restart
    // The documents do not specify where a read continues after an interrupted burst.
    configuration.fifo = ChipConfiguration.FIFO(
      levelRegister: Register.status, levelBytes: 1, mask: 0x3F, unitBytes: 6,
      dataRegister: Register.output, capacity: 32, overrun: .flag(0x80), isSteady: true,
      losesPlace: true, restart: restart)
    if hasLine { configuration.interrupt = .watermark(samples: Int(watermark)) }
  }

  private static func rest(
    _ configuration: inout ChipConfiguration, _ model: ChipIdentity.Model, _ control1: UInt8,
    hasLine: Bool
  ) {
    let source: UInt8 = hasLine ? 0x20 : 0
    if hasFIFO(model) { configuration.steps += [.write(Register.fifoSetup, 0x00)] }
    configuration.steps += [
      // The threshold is 63 mg, the smallest step in every range. The lowest high-pass filter (2 Hz) removes the
      // present position, and the interrupt is latched until it is read.
      .write(Register.highPass, 0x03), .write(Register.transientAxes, hasLine ? 0x1E : 0x00),
      .write(Register.transientThreshold, 0x01), .write(Register.transientCount, 0x00),
      .write(Register.interruptEnable, source), .write(Register.interruptMap, source),
      .write(Register.control1, control1 | active),
    ]
    guard hasLine else { return }
    configuration.steps += [.wait(.milliseconds(500)), .read(Register.transientSource, count: 1)]
    configuration.interrupt = .motion(acknowledge: [.read(Register.transientSource, count: 1)])
  }

  /// The data sheet has only typical responses: 181, 255 and 1680 counts of 14 bits at 4 g.
  ///
  /// The responses are not trimmed at the factory. 50 counts are sufficient, according to NXP on its forum
  /// (community.nxp.com, Sensors, thread 365445).
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    let standby: UInt8 = 0x18
    var off: [RegisterStep] = [.write(Register.control1, standby)]
    if hasFIFO(model) { off += [.write(Register.fifoSetup, 0x00)] }
    off += [
      .write(Register.format, 0x01), .write(Register.control2, highResolution),
      .write(Register.control1, standby | active),
    ]
    return SelfTest(
      off: off,
      on: [
        .write(Register.control1, standby), .write(Register.control2, 0x80 | highResolution),
        .write(Register.control1, standby | active),
      ],
      settling: .milliseconds(100), sampleRegister: Register.output,
      layout: layout(model, rangeG: 4), sampleCount: 5, spacing: .milliseconds(11),
      verdict: .eitherWay(0.02...3.0))
  }
}

import BinnacleBasics

/// Kionix's KX022-1020 and KX023-1025.
///
/// Registers by the data sheet KX022-1020 (rev. 12), by Kionix's own register list (`kx022_registers.h` of its
/// evaluation kit) and by Linux (`drivers/iio/accel/kionix-kx022a.c`). Settings can be changed only in standby. A
/// low-pass filter at a ninth of the rate prevents aliasing; the largest range is 8 g. The buffer counts bytes, so its
/// level shows whether a burst was interrupted in the middle of a sample.
enum KX022: ChipDriver {
  static let identities = [
    ChipIdentity(
      addresses: [0x1E, 0x1F], register: 0x0F,
      models: [.init(value: 0x14, name: "KX022"), .init(value: 0x15, name: "KX023")])
  ]

  private enum Register {
    static let output: UInt8 = 0x06
    static let interruptRelease: UInt8 = 0x17
    static let control1: UInt8 = 0x18
    static let control2: UInt8 = 0x19
    static let control3: UInt8 = 0x1A
    static let rate: UInt8 = 0x1B
    static let interruptPin: UInt8 = 0x1C
    static let wakeAxes: UInt8 = 0x1D
    static let interruptEnable: UInt8 = 0x1F
    static let wakeCount: UInt8 = 0x23
    static let wakeThreshold: UInt8 = 0x30
    static let watermark: UInt8 = 0x3A
    static let bufferControl: UInt8 = 0x3B
    static let bufferLevel: UInt8 = 0x3C
    static let bufferClear: UInt8 = 0x3E
    static let bufferData: UInt8 = 0x3F
    static let selfTest: UInt8 = 0x60
  }

  private static let rates: [(hz: Double, code: UInt8)] = [
    (12.5, 0), (25, 1), (50, 2), (100, 3), (200, 4), (400, 5),
  ]
  /// Samples of 16 bits that certainly fit into the buffer of 256 bytes; Linux assumes 43 (258 bytes) for a KX022A.
  private static let capacity = 41
  private static let watermark: UInt8 = 24
  /// High resolution, running.
  private static let running: UInt8 = 0xC0

  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings, use: ChipConfiguration.Use
  ) -> ChipConfiguration {
    let rate = rates.first { $0.hz >= Double(settings.rateHz) } ?? (400, 5)
    let rangeG = min(settings.rangeG, 8)
    // 100 micro-g per root hertz, by Kionix's product table for the KX023, with a bandwidth of a ninth of the rate.
    let noise = 100e-6 * (rate.hz / 9 * 1.57).squareRoot()
    var configuration = ChipConfiguration(
      rateHz: rate.hz, rangeG: rangeG, noiseG: noise, steps: [],
      layout: SampleLayout(gPerCount: Double(rangeG) / 32_768, countMax: 32_767),
      sampleRegister: Register.output)
    configuration.steps = [
      .write(Register.control1, 0x00, mask: 0), .write(Register.control2, 0x80, mask: 0),
      .wait(.milliseconds(10)),
      .write(Register.selfTest, 0x00, mask: 0), .write(Register.rate, rate.code),
      // The interrupt output is high while active.
      .write(Register.interruptPin, settings.hasLine ? 0x30 : 0x10),
    ]
    let control1 = running | min(settings.rangeCode, 2) << 3
    switch use {
    case .streaming: stream(&configuration, control1, hasLine: settings.hasLine)
    case .resting, .armed: rest(&configuration, control1, rate.code, hasLine: settings.hasLine)
    }
    return configuration
  }

  private static func stream(
    _ configuration: inout ChipConfiguration, _ control1: UInt8, hasLine: Bool
  ) {
    let restart: [RegisterStep] = [.write(Register.bufferClear, 0x00, mask: 0)]
    configuration.steps += [
      .write(Register.interruptEnable, hasLine ? 0x20 : 0x00),
      // 16 bits; new samples replace the oldest ones.
      .write(Register.watermark, watermark), .write(Register.bufferControl, 0xC1),
      .write(Register.control1, control1),
    ]
    configuration.steps += restart
    configuration.fifo = ChipConfiguration.FIFO(
      levelRegister: Register.bufferLevel, levelBytes: 1, mask: 0xFF, unitBytes: 1,
      dataRegister: Register.bufferData, capacity: capacity,
      overrun: .levelAtLeast(UInt32(capacity * 6)), isSteady: true, restart: restart)
    if hasLine { configuration.interrupt = .watermark(samples: Int(watermark)) }
  }

  private static func rest(
    _ configuration: inout ChipConfiguration, _ control1: UInt8, _ rateCode: UInt8, hasLine: Bool
  ) {
    configuration.steps += [.write(Register.bufferControl, 0x00)]
    guard hasLine else {
      configuration.steps += [
        .write(Register.interruptEnable, 0x00), .write(Register.control1, control1),
      ]
      return
    }
    configuration.steps += [
      // The wake-up function runs at the rate of the samples, at most 100 Hz.
      .write(Register.control3, 0x98 | min(rateCode + 4, 7)),
      // The threshold is 62.5 mg between two samples, the smallest step in every range. The interrupt is latched.
      .write(Register.wakeThreshold, 0x01), .write(Register.wakeCount, 0x01),
      .write(Register.wakeAxes, 0x3F), .write(Register.interruptEnable, 0x02),
      .write(Register.control1, control1 | 0x02), .wait(.milliseconds(500)),
      .read(Register.interruptRelease, count: 1),
    ]
    configuration.interrupt = .motion(acknowledge: [.read(Register.interruptRelease, count: 1)])
  }

  /// The limits are our own, wide limits around 0.5 g, based on the data sheet's typical response.
  ///
  /// Linux's driver has no self-test, and the figure could not be checked in the data sheet's table 1, because no copy
  /// was found. A chip outside the limits is reported and still used.
  static func selfTest(of model: ChipIdentity.Model) -> SelfTest? {
    SelfTest(
      off: [
        .write(Register.control1, 0x00, mask: 0), .write(Register.control2, 0x80, mask: 0),
        .wait(.milliseconds(10)), .write(Register.rate, 0x03), .write(Register.control1, running),
      ],
      on: [
        .write(Register.control1, running & 0x7F), .write(Register.selfTest, 0xCA, mask: 0),
        .write(Register.control1, running),
      ],
      settling: .milliseconds(150), sampleRegister: Register.output,
      layout: SampleLayout(gPerCount: 2.0 / 32_768, countMax: 32_767), sampleCount: 5,
      spacing: .milliseconds(11), verdict: .eitherWay(0.1...1.5))
  }
}

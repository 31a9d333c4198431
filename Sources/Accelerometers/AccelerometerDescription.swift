/// The accelerometer in use.
public struct AccelerometerDescription: Equatable, Codable, Sendable {
  /// The chip's name; chips with the same identity have the name of the best known of them.
  public var model: String
  /// The chip's address on the bus; 0 when the kernel reads the chip and does not report its address.
  public var address: UInt8
  public var reading: Reading
  /// The sampling rate in Hz.
  public var rateHz: Double
  public var rangeG: Int
  /// Standard deviation of one axis at rest, in g; 0 when unknown.
  public var noiseG: Double
  public var selfTest: String

  /// The way in which samples are read.
  public enum Reading: UInt8, CaseIterable, Codable, Sendable {
    /// The chip's FIFO is read periodically.
    case polledFIFO = 0
    /// Each sample is read by itself.
    case polled = 1
    /// The chip's FIFO is read when its interrupt line signals.
    case interrupt = 2
    /// Single samples are read at a low rate, while more samples are not needed.
    case resting = 3
    /// As `resting`, and an interrupt line signals movement.
    case restingWithInterrupt = 4
    /// A kernel driver reads the chip.
    case kernel = 5
    /// Bursts of the FIFO are read at a low rate and checked for movement.
    case guarding = 6
    /// The interrupt line signals movement; the chip is checked once a minute.
    case armed = 7

    /// The text for people.
    public var inWords: String {
      switch self {
      case .polledFIFO: "bursts of its FIFO"
      case .polled: "single samples"
      case .interrupt: "bursts of its FIFO when its line says so"
      case .resting: "one sample a minute"
      case .restingWithInterrupt: "one sample in 10 minutes, movement by its interrupt line"
      case .kernel: "a driver of the kernel"
      case .guarding: "bursts of its FIFO at long intervals, checked for movement"
      case .armed: "its interrupt line, which signals movement; the chip is checked once a minute"
      }
    }
  }

  /// Whether noise constantly changes the last digit of a sound chip with steps of this size; true for unknown noise.
  ///
  /// ``noiseG`` includes the noise of the steps, whose variance is a twelfth of their square. The remaining noise must
  /// be at least a quarter of a step.
  public func showsNoise(stepG: Double) -> Bool {
    noiseG == 0 || noiseG * noiseG >= stepG * stepG * (1.0 / 16 + 1.0 / 12)
  }

  /// The text for one line of a log.
  public var inWords: String {
    let place = address > 0 ? " at \(Hex.byte(address))" : ""
    let tenths = Int64((rateHz * 10).rounded())
    let rate = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return
      "\(model)\(place), \(rangeG) g, \(rate) Hz, read by \(reading.inWords); self-test: \(selfTest)"
  }

  public init(
    model: String, address: UInt8, reading: Reading, rateHz: Double, rangeG: Int, noiseG: Double,
    selfTest: String
  ) {
    self.model = model
    self.address = address
    self.reading = reading
    self.rateHz = rateHz
    self.rangeG = rangeG
    self.noiseG = noiseG
    self.selfTest = selfTest
  }
}

/// An accelerometer that is in use.
public struct AccelerometerDescription: Equatable, Codable, Sendable {
  /// The chip's name; where several answer alike, that of the best known.
  public var model: String
  /// The chip's address on the bus; 0 when the kernel reads the chip and does not report its address.
  public var address: UInt8
  public var reading: Reading
  /// Samples a second.
  public var rateHz: Double
  public var rangeG: Int
  /// Standard deviation of one axis at rest, in g; 0 when unknown.
  public var noiseG: Double
  public var selfTest: String

  /// How samples come.
  public enum Reading: UInt8, CaseIterable, Codable, Sendable {
    /// The chip's FIFO is emptied now and then.
    case polledFIFO = 0
    /// Sample by sample.
    case polled = 1
    /// The chip's FIFO is read when its line signals.
    case interrupt = 2
    /// Rare single samples, while no more are needed.
    case resting = 3
    /// As before, and a line signals movement.
    case restingWithInterrupt = 4
    /// A driver of the kernel reads it.
    case kernel = 5
    /// Movement is looked for in bursts of its FIFO that come seldom.
    case guarding = 6
    /// The interrupt line signals movement; the chip is checked once a minute.
    case armed = 7

    /// For people.
    public var inWords: String {
      switch self {
      case .polledFIFO: "bursts of its FIFO"
      case .polled: "single samples"
      case .interrupt: "bursts of its FIFO when its line says so"
      case .resting: "one sample a minute"
      case .restingWithInterrupt: "one sample in 10 minutes, its line tells of movement"
      case .kernel: "a driver of the kernel"
      case .guarding: "seldom bursts of its FIFO, told when something stirs"
      case .armed: "its line, which tells of movement; asked once a minute whether it is there"
      }
    }
  }

  /// Whether noise moves the last digit all the time while the chip is sound, at steps of so many g; so where it is not known.
  ///
  /// ``noiseG`` holds the steps' own share, a twelfth of their square; what is left is to be a quarter of a step.
  public func showsNoise(stepG: Double) -> Bool {
    noiseG == 0 || noiseG * noiseG >= stepG * stepG * (1.0 / 16 + 1.0 / 12)
  }

  /// In one line, for a log.
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

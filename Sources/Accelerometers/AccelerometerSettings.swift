/// The requested settings of an accelerometer.
public struct AccelerometerSettings: Equatable, Sendable {
  /// The only driver to try; nil: all drivers.
  public var family: ChipFamily?
  /// The only 7-bit address to probe; nil: all addresses of the drivers.
  public var address: UInt8?
  /// The largest acceleration to measure, in g: 2, 4, 8 or 16.
  public var rangeG: Int
  /// The sampling rate in Hz, 4 to 400; the chip uses its next higher rate.
  public var rateHz: Int
  /// Whether the chip's interrupt output is wired to a GPIO line that the daemon reads.
  public var hasLine: Bool

  public init(
    family: ChipFamily? = nil, address: UInt8? = nil, rangeG: Int = 2, rateHz: Int = 50,
    hasLine: Bool = false
  ) {
    precondition([2, 4, 8, 16].contains(rangeG), "chips have no range of \(rangeG) g")
    precondition((4...400).contains(rateHz), "no chip makes \(rateHz) samples a second")
    self.family = family
    self.address = address
    self.rangeG = rangeG
    self.rateHz = rateHz
    self.hasLine = hasLine
  }

  /// The index of the range among 2, 4, 8 and 16 g, which is the register code of most chips.
  var rangeCode: UInt8 {
    switch rangeG {
    case ...2: 0
    case ...4: 1
    case ...8: 2
    default: 3
    }
  }
}

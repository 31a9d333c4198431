/// A seeded generator: equal seeds give equal numbers on every machine (SplitMix64).
public struct Random: RandomNumberGenerator, Equatable, Codable, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, 1.
  public mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// True with the given probability.
  public mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// A number of the normal distribution with mean 0 and deviation 1.
  ///
  /// The sum of twelve uniform numbers: no function of the C library, so equal on every machine.
  public mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += unit() }
    return sum
  }
}

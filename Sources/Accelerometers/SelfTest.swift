import BinnacleBasics

/// Tests whether a chip's masses are free: an electric field pushes them, and the readings must follow.
///
/// The test takes a fraction of a second, before the first sample counts, and moves nothing outside the chip. Movement
/// of the board makes the test inconclusive, but never failed.
struct SelfTest: Equatable, Sendable {
  /// The configurations without the field and with it.
  var off: [RegisterStep]
  var on: [RegisterStep]
  /// The settling time of the masses.
  var settling: Interval
  var sampleRegister: UInt8
  var layout: SampleLayout
  /// The number of samples of each kind, and the time between them.
  var sampleCount: Int
  var spacing: Interval
  var verdict: Verdict
  /// The steps that read the factory trim: one read, or none for a chip without a trim.
  var trim: [RegisterStep] = []

  enum Verdict: Equatable, Sendable {
    /// Each axis moves by this many g in the direction of the limits.
    case within([ClosedRange<Double>])
    /// Each axis moves by this many g in either direction.
    case eitherWay(ClosedRange<Double>)
    /// MPU-6050 (RM-MPU-6000A, registers 13 to 16): within 14 percent of the trim.
    case trim6050
    /// MPU-6500 and later (application note AN-MPU-9250A-03): half to one and a half times the trim.
    case trim6500
  }

  /// The result.
  public enum Result: Equatable, Sendable {
    case passed
    /// The axis that did not follow, and its reading.
    case failed(String)
    case inconclusive(String)
  }

  /// All steps: the answers are the trim, if there is one, then the samples without the field and with it.
  var steps: [RegisterStep] {
    let read = RegisterStep.read(sampleRegister, count: layout.byteCount)
    let samples = Array(repeatElement([.wait(spacing), read], count: sampleCount).joined())
    return trim + off + [.wait(settling)] + samples + on + [.wait(settling)] + samples
  }

  /// Evaluates the values that the steps have read.
  func result(of answers: [[UInt8]]) -> Result {
    let trimBytes = trim.isEmpty ? [] : answers[0]
    let samples = answers.dropFirst(trim.isEmpty ? 0 : 1).map { axes($0) }
    guard samples.count == sampleCount * 2 else { return .inconclusive("it was interrupted") }
    let before = Array(samples[..<sampleCount])
    let after = Array(samples[sampleCount...])
    if spread(before) > SelfTest.spreadMaxG || spread(after) > SelfTest.spreadMaxG {
      return .inconclusive("the board was moved")
    }
    let responses = (0..<3).map { mean(after, $0) - mean(before, $0) }
    switch verdict {
    case .within(let bounds):
      return judge(responses) { bounds[$0].contains($1) }
    case .eitherWay(let bounds): return judge(responses) { bounds.contains(abs($1)) }
    case .trim6050:
      let codes = SelfTest.codes6050(trimBytes)
      if codes.contains(0) { return .inconclusive("the chip has no trim") }
      return judge(responses) { axis, response in
        let trim = 0.34 * SelfTest.power(0.92 / 0.34, root: 30, codes[axis] - 1)
        return abs(response - trim) <= 0.14 * trim
      }
    case .trim6500:
      if trimBytes.contains(0) { return .inconclusive("the chip has no trim") }
      return judge(responses) { axis, response in
        let counts = 2_620 * SelfTest.powerOf(1.01, Int(trimBytes[axis]) - 1)
        return (0.5...1.5).contains(response / (counts * layout.gPerCount))
      }
    }
  }

  // MARK: Arithmetic

  /// Handling the board moves readings by more than this; noise and idling engines move them by less.
  private static let spreadMaxG = 0.15

  private func axes(_ bytes: [UInt8]) -> [Double] {
    guard bytes.count >= layout.byteCount else { return [0, 0, 0] }
    let counts = layout.counts(bytes, at: 0)
    return [counts.0, counts.1, counts.2].map { Double($0) * layout.gPerCount }
  }

  private func mean(_ samples: [[Double]], _ axis: Int) -> Double {
    samples.reduce(0) { $0 + $1[axis] } / Double(samples.count)
  }

  private func spread(_ samples: [[Double]]) -> Double {
    (0..<3).map { axis in
      let values = samples.map { $0[axis] }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }.max() ?? 0
  }

  private func judge(_ responses: [Double], _ isGood: (Int, Double) -> Bool) -> Result {
    for axis in 0..<3 where !isGood(axis, responses[axis]) {
      let milli = Int((responses[axis] * 1_000).rounded())
      return .failed("axis \(FrozenWatch.name(axis)) answered with \(milli) mg")
    }
    return .passed
  }

  /// The trim codes of the axes, with five bits each.
  ///
  /// The upper three bits are in a register per axis, the lower two bits of all axes in the fourth register.
  private static func codes6050(_ bytes: [UInt8]) -> [Int] {
    guard bytes.count == 4 else { return [0, 0, 0] }
    return (0..<3).map { axis in
      Int(bytes[axis] >> 5) << 2 | Int(bytes[3] >> UInt8(4 - 2 * axis) & 3)
    }
  }

  private static func powerOf(_ number: Double, _ exponent: Int) -> Double {
    (0..<max(0, exponent)).reduce(1.0) { product, _ in product * number }
  }

  /// `number` to the power of `exponent / root`; bisection finds the root without a mathematics library.
  private static func power(_ number: Double, root: Int, _ exponent: Int) -> Double {
    var low = 1.0
    var high = number
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if powerOf(middle, root) < number { low = middle } else { high = middle }
    }
    return powerOf(low, exponent)
  }
}

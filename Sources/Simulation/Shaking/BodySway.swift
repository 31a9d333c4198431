import Accelerometers
import BinnacleBasics

/// The true sway of a body by the definition of `MOTION.md` ("From samples to a number"), without a chip's noise.
///
/// Checkers compare an engine's claim with this sway, so the code is separate from the detector.
struct BodySway: Sendable {
  private static let samplePeriod = Interval.milliseconds(20)
  private static let lowPassSamples = 13
  private static let windowSamples = 100
  /// The engine reads samples late and measures from hop to hop, so its two seconds may end this much earlier.
  private static let lateMax = Interval.milliseconds(1_000)
  private static let hop = Interval.milliseconds(250)

  private var felt: FeltMotion

  init(_ felt: FeltMotion) { self.felt = felt }

  /// The greatest sway in thousandths of g of all windows that an engine may have measured by an instant.
  mutating func greatestMilliG(by now: Instant) -> Double {
    var greatest = 0.0
    var end = now - Self.lateMax
    while end <= now {
      greatest = max(greatest, milliG(until: end))
      end = end + Self.hop
    }
    return greatest
  }

  /// The spread of two seconds after the low-pass, all axes together.
  private mutating func milliG(until end: Instant) -> Double {
    let count = Self.windowSamples + Self.lowPassSamples
    let samples = (0..<count).map { index in
      felt.accelerationOnBoard(at: end - Self.samplePeriod * Int64(count - 1 - index))
    }
    let smooth = (Self.lowPassSamples..<count).map { index in
      samples[(index - Self.lowPassSamples + 1)...index].reduce(.zero, +)
        .scaled(by: 1 / Double(Self.lowPassSamples))
    }
    let share = 1 / Double(smooth.count)
    let mean = smooth.reduce(.zero, +).scaled(by: share)
    let squares = smooth.map { sample -> Double in
      let away = sample + mean.scaled(by: -1)
      return away.x * away.x + away.y * away.y + away.z * away.z
    }
    return 1_000 * (squares.reduce(0, +) * share).squareRoot()
  }
}

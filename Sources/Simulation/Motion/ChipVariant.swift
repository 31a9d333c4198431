import BinnacleBasics

/// The samples of a recording as a slower chip would have made them, with an optional low-pass and coarse steps.
public struct ChipVariant: Equatable, Sendable {
  /// Samples a second.
  public let hertz: Double
  /// The corner of the chip's low-pass (Butterworth, second order); nil: the chip has none.
  public let lowPassHertz: Double?
  /// The steps of the chip's values in thousandths of g; nil: those of the recording.
  public let stepMilliG: Double?

  public init(hertz: Double, lowPassHertz: Double?, stepMilliG: Double? = nil) {
    self.hertz = hertz
    self.lowPassHertz = lowPassHertz
    self.stepMilliG = stepMilliG
  }

  /// A value in g, rounded to the chip's steps.
  private func stepped(_ value: Double) -> Double {
    guard let stepMilliG else { return value }
    return (value * 1_000 / stepMilliG).rounded() * stepMilliG / 1_000
  }

  /// Filters at the rate of the recording, then interpolates one sample of each period linearly.
  struct Resampler: Sendable {
    private let variant: ChipVariant
    private var filters: [Biquad]?
    private var before: MotionRow?
    private var first: Instant?
    private var count: Int64 = 0

    /// - Parameters:
    ///   - variant: the chip.
    ///   - sourceHertz: samples a second of the recording.
    init(_ variant: ChipVariant, sourceHertz: Double) {
      self.variant = variant
      filters = variant.lowPassHertz.map {
        [Biquad](repeating: Biquad(lowPassHertz: $0, sampleHertz: sourceHertz), count: 3)
      }
    }

    mutating func take(_ row: MotionRow, _ deliver: (MotionRow) -> Void) {
      guard var sample = row.acceleration else { return }
      if filters != nil {
        sample.x = filters?[0].pass(sample.x) ?? sample.x
        sample.y = filters?[1].pass(sample.y) ?? sample.y
        sample.z = filters?[2].pass(sample.z) ?? sample.z
      }
      let first = self.first ?? row.instant
      self.first = first
      var next = row
      next.acceleration = sample
      while true {
        let due = first + Interval(nanoseconds: Int64(Double(count) * 1e9 / variant.hertz))
        guard due <= row.instant else { break }
        deliver(stepped(between(before ?? next, next, at: due)))
        count += 1
      }
      before = next
    }

    private func stepped(_ row: MotionRow) -> MotionRow {
      guard let sample = row.acceleration else { return row }
      var row = row
      row.acceleration = (
        variant.stepped(sample.x), variant.stepped(sample.y), variant.stepped(sample.z)
      )
      return row
    }

    private func between(_ one: MotionRow, _ other: MotionRow, at due: Instant) -> MotionRow {
      var row = other
      row.instant = due
      let span = (other.instant - one.instant).seconds
      guard span > 0, let a = one.acceleration, let b = other.acceleration else { return row }
      let share = (due - one.instant).seconds / span
      row.acceleration = (
        a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share
      )
      return row
    }
  }

  /// A low-pass of second order; a corner at or above half of the rate passes all frequencies.
  private struct Biquad: Sendable {
    private var b0 = 1.0
    private var b1 = 0.0
    private var b2 = 0.0
    private var a1 = 0.0
    private var a2 = 0.0
    private var past: (x1: Double, x2: Double, y1: Double, y2: Double)?

    /// The bilinear transform with a prewarped corner (Bristow-Johnson, Audio EQ Cookbook, LPF with Q = 1/√2).
    init(lowPassHertz: Double, sampleHertz: Double) {
      guard lowPassHertz < sampleHertz / 2 else { return }
      let angle = 360 * lowPassHertz / sampleHertz
      let cosine = cosine(degrees: angle)
      let alpha = sine(degrees: angle) / 2.0.squareRoot()
      b1 = (1 - cosine) / (1 + alpha)
      b0 = b1 / 2
      b2 = b0
      a1 = -2 * cosine / (1 + alpha)
      a2 = (1 - alpha) / (1 + alpha)
    }

    mutating func pass(_ value: Double) -> Double {
      // The filter starts as if it had always got the first value.
      let last = past ?? (value, value, value, value)
      let passed = b0 * value + b1 * last.x1 + b2 * last.x2 - a1 * last.y1 - a2 * last.y2
      past = (value, last.x1, passed, last.y1)
      return passed
    }
  }
}

/// Learns the step of a chip: the smallest difference between two consecutive samples.
///
/// A fine chip shows a small difference within some samples, at rest and on a drive. A chip whose steps are coarser
/// than its noise repeats a value, and then changes by whole steps.
struct StepWatch: Equatable, Codable, Sendable {
  /// The smallest step of a coarse chip, in millionths of g.
  ///
  /// A chip of 8 bits at 2 g has a step of 16,000, a chip of 10 bits 3,900.
  private static let coarseStep: UInt64 = 8_000

  private var last: FineAcceleration?
  /// The step in millionths of g; nil until two samples differ.
  private var step: UInt64?

  /// Whether the chip's steps are as large as the sway that separates rest from motion; false until the step is known.
  var isCoarse: Bool { step.map { $0 >= StepWatch.coarseStep } ?? false }

  mutating func sampleArrived(_ sample: FineAcceleration) {
    if let last {
      let difference = sample - last
      take(difference.x.magnitude)
      take(difference.y.magnitude)
      take(difference.z.magnitude)
    }
    last = sample
  }

  private mutating func take(_ difference: UInt64) {
    // Numbers in g are truncated to millionths, so equal numbers may differ by one.
    guard difference > 1 else { return }
    step = min(step ?? .max, difference)
  }
}

/// Learns the step of a chip: the smallest difference between two samples in a row.
///
/// A fine chip shows a small difference within some samples, at rest and on a drive. One whose steps are coarser than its
/// noise repeats a number, and then gives another that is whole steps away.
struct StepWatch: Equatable, Codable, Sendable {
  /// From this step on a chip is coarse, in millionths of g: one of 8 bits at 2 g has 16,000, one of 10 bits 3,900.
  private static let coarseStep: UInt64 = 8_000

  private var last: FineAcceleration?
  /// In millionths of g; nil until a sample differs from the one before.
  private var step: UInt64?

  /// Whether the chip's steps are as strong as the sway that tells rest from motion; false until the step is known.
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
    // Numbers in g are cut to millionths, so that equal ones may differ by one.
    guard difference > 1 else { return }
    step = min(step ?? .max, difference)
  }
}

/// Decides where a track is interrupted: between two points that are much further apart in time than points are usually.
struct GapRule: Equatable, Sendable {
  private var last: Int64?
  private var steps: (older: Int64?, newer: Int64?) = (nil, nil)

  /// A shorter time is never a gap.
  static let gapMinMilliseconds: Int64 = 10_000

  static func == (left: GapRule, right: GapRule) -> Bool {
    left.last == right.last && left.steps.older == right.steps.older
      && left.steps.newer == right.steps.newer
  }

  /// Takes the next point; returns whether a gap is before it.
  mutating func isGap(before sample: TrackSample) -> Bool {
    guard let time = sample.timeMilliseconds else { return false }
    defer { last = time }
    guard let last else { return false }
    let step = time &- last
    if step < 0 { return true }
    let usual = sample.periodMilliseconds ?? usualStep ?? 0
    let isGap =
      step > max(GapRule.gapMinMilliseconds, usual.multipliedReportingOverflow(by: 3).partialValue)
    steps = (steps.newer, step)
    return isGap
  }

  /// The shorter of the last two steps, so that one gap does not hide the next.
  private var usualStep: Int64? {
    guard let newer = steps.newer else { return nil }
    return min(newer, steps.older ?? newer)
  }
}

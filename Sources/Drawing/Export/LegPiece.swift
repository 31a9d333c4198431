/// Points of a leg that a format needs together, in bounded number.
///
/// A leg of more points is several pieces; each piece begins with the last point of the piece before, so that the line has
/// no hole.
struct LegPiece {
  private(set) var samples: [TrackSample] = []
  private var rule = GapRule()

  static let countMax = 10_000

  /// Takes the next point.
  ///
  /// - Returns: a whole piece, if the point begins another; nil otherwise.
  mutating func add(_ sample: TrackSample) -> [TrackSample]? {
    let isGap = rule.isGap(before: sample)
    // A piece has times for all points or for none.
    let isOther = samples.last.map {
      ($0.timeMilliseconds == nil) != (sample.timeMilliseconds == nil)
    }
    guard isGap || isOther == true || samples.count >= LegPiece.countMax else {
      samples.append(sample)
      return nil
    }
    let whole = samples
    samples = isGap || isOther == true ? [] : Array(whole.suffix(1))
    samples.append(sample)
    return whole.isEmpty ? nil : whole
  }

  /// The last piece.
  mutating func end() -> [TrackSample]? {
    defer { samples = [] }
    return samples.isEmpty ? nil : samples
  }
}

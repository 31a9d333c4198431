import BinnacleBasics

/// Detects faulty samples, which could look like rest or like motion.
struct SampleWatch: Equatable, Codable, Sendable {
  /// The time before a fault; with the end of the hop, a fault is reported within a second.
  static let patience = Interval.milliseconds(750)
  /// The number of equal samples for a frozen chip; fewer equal samples may be chance.
  private static let equalCountMin = 8
  /// The number of samples equal to their predecessor that make a frozen chip possible.
  private static let equalCountSuspicious = 4
  /// An axis that keeps a larger value, in millionths of g, is at the end of its range.
  ///
  /// At rest no axis measures more than gravity, and the range is 2 g or more.
  private static let restMax = 1_900_000
  /// The number of hops for the share of bad samples.
  private static let hopCount = 3

  private struct Tally: Equatable, Codable, Sendable {
    var good = 0
    var bad = 0
    var full = 0
  }

  private var tallies = [Tally](repeating: Tally(), count: SampleWatch.hopCount)
  private var current = 0
  private var last: FineAcceleration?
  private var lastGood: Instant?
  private var lastAny: Instant?
  private var changed: Instant?
  private var equalCount = 0
  /// For each axis, the start of the time with the same value beyond `restMax`.
  private var pinned: [Instant?] = [nil, nil, nil]
  private var isPinned = false
  /// The number of samples that are NaN or absurd since the start.
  private(set) var damagedCount = 0

  mutating func damagedSampleArrived(at now: Instant) {
    tallies[current].bad += 1
    lastAny = now
    damagedCount += 1
  }

  /// Takes a sample; for a chip whose steps are coarser than its noise, equal samples are ignored.
  mutating func sampleArrived(
    _ sample: FineAcceleration, isSaturated: Bool, showsNoise: Bool, at now: Instant
  ) {
    tallies[current].good += 1
    if isSaturated { tallies[current].full += 1 }
    if sample == last, showsNoise {
      equalCount += 1
    } else {
      equalCount = 0
      changed = now
    }
    isPinned = false
    watch(0, sample.x, before: last?.x, at: now)
    watch(1, sample.y, before: last?.y, at: now)
    watch(2, sample.z, before: last?.z, at: now)
    last = sample
    lastGood = now
    lastAny = now
  }

  private mutating func watch(_ axis: Int, _ value: Int64, before: Int64?, at now: Instant) {
    guard value == before, value.magnitude > SampleWatch.restMax else {
      pinned[axis] = nil
      return
    }
    let since = pinned[axis] ?? now
    pinned[axis] = since
    if now - since >= SampleWatch.patience { isPinned = true }
  }

  /// Ends a hop; returns nil if the samples are usable.
  mutating func hopEnded(at now: Instant) -> AccelerometerTrouble? {
    let trouble = self.trouble(at: now)
    current = (current + 1) % SampleWatch.hopCount
    tallies[current] = Tally()
    return trouble
  }

  /// Whether the newest samples look faulty, while they are too few for a fault.
  var isSuspicious: Bool {
    equalCount >= SampleWatch.equalCountSuspicious || tallies[current].bad > 0
      || tallies[current].full > 0 || pinned.contains { $0 != nil }
  }

  private func trouble(at now: Instant) -> AccelerometerTrouble? {
    guard let lastAny else { return .absent }
    if now - lastAny >= SampleWatch.patience { return .silent }
    var sum = Tally()
    for tally in tallies {
      sum.good += tally.good
      sum.bad += tally.bad
      sum.full += tally.full
    }
    if sum.bad > sum.good { return .damaged }
    if isPinned || sum.full * 2 > sum.good { return .saturated }
    let isStill = changed.map { now - $0 >= SampleWatch.patience } ?? false
    return isStill && equalCount >= SampleWatch.equalCountMin ? .frozen : nil
  }
}

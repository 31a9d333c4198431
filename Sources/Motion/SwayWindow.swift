import BinnacleBasics

/// The last two seconds of low-passed acceleration, as eight hops.
struct SwayWindow: Equatable, Codable, Sendable {
  static let hopCount = 8
  /// The least number of hops with samples (one second) for a result.
  private static let hopsMin = 4
  /// The least number of hops for a spread without a kick.
  private static let calmHopsMin = 3

  private var lowPass = LowPass()
  private var bins = [SwayBin](repeating: SwayBin(), count: SwayWindow.hopCount)
  /// The index of the bin in use; it was the oldest bin before it was cleared.
  private var current = 0

  /// The result for two seconds.
  struct Spreads: Equatable, Codable, Sendable {
    /// The spread of all eight hops.
    var sway: Double
    /// The smallest spread without one half second, so that a single kick does not count.
    var steadySway: Double
    var samplesPerSecond: Double
  }

  mutating func sampleArrived(_ sample: FineAcceleration, at now: Instant) {
    bins[current].add(lowPass.sampleArrived(sample, at: now))
  }

  /// Ends a hop; returns nil if there are too few samples for a result.
  mutating func hopEnded() -> Spreads? {
    let spreads = self.spreads
    current = (current + 1) % SwayWindow.hopCount
    bins[current] = SwayBin()
    return spreads
  }

  /// A bin by its age in hops.
  private func bin(_ age: Int) -> SwayBin {
    bins[(current - age + SwayWindow.hopCount) % SwayWindow.hopCount]
  }

  private var spreads: Spreads? {
    var whole = SwayBin()
    var hasRecent = false
    var filledCount = 0
    for age in 0..<SwayWindow.hopCount {
      let bin = bin(age)
      if !bin.isEmpty {
        filledCount += 1
        hasRecent = hasRecent || age < SwayWindow.hopCount / 2
      }
      whole = whole + bin
    }
    guard filledCount >= SwayWindow.hopsMin, hasRecent else { return nil }
    let samplesPerHop = whole.count / Double(filledCount)
    return Spreads(
      sway: whole.spread, steadySway: steadySway(atMost: whole.spread),
      samplesPerSecond: samplesPerHop * 4)
  }

  private func steadySway(atMost sway: Double) -> Double {
    var least = sway
    for skipped in 0..<SwayWindow.hopCount - 1 {
      var rest = SwayBin()
      var filledCount = 0
      for age in 0..<SwayWindow.hopCount where age != skipped && age != skipped + 1 {
        let bin = bin(age)
        if !bin.isEmpty { filledCount += 1 }
        rest = rest + bin
      }
      if filledCount >= SwayWindow.calmHopsMin { least = min(least, rest.spread) }
    }
    return least
  }
}

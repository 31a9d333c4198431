import BinnacleBasics

/// The last two seconds of low-passed acceleration in eight hops.
struct SwayWindow: Equatable, Codable, Sendable {
  static let hopCount = 8
  /// With fewer hops that hold samples (one second) there is no result.
  private static let hopsMin = 4
  /// The shortest stretch that a spread is computed of when a kick is left out.
  private static let calmHopsMin = 3

  private var lowPass = LowPass()
  private var bins = [SwayBin](repeating: SwayBin(), count: SwayWindow.hopCount)
  /// The bin that is being filled, oldest of all before it was emptied.
  private var current = 0

  /// The result of two seconds.
  struct Spreads: Equatable, Codable, Sendable {
    /// Of all eight hops.
    var sway: Double
    /// The same without the half second that, left out, makes it smallest: a single kick does not count.
    var steadySway: Double
    var samplesPerSecond: Double
  }

  mutating func sampleArrived(_ sample: FineAcceleration, at now: Instant) {
    bins[current].add(lowPass.sampleArrived(sample, at: now))
  }

  /// Ends a hop; nil when there are too few samples for a result.
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

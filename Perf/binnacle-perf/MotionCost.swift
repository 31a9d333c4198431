import BinnacleBasics
import Motion

/// The cost of the rest detector per sample: 100 Hz of a board that rests and is shaken in turns.
///
/// Each turn lasts five minutes, and a speed comes once a second.
struct MotionCost {
  private static let sampleCount = 2_000_000
  private static let period = Interval.milliseconds(10)
  private static let samplesPerTurn = 30_000

  private struct Sample {
    var x: Double
    var y: Double
    var z: Double
    var isShaken: Bool
  }

  /// The samples, made before the measurement and played repeatedly.
  private let samples: [Sample]

  init() {
    var state: UInt64 = 1
    func noise(_ g: Double) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 40) / Double(1 << 24) - 0.5) * g
    }
    samples = (0..<2 * MotionCost.samplesPerTurn).map { index in
      let isShaken = index >= MotionCost.samplesPerTurn
      let g = isShaken ? 0.3 : 0.004
      return Sample(x: noise(g), y: noise(g), z: 1 + noise(g), isShaken: isShaken)
    }
  }

  /// The detector with its shipped settings.
  func detector() -> String {
    var detector = StationaryDetector(dwell: .seconds(60), at: .zero)
    var changes = 0
    let seconds = measure { index, sample, now in
      if detector.accelerationMeasured(x: sample.x, y: sample.y, z: sample.z, at: now) {
        changes += 1
      }
      guard index % 100 == 0 else { return }
      let reading = SolutionReading(speed: sample.isShaken ? 12 : 0.02, speedAccuracy: 0.3)
      if detector.solutionMeasured(reading, at: now) { changes += 1 }
    }
    return text(seconds, "\(changes) changes")
  }

  /// The control: computes the spread of the last two seconds from the beginning for each sample.
  func recomputed() -> String {
    var ring = [Sample](repeating: samples[0], count: 200)
    var next = 0
    var shaken = 0
    let seconds = measure { _, sample, _ in
      ring[next] = sample
      next = next == ring.count - 1 ? 0 : next + 1
      var sums = (0.0, 0.0, 0.0)
      for one in ring { sums = (sums.0 + one.x, sums.1 + one.y, sums.2 + one.z) }
      let means = (sums.0 / 200, sums.1 / 200, sums.2 / 200)
      var spread = 0.0
      for one in ring {
        let (x, y, z) = (one.x - means.0, one.y - means.1, one.z - means.2)
        spread += x * x + y * y + z * z
      }
      if spread / 200 > 0.02 * 0.02 { shaken += 1 }
    }
    return text(seconds, "\(shaken) shaken")
  }

  private func measure(_ take: (Int, Sample, Instant) -> Void) -> Double {
    var now = Instant.zero
    let start = cpuSeconds()
    for index in 0..<MotionCost.sampleCount {
      now = now + MotionCost.period
      take(index, samples[index % samples.count], now)
    }
    return cpuSeconds() - start
  }

  private func text(_ seconds: Double, _ result: String) -> String {
    let nanoseconds = seconds * 1e9 / Double(MotionCost.sampleCount)
    return "\(Int(nanoseconds.rounded())) ns of CPU time a sample, \(result)"
  }
}

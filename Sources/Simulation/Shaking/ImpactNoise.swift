import Accelerometers
import BinnacleBasics

/// Typing, footsteps, thumps and passing trucks, minute by minute.
///
/// Typing, footsteps and thumps are the difference between the recording synth_desk__disturbed and its undisturbed
/// source. Keys come every third of a second and ring down at 12 Hz within 0.1 s, with 1 to 20 mg vertically and a
/// fifth of that horizontally. Fifteen steps come 0.55 s apart, with 1 to 6 mg at 9 Hz. Thumps have 70 and 120 mg at 10
/// Hz for half a second, half of that horizontally, and some push to one side. Simulated thumps reach the 150 mg of
/// Docs/SOURCES.md, M5. Trucks are assumed: seconds of rumbling at 8 to 16 Hz, up to 20 mg, and a tenth of that at 2
/// to 3 Hz as the floor moves.
struct ImpactNoise: Equatable, Sendable {
  private struct Impact: Equatable, Sendable {
    /// The time of the peak, in seconds since the start of the noise.
    var at: Double
    /// The peak of each axis in g.
    var peak: Acceleration
    /// Radians per second.
    var frequency: Double
    /// Radians; the phase decides between a push to one side and a swing to both sides.
    var phase: Double
    /// Seconds in which the impact falls to a third, and seconds in which it rises.
    var decay: Double
    var rise: Double
  }

  private let seed: UInt64
  private let hasTrucks: Bool
  private var minute = Int64.min
  /// The impacts of the present minute and of the minute before, which may still ring, in the order of time.
  private var impacts: [Impact] = []
  private var before: [Impact] = []
  /// The maximum time in seconds for which an earlier impact may ring.
  private static let ringMax = 12.0

  init(seed: UInt64, hasTrucks: Bool) {
    self.seed = seed
    self.hasTrucks = hasTrucks
  }

  /// The acceleration in g, so many seconds after the start of the noise.
  mutating func acceleration(at seconds: Double) -> Acceleration {
    enter(Int64((seconds / 60).rounded(.down)))
    var sum = Acceleration.zero
    for impact in before where seconds - impact.at < ImpactNoise.ringMax {
      ImpactNoise.add(impact, at: seconds, to: &sum)
    }
    for impact in impacts { ImpactNoise.add(impact, at: seconds, to: &sum) }
    return sum
  }

  private static func add(_ impact: Impact, at seconds: Double, to sum: inout Acceleration) {
    let since = seconds - impact.at
    guard since > -impact.rise, since < 6 * impact.decay else { return }
    let level = since < 0 ? 1 + since / impact.rise : ImpactNoise.falling(since / impact.decay)
    let swing = level * cosine(impact.frequency * since + impact.phase)
    sum.x += impact.peak.x * swing
    sum.y += impact.peak.y * swing
    sum.z += impact.peak.z * swing
  }

  /// Approximates e to the power of -x within a percent, from 0 to 6.
  private static func falling(_ x: Double) -> Double {
    var power = 1 + x / 64
    for _ in 0..<6 { power *= power }
    return 1 / power
  }

  private mutating func enter(_ new: Int64) {
    guard new != minute else { return }
    before = new == minute + 1 ? impacts : make(new - 1)
    impacts = make(new)
    minute = new
  }

  private func make(_ minute: Int64) -> [Impact] {
    var random = Random(seed: seed ^ UInt64(bitPattern: minute) &* 0x9E37_79B9_7F4A_7C15)
    let start = Double(minute) * 60
    func within(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    }
    var made: [Impact] = []
    func add(
      _ at: Double, _ milliG: Double, side: Double, hertz: Double, decay: Double, rise: Double
    ) {
      made.append(
        Impact(
          at: start + at,
          peak: Acceleration(x: side * milliG / 1_000, y: side * milliG / 1_000, z: milliG / 1_000),
          frequency: 2 * .pi * hertz, phase: 2 * .pi * random.unit(), decay: decay, rise: rise))
    }
    if random.chance(0.5) {
      var at = within(0...20)
      let end = at + 20
      while at < end {
        add(
          at, 1 + 21 * random.unit() * random.unit(), side: 0.2, hertz: within(10...14),
          decay: 0.03, rise: 0.004)
        at += within(0.12...0.6)
      }
    }
    if random.chance(0.5) {
      let first = within(20...50)
      for step in 0..<15 {
        add(
          first + 0.55 * Double(step), within(1...6), side: 0.3, hertz: within(8...10), decay: 0.06,
          rise: 0.02)
      }
    }
    if random.chance(0.33) {
      add(
        within(5...55), within(50...150), side: 0.5, hertz: within(9...11), decay: 0.12, rise: 0.02)
    }
    if hasTrucks, random.chance(0.2) {
      let (at, milliG) = (within(5...50), within(2...20))
      for _ in 0..<4 {
        add(at + within(-1...1), milliG / 2, side: 0.4, hertz: within(8...16), decay: 1, rise: 2)
      }
      add(at, milliG / 10, side: 0.4, hertz: within(2...3), decay: 1, rise: 2)
    }
    return made
  }
}

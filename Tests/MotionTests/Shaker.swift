import BinnacleBasics
import Motion

/// A board on a shaker: gravity, noise and what is done to it, sampled at any rate and in any attitude.
struct Shaker {
  /// The motion of the board.
  enum Act {
    case rest
    /// An engine at idle: a line at 25 Hz.
    case idle
    /// A road: sway at 0.7 and 1.3 Hz that never stops.
    case road
    /// Wind or waves: sway at 1 Hz with an amplitude of so many thousandths of g.
    case sway(milliG: Double)
    /// One thump of so many g for 100 ms.
    case thump(Double)
  }

  var hertz = 50.0
  var noiseMilliG = 1.5
  /// The chip's steps in thousandths of g; 0: none.
  var stepMilliG = 0.0
  /// Rows of the rotation from the body to the chip.
  var attitude: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
  var scale = 1.0
  private(set) var seconds = 0.0
  private var random = Random(seed: 7)

  static let tilted: [[Double]] = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0], [0.48, 0.64, 0.6]]

  init(hertz: Double = 50, attitude: [[Double]]? = nil, scale: Double = 1, seed: UInt64 = 7) {
    self.hertz = hertz
    self.scale = scale
    if let attitude { self.attitude = attitude }
    random = Random(seed: seed)
  }

  var now: Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  /// The next sample, in g along the chip's axes.
  mutating func sample(_ act: Act, since start: Double) -> (x: Double, y: Double, z: Double) {
    seconds += 1 / hertz
    var body = [0.0, 0.0, 1.0]
    switch act {
    case .rest: break
    case .idle: body[2] += 0.05 * sine(2 * .pi * 25 * seconds)
    case .road:
      body[0] += 0.02 * sine(2 * .pi * 0.7 * seconds)
      body[1] += 0.02 * sine(2 * .pi * 1.3 * seconds)
    case .sway(let milliG): body[0] += milliG / 1_000 * sine(2 * .pi * seconds)
    case .thump(let g): if seconds - start < 0.1 { body[0] += g }
    }
    for axis in 0..<3 { body[axis] += noiseMilliG / 1_000 * random.normal() }
    let chip = attitude.map { row in
      (row[0] * body[0] + row[1] * body[1] + row[2] * body[2]) * scale
    }
    return (stepped(chip[0]), stepped(chip[1]), stepped(chip[2]))
  }

  private func stepped(_ value: Double) -> Double {
    stepMilliG > 0 ? (value * 1_000 / stepMilliG).rounded() * stepMilliG / 1_000 : value
  }

  /// Does something for a while; the instants at which the verdict changed.
  mutating func perform(
    _ act: Act, seconds length: Double, on detector: inout StationaryDetector
  ) -> [Double] {
    var changes: [Double] = []
    let start = seconds
    while seconds - start < length {
      let sample = sample(act, since: start)
      if detector.accelerationMeasured(x: sample.x, y: sample.y, z: sample.z, at: now) {
        changes.append(seconds - start)
      }
    }
    return changes
  }
}

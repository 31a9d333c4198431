import BinnacleBasics

/// A simulated journey in the form of a recording: a chip's samples and a receiver's speeds, with the truth.
///
/// The chip has the noise and the counts of an LIS3DH at 50 Hz, and no anti-aliasing filter before its converter; the
/// chip's own low-pass is better. Speeds come once a second with the error of the recordings of resting receivers
/// (median 0.02 m/s, Docs/SOURCES.md, U4), half a second late (Docs/SOURCES.md, M3), and not inside buildings.
public struct JourneyRows: Sendable {
  private static let rateHz: Int64 = 50
  private static let noiseG = 0.7e-3
  private static let countG = 1e-3
  private static let speedError = 0.016
  private static let speedDelay = Interval.milliseconds(500)

  private let path: Body.Path
  private let hasSky: Bool
  private var felt: FeltMotion
  private var random: Random
  private var index: Int64 = 0
  private var time = Instant.zero

  /// - Parameters:
  ///   - path: the journey.
  ///   - seed: determines all other draws.
  public init(_ path: Body.Path, seed: UInt64) {
    self.path = path
    hasSky = path != .elevator
    felt = FeltMotion(body: Body(path: path), departure: .zero, seed: seed)
    random = Random(seed: seed ^ 0x10_0F)
  }

  /// The next sample; every fiftieth sample has a speed.
  public mutating func next() -> MotionRow {
    defer {
      index += 1
      time = Instant(nanoseconds: index * 1_000_000_000 / JourneyRows.rateHz)
    }
    let sample = felt.acceleration(at: time)
    var row = MotionRow(line: Int(index) + 1, instant: time, acceleration: nil, speed: nil)
    row.acceleration = (measured(sample.x), measured(sample.y), measured(sample.z))
    row.label = felt.body.isAtRest(after: time - .zero) ? 0 : 1
    if hasSky, index % JourneyRows.rateHz == 0 {
      let truth = felt.body.motion(after: time - .zero - JourneyRows.speedDelay).speed
      let along = truth + JourneyRows.speedError * random.normal()
      let across = JourneyRows.speedError * random.normal()
      row.speed = (along * along + across * across).squareRoot()
    }
    return row
  }

  /// The true speed in meters per second at the newest row.
  public var trueSpeed: Double { felt.body.motion(after: time - .zero).speed }

  private mutating func measured(_ g: Double) -> Double {
    let counts = (g + JourneyRows.noiseG * random.normal()) / JourneyRows.countG
    return counts.rounded() * JourneyRows.countG
  }
}

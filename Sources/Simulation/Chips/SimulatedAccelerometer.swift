public import Accelerometers
public import BinnacleBasics

/// A simulated accelerometer: registers and FIFO outside, a mass on springs inside.
public protocol SimulatedAccelerometer: SimulatedI2CDevice {
  /// What its masses feel, and what is wrong with them.
  var masses: SimulatedMasses { get set }
  /// What the identity register reads instead of what it should.
  var falseIdentity: UInt8? { get set }
  /// Whether it raises its interrupt output.
  var isInterruptRaised: Bool { get }
  /// Makes the samples that are due.
  mutating func advance(to now: Instant)
  /// Begins as after the power came.
  mutating func switchOn(at now: Instant)
}

/// What the masses of an accelerometer feel, sample by sample.
public struct SimulatedMasses: Equatable, Sendable {
  /// In g along the chip's axes, where it lies; on a body that moves, the difference to lying flat is added.
  public var acceleration = Acceleration(x: 0, y: 0, z: 1)
  /// The body that it is fixed to; nil: it lies somewhere.
  public var carrier: FeltMotion?
  /// The standard deviation of each axis of a sample, in g.
  public var noiseG: Double
  /// By how much the chip's clock is fast; 0.02 is two percent.
  public var clockError: Double
  /// The axis that has stopped moving: 0, 1 or 2.
  public var frozenAxis: Int?
  /// Whether it makes samples at all.
  public var isDead = false

  private var frozenAt: Double?
  private var random: Random
  private var last: Instant?

  public init(noiseG: Double, clockError: Double = 0, seed: UInt64) {
    self.noiseG = noiseG
    self.clockError = clockError
    random = Random(seed: seed)
  }

  /// Samples of one turn; what is older than that has left every FIFO anyway.
  private static let samplesMax = 2_000

  private static let flat = Acceleration(x: 0, y: 0, z: 1)

  /// Begins to count samples anew.
  public mutating func restart() { last = nil }

  /// The samples that have come about since the last call.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - rateHz: samples a second; nil: the chip sleeps.
  ///   - push: what the self-test adds, in g.
  /// - Returns: the oldest first.
  public mutating func samples(
    until now: Instant, rateHz: Double?, push: Acceleration = .zero
  ) -> [Acceleration] {
    guard let rateHz, !isDead else {
      last = nil
      return []
    }
    let period = Interval(nanoseconds: Int64(1e9 / (rateHz * (1 + clockError))))
    guard var at = last else {
      last = now
      return []
    }
    var samples: [Acceleration] = []
    if now - at > period * Int64(SimulatedMasses.samplesMax) {
      at = now - period * Int64(SimulatedMasses.samplesMax)
    }
    while at + period <= now {
      at += period
      samples.append(sample(at, push))
    }
    last = at
    return samples
  }

  private mutating func sample(_ at: Instant, _ push: Acceleration) -> Acceleration {
    let carried = carrier?.acceleration(at: at) ?? SimulatedMasses.flat
    var axes = [
      acceleration.x + carried.x - SimulatedMasses.flat.x + push.x,
      acceleration.y + carried.y - SimulatedMasses.flat.y + push.y,
      acceleration.z + carried.z - SimulatedMasses.flat.z + push.z,
    ].map { $0 + random.normal() * noiseG }
    if let frozenAxis {
      let kept = frozenAt ?? axes[frozenAxis]
      frozenAt = kept
      axes[frozenAxis] = kept
    } else {
      frozenAt = nil
    }
    return Acceleration(x: axes[0], y: axes[1], z: axes[2])
  }
}

extension Acceleration {
  /// Counts of each axis, as a converter with so many g in a count and this largest count gives them.
  func counts(gPerCount: Double, countMax: Int) -> [Int] {
    [x, y, z].map { max(-countMax - 1, min(countMax, Int(($0 / gPerCount).rounded()))) }
  }

  /// The largest distance of an axis.
  func distance(to other: Acceleration) -> Double {
    max(abs(x - other.x), abs(y - other.y), abs(z - other.z))
  }
}

public import Accelerometers
public import BinnacleBasics

/// A simulated accelerometer: registers and a FIFO, with masses on springs behind them.
public protocol SimulatedAccelerometer: SimulatedI2CDevice {
  /// The acceleration of the masses, and their faults.
  var masses: SimulatedMasses { get set }
  /// A wrong value of the identity register; nil: the correct value.
  var falseIdentity: UInt8? { get set }
  /// Whether the chip raises its interrupt output.
  var isInterruptRaised: Bool { get }
  /// Makes the samples up to an instant.
  mutating func advance(to now: Instant)
  /// Starts as after power-on.
  mutating func switchOn(at now: Instant)
}

/// The acceleration of an accelerometer's masses, sample by sample.
public struct SimulatedMasses: Equatable, Sendable {
  /// The acceleration in g along the chip's axes; on a moving body the deviation from lying flat is added.
  public var acceleration = Acceleration(x: 0, y: 0, z: 1)
  /// The body that carries the chip; nil: the chip does not move.
  public var carrier: FeltMotion?
  /// The standard deviation of each axis of a sample, in g.
  public var noiseG: Double
  /// The error of the chip's clock; 0.02 is two percent fast.
  public var clockError: Double
  /// The axis that does not move any more: 0, 1 or 2.
  public var frozenAxis: Int?
  /// Whether the chip makes no samples.
  public var isDead = false

  private var frozenAt: Double?
  private var random: Random
  private var last: Instant?

  public init(noiseG: Double, clockError: Double = 0, seed: UInt64) {
    self.noiseG = noiseG
    self.clockError = clockError
    random = Random(seed: seed)
  }

  /// The maximum number of samples of one call; older samples have left every FIFO.
  private static let samplesMax = 2_000

  private static let flat = Acceleration(x: 0, y: 0, z: 1)

  /// Starts to count samples from the beginning.
  public mutating func restart() { last = nil }

  /// The samples since the last call.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - rateHz: samples a second; nil: the chip sleeps.
  ///   - push: the acceleration that the self-test adds, in g.
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
  /// The counts of each axis, for a converter with so many g in a count and this largest count.
  func counts(gPerCount: Double, countMax: Int) -> [Int] {
    [x, y, z].map { max(-countMax - 1, min(countMax, Int(($0 / gPerCount).rounded()))) }
  }

  /// The largest difference of an axis.
  func distance(to other: Acceleration) -> Double {
    max(abs(x - other.x), abs(y - other.y), abs(z - other.z))
  }
}

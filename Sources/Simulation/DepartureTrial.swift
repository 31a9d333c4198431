import Accelerometers
import BinnacleBasics
import BinnacleModel
import LocationEngine

/// One departure of a board whose updates pause; one number determines the whole trial.
///
/// The body rests. The engine has a receiver and an accelerometer of 50 Hz, which the daemon reads twice a second. The
/// client that stays to the end gets the pause. Then the body drives off at once, or is lifted gently and carried off.
public struct DepartureTrial {
  /// The receiver's condition at the departure.
  public enum Receiver: String, CaseIterable, Sendable {
    /// The receiver stays on for a short time while all sequences pause.
    case resting
    case asleep
    /// The control: the receiver sleeps and loses its memory.
    case forgetful = "memory lost asleep"

    /// Seconds within which 95 % of the departures reach the client; the control takes longer.
    public var limitSeconds: Double { self == .resting ? 3 : 5 }
  }

  /// The measured result of a departure.
  public struct Outcome: Equatable, Sendable {
    /// Seconds from the first motion to the first update with a fix after it; nil: no such update within two minutes.
    public var seconds: Double?
    /// The broken rules, and a receiver that was not in the planned condition.
    public var violations: [String]
  }

  /// The kind of movement at the departure.
  public enum Way: String, CaseIterable, Sendable {
    /// With 2 m/s², from the first instant.
    case drivesOff = "drives off"
    /// With 0.25 m/s upwards for four seconds; then a walk.
    case isLifted = "is lifted gently"

    fileprivate var path: Body.Path { self == .drivesOff ? .errand : .theft }
  }

  public let generation: Generation
  private let way: Way
  private let path: Body.Path
  private let seed: UInt64
  private let phase: Interval
  /// The additional time from the start to the departure, beyond the minimum.
  private let wait: Interval

  private static let period = Interval.milliseconds(20)
  private static let samplesPerRead = 25
  /// The rest in seconds before the body is lifted.
  private static let beforeLifting: Int64 = 600
  private static let giveUp = Interval.seconds(120)

  public init(seed: UInt64, _ way: Way) {
    self.way = way
    path = way.path
    var random = Random(seed: seed)
    self.seed = seed
    generation = [Generation.seven, .m8, .m10][Int(seed % 3)]
    phase = .milliseconds(Int64(random.next() % 500))
    wait = .milliseconds(Int64(random.next() % 300_000))
  }

  /// - Parameter receiver: the receiver's condition at the departure.
  /// - Returns: the measured result.
  public func run(_ receiver: Receiver) -> Outcome {
    var random = Random(seed: seed ^ 0xDE9)
    // The first sleep is short and tests whether the receiver wakes; the next sleep is long.
    let least: Interval = receiver == .resting ? .seconds(100) : .seconds(420)
    let motion = Instant.zero + least + wait
    let departure = motion - Interval.seconds(way == .isLifted ? DepartureTrial.beforeLifting : 0)
    let body = Body(path: path)
    var felt = FeltMotion(body: body, departure: departure, seed: seed)
    var board = board(departure, rests: receiver == .resting, random: &random)
    var read = Instant.zero + phase
    var violations: [String] = []
    while board.checkers.violations.isEmpty, board.now < motion + DepartureTrial.giveUp {
      let first = read
      read = read + DepartureTrial.period * Int64(DepartureTrial.samplesPerRead)
      if first < motion, motion <= read {
        board.run(until: motion)
        let isReady =
          board.checkers.isSteadyPaused && board.receiver.isAsleep == (receiver != .resting)
        if !isReady { violations.append("it was not \(receiver.rawValue) when the body went") }
        if receiver == .forgetful { board.loseMemory() }
      }
      board.run(until: read)
      board.feel(samples(of: &felt, from: first, &random))
      if let told = board.checkers.steadyFixAt, told > motion, !board.checkers.isSteadyPaused {
        return Outcome(
          seconds: (told - motion).seconds, violations: violations + board.checkers.violations)
      }
    }
    return Outcome(seconds: nil, violations: violations + board.checkers.violations)
  }

  private func samples(
    of felt: inout FeltMotion, from first: Instant, _ random: inout Random
  ) -> AccelerationBatch {
    var counts: [Int16] = []
    for index in 0..<DepartureTrial.samplesPerRead {
      let instant = first + DepartureTrial.period * Int64(index)
      let isGone = instant >= felt.departure
      let sample = isGone ? felt.acceleration(at: instant) : Acceleration(x: 0, y: 0, z: 1)
      for g in [sample.x, sample.y, sample.z] {
        counts.append(Int16((g * 1_000 + 0.7 * random.normal()).rounded()))
      }
    }
    return AccelerationBatch(
      first: first, interval: DepartureTrial.period, gPerCount: 0.001, counts: counts)
  }

  private func board(
    _ departure: Instant, rests: Bool, random: inout Random
  ) -> SimulatedBoard<Engine> {
    let plan = FaultPlan.none
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: path),
      departure: departure)
    var configuration = Configuration()
    configuration.hasAccelerometer = true
    for path in [
      \DwellSettings.default, \.fitness, \.automotiveNavigation, \.otherNavigation, \.airborne,
    ] {
      configuration.motion.dwells[keyPath: path] = .seconds(60)
    }
    // A resting receiver stays on until the departure, whenever that is.
    if rests { configuration.power.restBeforeSleep = .seconds(3_600) }
    let receiver = SimulatedReceiver(
      generation: generation, world: world, start: .hot, seed: seed, chunk: 64, at: .zero)
    return SimulatedBoard(
      engine: Engine(configuration: configuration, seed: seed), receiver: receiver, plan: plan,
      script: ClientScript(plan: plan, path: path, random: &random), statePlan: .none,
      kind: .uart, random: random, transcribe: nil, dwells: configuration.motion.dwells)
  }
}

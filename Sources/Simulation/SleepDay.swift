import Accelerometers
import BinnacleBasics
import BinnacleModel
import LocationEngine

/// A day of a board that rests: the time that its receiver is on, as the receiver counts it.
public struct SleepDay: Sendable {
  /// The equipment of the board, and the controls.
  public enum Board: String, CaseIterable, Sendable {
    case accelerometer = "accelerometer"
    case none = "no accelerometer"
    case noClient = "no client"
    /// Controls: the profile forbids sleep, and a receiver does not obey.
    case never = "Sleep=never"
    case disobedient = "ignores sleep"

    /// The longest permitted time on within two hours, in seconds; nil: a control.
    public var limitSeconds: Double? {
      switch self {
      case .accelerometer: 40
      case .none: 0.025 * 7_200
      case .noClient: 3
      case .never, .disobedient: nil
      }
    }
  }

  public struct Outcome: Sendable {
    /// The seconds on in each two hours, counted from the first sleep or from two minutes after its earliest time.
    public var secondsInTwoHours: [Double]
    public var sleeps: Int
    /// The time to the first position of a program that connects at the end.
    public var secondsToFix: Double?
  }

  private static let samplesHz = 10

  private let board: Board
  private let generation: Generation
  private let seed: UInt64

  public init(_ board: Board, _ generation: Generation, seed: UInt64) {
    self.board = board
    self.generation = generation
    self.seed = seed
  }

  /// Runs the board for so many hours.
  public func run(hours: Int) -> Outcome {
    var random = Random(seed: seed)
    var configuration = Configuration()
    configuration.hasAccelerometer = board != .none
    configuration.power.sleeps = board != .never
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000 + Int64(seed) * 1_000),
      body: Body(path: .still))
    let receiver = SimulatedReceiver(
      generation: generation, world: world, start: .hot, seed: random.next(), chunk: 64,
      oddities: board == .disobedient ? [.ignoresSleep] : [], at: .zero)
    var life = SimulatedBoard(
      engine: Engine(configuration: configuration, seed: seed), receiver: receiver, plan: .none,
      script: .steady, statePlan: .none, kind: .uart, random: random, transcribe: nil)
    func pass(_ seconds: Int) {
      for _ in 0..<seconds {
        let first = life.now
        life.run(until: first + .seconds(1))
        if configuration.hasAccelerometer { life.occur(SleepDay.samples(from: first, &random)) }
      }
    }
    pass(board == .noClient ? 60 : 400)
    if board == .noClient {
      life.occur(.client(ClientID(number: 1), .updatesClosed(SequenceID(number: 1))))
      pass(340)
    }
    var seconds: [Double] = []
    let sleeps = life.receiver.counters.sleeps
    for _ in 0..<(hours / 2) {
      let on = life.receiver.timeOn(at: life.now)
      pass(7_200)
      seconds.append((life.receiver.timeOn(at: life.now) - on).seconds)
    }
    let fallen = life.receiver.counters.sleeps - sleeps
    let came = life.now
    let fixes = life.checkers.fixCount
    life.occur(.client(ClientID(number: 1), .updatesOpened(SequenceID(number: 2), .default)))
    var toFix: Double?
    for _ in 0..<600 where toFix == nil {
      life.run(until: life.now + .milliseconds(100))
      if life.checkers.fixCount > fixes { toFix = (life.now - came).seconds }
    }
    return Outcome(secondsInTwoHours: seconds, sleeps: fallen, secondsToFix: toFix)
  }

  /// One second of samples of a resting chip, at 1 mg a count.
  private static func samples(from first: Instant, _ random: inout Random) -> Event {
    var counts: [Int16] = []
    for _ in 0..<samplesHz {
      for still in [0.0, 0.0, 1_000.0] { counts.append(Int16(still + 4 * random.unit())) }
    }
    return .accelerometer(
      .samples(
        AccelerationBatch(
          first: first, interval: .milliseconds(1_000 / Int64(samplesHz)), gPerCount: 0.001,
          counts: counts)))
  }
}

public import BinnacleBasics
import LocationEngine

/// One start of the engine with a line that loses bytes or with an odd receiver; measures the time to positions.
public struct ConnectionTrial: Sendable {
  /// The measured result of a trial.
  public struct Outcome: Equatable, Sendable {
    /// Seconds from power-on to the first position of an app; nil: no position within the time-out.
    public var positionSeconds: Double?
    /// Seconds until the receiver worked as configured; nil: the time-out passed first.
    public var configuredSeconds: Double?
    /// The number of positions during the whole trial.
    public var positionCount = 0
    /// The broken rules.
    public var violations: [String]
  }

  /// The time-out for positions and configuration.
  public static let giveUp = Interval.seconds(300)
  private let generation: Generation
  private let lossChance: Double
  private let oddities: [ReceiverOddity]
  private let seed: UInt64

  /// - Parameters:
  ///   - generation: the receiver's generation; the receiver starts hot, with its factory settings.
  ///   - lossChance: the probability that a byte is lost, in either direction, during the whole trial.
  ///   - oddities: the receiver's deviations from its documents.
  ///   - seed: draws the lost bytes and the differences between receivers.
  public init(
    _ generation: Generation, lossChance: Double, oddities: [ReceiverOddity] = [], seed: UInt64
  ) {
    self.generation = generation
    self.lossChance = lossChance
    self.oddities = oddities
    self.seed = seed
  }

  /// Runs until `giveUp` has passed.
  ///
  /// - Parameter transcribe: gets a line for each event and effect; nil: no lines are written.
  /// - Returns: the measured result.
  public func run(transcribe: ((String) -> Void)? = nil) -> Outcome {
    let plan = FaultPlan.loss(lossChance)
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .journey))
    let receiver = SimulatedReceiver(
      generation: generation, world: world, start: .hot, seed: seed, chunk: 64, oddities: oddities,
      at: .zero)
    let configuration = Configuration()
    var board = SimulatedBoard(
      engine: Engine(configuration: configuration, seed: seed), receiver: receiver, plan: plan,
      script: .steady, statePlan: .none, kind: .uart, random: Random(seed: seed ^ 0x1055),
      transcribe: transcribe)
    var outcome = Outcome(violations: [])
    while board.checkers.violations.isEmpty, board.now - .zero < ConnectionTrial.giveUp {
      board.run(until: board.now + .milliseconds(250))
      let seconds = (board.now - .zero).seconds
      if outcome.positionSeconds == nil, board.checkers.fixCount > 0 {
        outcome.positionSeconds = seconds
      }
      guard outcome.configuredSeconds == nil else { continue }
      board.askForReport()
      if board.report[.receiverIsConfigured] == true {
        outcome.configuredSeconds = seconds
      }
    }
    outcome.positionCount = board.checkers.fixCount
    outcome.violations = board.checkers.violations
    return outcome
  }
}

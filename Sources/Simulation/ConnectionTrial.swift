public import BinnacleBasics
import LocationEngine

/// One start of the engine at a receiver's line that loses bytes, or at an odd receiver: how soon positions come.
public struct ConnectionTrial: Sendable {
  /// How it went.
  public struct Outcome: Equatable, Sendable {
    /// Seconds from the power to the first position of an app; nil: none came in time.
    public var positionSeconds: Double?
    /// Seconds until the receiver worked as it was ordered; nil: it did not in time.
    public var configuredSeconds: Double?
    /// How many positions came in all that time.
    public var positionCount = 0
    /// Rules that were broken.
    public var violations: [String]
  }

  /// How long positions and configuration are waited for.
  public static let giveUp = Interval.seconds(300)
  private let generation: Generation
  private let lossChance: Double
  private let oddities: [ReceiverOddity]
  private let seed: UInt64

  /// - Parameters:
  ///   - generation: what the receiver is; it starts hot, with the settings that it left the works with.
  ///   - lossChance: the probability that a byte is lost, in either direction, for good.
  ///   - oddities: what the receiver does otherwise than its documents say.
  ///   - seed: draws which bytes are lost and everything that differs from one receiver to the next.
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
  /// - Parameter tell: gets a line for each event and effect; nil: nothing is told.
  /// - Returns: how it went.
  public func run(tell: ((String) -> Void)? = nil) -> Outcome {
    let plan = FaultPlan.loss(lossChance)
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .journey))
    let receiver = SimulatedReceiver(
      generation: generation, world: world, start: .hot, seed: seed, chunk: 64, oddities: oddities,
      at: .zero)
    let configuration = Configuration(daemonUserID: ClientScript.daemonUserID)
    var board = SimulatedBoard(
      engine: Engine(configuration: configuration, seed: seed), receiver: receiver, plan: plan,
      script: .steady, statePlan: .none, kind: .uart, random: Random(seed: seed ^ 0x1055),
      tell: tell)
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

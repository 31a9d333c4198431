import BinnacleBasics
import LocationEngine
import StateLog

/// One power cut of a board whose receiver has no battery; one number determines the whole trial.
///
/// The board tracks, and then the daemon ends or the board loses its power. After a while the board starts again with
/// the data on its disk and a receiver without memory. The same cut runs with other data on the disk as well, so that
/// each figure has a control.
public struct HotStartTrial {
  /// The data that the second start finds.
  public enum Kept: String, CaseIterable, Sendable {
    /// The data that the first run has left.
    case own
    case nothing
    /// The data of the first run, but with another receiver of the same model on the line.
    case anotherReceivers
    /// The data of the first run with one changed byte in one record; the log's checksums are right.
    case changedByte
    /// The data of the first run, with a wall clock whose error exceeds its stated uncertainty.
    case wrongTime
  }

  /// The measured result of the second start.
  public struct Outcome: Equatable, Sendable {
    /// Seconds from power-on to the first location; nil: no location within two minutes.
    public var seconds: Double?
    /// The broken rules of both runs.
    public var violations: [String]
  }

  public let generation: Generation
  public let description: String
  private let seed: UInt64
  private let path: Body.Path
  /// The duration of the first run, and whether the daemon is asked to end or the board loses its power.
  private let runSeconds: Int64
  private let isEnded: Bool
  private let offSeconds: Int64
  private static let giveUp = Interval.seconds(120)
  private static let utcAtZero = UTCTime(secondsSince1970: 1_790_000_000)

  public init(seed: UInt64) {
    var random = Random(seed: seed)
    self.seed = seed
    generation = [Generation.m8, .m10, .m10SPG530][Int(random.next() % 3)]
    path = [Body.Path.still, .journey, .walk][Int(random.next() % 3)]
    isEnded = random.chance(0.5)
    // The log writer writes deferred records after ten minutes, or at the daemon's end.
    runSeconds = isEnded ? 100 + Int64(random.next() % 300) : 720 + Int64(random.next() % 300)
    // The ephemerides of the first run are younger than four hours at the second start.
    offSeconds = 5 + Int64(random.next() % 5_000)
    description =
      "\(generation.rawValue) \(path.rawValue), \(isEnded ? "ended" : "cut off") after "
      + "\(runSeconds) s, off for \(offSeconds) s"
  }

  /// Cuts the power and starts again.
  ///
  /// - Parameter kept: the data that the second start finds.
  /// - Returns: the measured result.
  public func run(_ kept: Kept) -> Outcome {
    var random = Random(seed: seed ^ 0xC07)
    var before = board(at: HotStartTrial.utcAtZero, .hot, receiverSeed: seed, random: &random)
    before.run(until: .zero + .seconds(runSeconds))
    if isEnded {
      before.end()
      before.run(until: before.now + .seconds(5))
    }
    var state = before.state
    state.cutPower(seed: seed)
    switch kept {
    case .own, .anotherReceivers, .wrongTime: break
    case .nothing: state = BoardState()
    case .changedByte: HotStartTrial.changeByte(in: &state, random: &random)
    }
    let start = before.receiver.world.utc(at: before.now) + .seconds(offSeconds)
    let receiverSeed = kept == .anotherReceivers ? seed &+ 1 : seed
    var after = board(at: start, .cold, receiverSeed: receiverSeed, random: &random)
    after.takeOver(state, from: before)
    if kept == .wrongTime { after.misset(clockBy: .seconds(60)) }
    while after.checkers.violations.isEmpty, after.checkers.fixCount == 0,
      after.now - .zero < HotStartTrial.giveUp
    {
      after.run(until: after.now + .milliseconds(250))
    }
    let hasFix = after.checkers.fixCount > 0
    return Outcome(
      seconds: hasFix ? (after.now - .zero).seconds : nil,
      violations: before.checkers.violations + after.checkers.violations)
  }

  private func board(
    at utc: UTCTime, _ start: StartKind, receiverSeed: UInt64, random: inout Random
  ) -> SimulatedBoard<Engine> {
    let plan = FaultPlan.none
    let script = ClientScript(plan: plan, path: path, random: &random)
    let receiver = SimulatedReceiver(
      generation: generation, world: World(utcAtZero: utc, body: Body(path: path)), start: start,
      seed: receiverSeed, chunk: 64, at: .zero)
    let configuration = Configuration()
    var board = SimulatedBoard(
      engine: Engine(configuration: configuration, seed: seed), receiver: receiver, plan: plan,
      script: script, statePlan: .none, kind: .uart, random: random, transcribe: nil)
    board.clockWithin = .milliseconds(500)
    return board
  }

  /// Changes one byte of the navigation database; the record is complete and its checksums are right.
  private static func changeByte(in state: inout BoardState, random: inout Random) {
    let kind = RecordTable.navigationDatabase.number
    guard let entry = state.open().records.entries.first(where: { $0.name.kind == kind }) else {
      return
    }
    var value = entry.value
    // The byte lies behind version, time, count and the first record's length.
    value[12 + Int(random.next() % 80)] ^= 1 << UInt8(random.next() % 8)
    _ = state.commit(0, [Change(entry.name, .put(value, isCautious: false))])
  }
}

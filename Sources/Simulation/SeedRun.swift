public import BinnacleBasics
import BinnacleModel
public import LocationEngine

/// One journey with faults; one number determines the whole run.
public struct SeedRun<Tested: EngineUnderTest> {
  /// The result of a run.
  public struct Verdict: Equatable, Sendable, CustomStringConvertible {
    /// The broken rules.
    public var violations: [String]
    /// The drawn parts of the run.
    public var scene: String
    public var fixCount: Int
    /// The number of times that the receiver fell asleep.
    public var sleepCount: Int
    /// The time from the end of the faults to the next fix.
    public var recovery: Interval?

    public var isClean: Bool { violations.isEmpty }

    public var description: String {
      let recovered = recovery.map { "\($0.seconds) s" } ?? "-"
      let text = "\(scene); \(fixCount) fixes, recovered in \(recovered)"
      return violations.isEmpty ? text : text + "\n  " + violations.joined(separator: "\n  ")
    }
  }

  /// The receiver of this journey.
  public let generation: Generation
  private let plan: FaultPlan
  private let scene: String
  private let script: ClientScript
  private let statePlan: StatePlan
  private let receiver: SimulatedReceiver
  private let kind: Event.ReceiverPort.Kind
  private let random: Random
  private let engine: Tested
  private let recoveryMax: Interval
  private let trial: ThreatTrial?
  private let sleepTrial: SleepTrial?
  private let wire: WakeWire?
  private let busTrial: BusTrial<Tested>?
  private let pauseTrial: PauseTrial?
  private let appTrial: AppTrial<Tested>
  private let lifeTrial: LifeTrial<Tested>
  private let dwells: DwellSettings
  private let rests: RestPlan
  private let motionSource: MotionSource?

  /// - Parameters:
  ///   - seed: determines all draws.
  ///   - chosen: the receiver of the same journey; nil: the seed draws the receiver.
  ///   - wrap: wraps the engine in the engine under test.
  public init(seed: UInt64, generation chosen: Generation? = nil, wrap: (Engine) -> Tested) {
    var random = Random(seed: seed)
    let common: Generation = random.chance(0.5) ? .m10 : .m8
    // Separate random numbers, so that a journey is the same with every receiver.
    var apart = Random(seed: ~seed)
    let others = [Generation.six, .seven, .m10SPG530]
    let drawn = apart.chance(0.4) ? common : others[Int(apart.next() % 3)]
    generation = chosen ?? drawn
    let start = [StartKind.hot, .hot, .hot, .warm, .cold][Int(random.next() % 5)]
    let paths = [Body.Path.still, .journey, .walk, .motorway]
    let drawnPath = paths[Int(random.next() % UInt64(paths.count))]
    rests = RestPlan(seed: seed)
    let path = rests.path ?? drawnPath
    plan = FaultPlan(random: &random)
    script = ClientScript(plan: plan, path: path, random: &random)
    kind = random.chance(0.8) ? .uart : .pseudoTerminal
    var world = World(
      utcAtZero: UTCTime(
        secondsSince1970: 1_790_000_000 + Int64(random.next() % 20_000_000),
        nanoseconds: Int64(random.next() % 1_000_000_000)),
      body: Body(path: path), departure: rests.departure, skies: plan.skies)
    world.threats = FaultPlan.threats(random: &apart)
    trial = ThreatTrial(generation: generation, random: &apart)
    statePlan = StatePlan(random: &apart)
    var asleep = Random(seed: seed ^ 0x51EE9)
    var apartToo = Random(seed: seed ^ 0xE27)
    wire = WakeWire(random: &apartToo)
    sleepTrial = SleepTrial(hasWire: wire != nil, random: &asleep)
    var receiver = SimulatedReceiver(
      generation: generation, world: world, start: start, seed: random.next(),
      chunk: random.chance(0.2) ? 8 : 64, oddities: sleepTrial?.oddities ?? [], at: .zero)
    if let speed = plan.keptSpeed { receiver.keepSpeed(speed) }
    self.receiver = receiver
    let lastSpeeds: [Int?] = [nil, 9_600, 115_200]
    var configuration = Configuration(
      lastSpeed: lastSpeeds[Int(random.next() % 3)])
    configuration.apps = [
      AppDeclaration(
        identifier: OutstandingLedger.backgroundApp, hasBackgroundLocation: true,
        whenInUseText: "Records the route of this vehicle.")
    ]
    configuration.track = SeedRun.track(seed: seed)
    configuration.power.hasWakeLine = wire != nil
    rests.adjust(&configuration)
    motionSource = MotionSource(rests, world: world, seed: seed)
    dwells = configuration.motion.dwells
    pauseTrial = PauseTrial(dwells: dwells, seed: seed)
    engine = wrap(Engine(configuration: configuration, seed: random.next()))
    busTrial = BusTrial(seed: seed, wrap: wrap)
    appTrial = AppTrial(seed: seed, wrap: wrap)
    lifeTrial = LifeTrial(seed: seed, wrap: wrap)
    scene =
      "\(generation.rawValue) \(start.rawValue) \(path.rawValue)"
      + (plan.kinds.map(\.rawValue) + world.threats.map(\.kind.rawValue) + rests.words)
      .map { " " + $0 }.joined()
    // A search of all speeds, a configuration at 9600 baud, and the start after a restart at the last moment.
    let starting: Int64 =
      switch start {
      case .hot: 15
      case .warm: 40
      case .cold: 70
      }
    recoveryMax = .seconds(45 + starting)
    self.random = random
  }

  /// Half of the boards keep their track; separate random numbers keep the rest of the journey the same.
  private static func track(seed: UInt64) -> TrackSettings? {
    var random = Random(seed: seed ^ 0x7_2AC)
    guard random.chance(0.5) else { return nil }
    let accuracy: TrackSettings.Accuracy = random.chance(0.8) ? .full : .reduced
    return TrackSettings(
      accuracy: accuracy, period: .milliseconds(random.chance(0.5) ? 100 : 1_000), daysKept: 1)
  }

  /// Runs to the end, or to the first broken rule.
  ///
  /// - Parameter transcribe: gets a line for every event, effect and fault.
  /// - Returns: the verdict of the run.
  public func finish(transcribe: ((String) -> Void)? = nil) -> Verdict {
    var board = SimulatedBoard(
      engine: engine, receiver: receiver, plan: plan, script: script, statePlan: statePlan,
      kind: kind, random: random,
      transcribe: transcribe, dwells: dwells, rests: rests, motionSource: motionSource, wire: wire)
    board.run(until: plan.end)
    // A daemon that has died since may have sent the receiver to sleep, without any means to wake it.
    var start = plan.end
    while board.checkers.violations.isEmpty, board.now < start + recoveryMax,
      recovery(of: board) == nil
    {
      if wire == nil { start = max(start, board.receiver.deafUntil ?? start) }
      board.run(until: board.now + .seconds(1))
    }
    if board.checkers.violations.isEmpty, recovery(of: board) == nil {
      board.checkers.fail("no fix for \(recoveryMax.seconds) s after the last fault")
    }
    // Some seconds without faults.
    board.run(until: max(board.now + .seconds(5), rests.end))
    let recovery = recovery(of: board)
    // A receiver that sleeps reports no threat.
    if dwells == DwellSettings() { trial?.run(on: &board) }
    sleepTrial?.run(on: &board)
    if board.checkers.violations.isEmpty, let violation = busTrial?.run() {
      board.checkers.fail(violation)
    }
    pauseTrial?.run(on: &board)
    board.askForReport()
    if board.checkers.violations.isEmpty, let violation = appTrial.run(transcribe: transcribe).first
    {
      board.checkers.fail("with apps, \(violation)")
    }
    if board.checkers.violations.isEmpty,
      let violation = lifeTrial.run(transcribe: transcribe).first
    {
      board.checkers.fail("with a launcher, \(violation)")
    }
    return Verdict(
      violations: board.checkers.violations, scene: scene, fixCount: board.checkers.fixCount,
      sleepCount: board.receiver.counters.sleeps, recovery: recovery)
  }

  private func recovery(of board: SimulatedBoard<Tested>) -> Interval? {
    if board.checkers.isSteadyPaused { return max(board.now - plan.end, .zero) }
    guard let fixAt = board.checkers.steadyFixAt, fixAt > plan.end else { return nil }
    return fixAt - plan.end
  }
}

extension SeedRun where Tested == Engine {
  /// The run of a seed with the engine itself.
  public init(seed: UInt64, generation: Generation? = nil) {
    self.init(seed: seed, generation: generation) { $0 }
  }
}

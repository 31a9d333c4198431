import BinnacleBasics
import BinnacleModel
import LocationEngine

/// A board of its own beside the journey of a seed, with apps of several users and a person who answers.
///
/// Random numbers of its own keep the journey of the seed as it is. After 40 s of faults an app asks, is allowed, gets
/// locations, goes on in the background while the lamp is lit, and is denied.
struct AppTrial<Tested: EngineUnderTest> {
  private let engine: Tested
  private let receiver: SimulatedReceiver
  private let plan: FaultPlan
  private let script: ClientScript
  private let statePlan: StatePlan
  private let crowd: AppCrowd
  private let random: Random

  private static var app: ClientID { ClientID(number: 20_000) }
  private static var name: String { AppCrowd.manifests[0].identifier }
  /// The time for a search of the receiver and a first fix, after all faults.
  private static var fixMax: Interval { .seconds(75) }
  /// The time until a line that was lost is claimed again, and until the next fix.
  private static var lampMax: Interval { .seconds(40) }

  init(seed: UInt64, wrap: (Engine) -> Tested) {
    var random = Random(seed: seed ^ 0xA995)
    let hasFaults = random.chance(0.5)
    plan = hasFaults ? FaultPlan(random: &random) : .none
    statePlan = StatePlan(ofApps: &random)
    let paths = [Body.Path.journey, .walk, .motorway]
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000),
      body: Body(path: paths[Int(random.next() % 3)]), skies: plan.skies)
    var receiver = SimulatedReceiver(
      generation: random.chance(0.5) ? .m10 : .m8, world: world, start: .hot, seed: random.next(),
      chunk: 64, oddities: [], at: .zero)
    if let speed = plan.keptSpeed { receiver.keepSpeed(speed) }
    self.receiver = receiver
    script = random.chance(0.4) ? .steady : .none
    var configuration = Configuration()
    configuration.apps = AppCrowd.manifests
    configuration.bootID = "7d4b2a5e-93c1-4f60-8a1d-0c6e5b27f9a3"
    configuration.panel.hasIndicator = true
    configuration.panel.hasIndicatorSense = random.chance(0.3)
    configuration.panel.buttons = SimulatedPanel.buttons.map { .init(name: $0) }
    // HOME has an effect at the instant of its release, so that the ledger knows the app in the foreground.
    configuration.panel.buttons[0].debounce = .zero
    if random.chance(0.3) { configuration.consent.promptTimeout = .seconds(4) }
    crowd = AppCrowd(random: Random(seed: random.next()), failsDisk: statePlan.failsDisk)
    engine = wrap(Engine(configuration: configuration, seed: random.next()))
    self.random = random
  }

  /// Runs the trial and returns the broken rules.
  func run(transcribe: ((String) -> Void)? = nil) -> [String] {
    finish(transcribe: transcribe).checkers.violations
  }

  /// The board after the trial.
  func finish(transcribe: ((String) -> Void)? = nil) -> SimulatedBoard<Tested> {
    var board = SimulatedBoard(
      engine: engine, receiver: receiver, plan: plan, script: script, statePlan: statePlan,
      kind: .uart, random: random, transcribe: transcribe, crowd: crowd)
    board.run(until: .zero + .milliseconds(40_500))
    if board.checkers.violations.isEmpty { board.mend() }
    // A press that began before may last two seconds.
    board.run(until: .zero + .seconds(44))
    askAndAllow(&board)
    expect(
      "no location for an app that was allowed in the foreground", on: &board,
      within: AppTrial.fixMax)
    goOn(&board)
    deny(&board)
    return board
  }

  /// An app asks in the foreground, and is allowed.
  private func askAndAllow(_ board: inout SimulatedBoard<Tested>) {
    guard board.checkers.violations.isEmpty else { return }
    board.command(.reset(app: AppTrial.name))
    board.run(until: board.now + .milliseconds(200))
    let peer = Peer(
      userID: AppCrowd.userIDs[0], processID: 20_000, app: AppCrowd.app(0),
      hasTerminal: false, file: ProgramFile(device: 1, number: 70, changeTimeNanoseconds: 1))
    board.occur(.client(AppTrial.app, .connected(peer, program: "app")))
    ask(by: .authorizationRequest(isAlways: false), on: &board)
    ask(by: .backgroundActivity, on: &board)
    guard board.checkers.violations.isEmpty else { return }
    board.occur(.client(AppTrial.app, .updatesOpened(SequenceID(number: 1), .default)))
    board.command(.foreground(app: AppTrial.name))
    board.command(.prompts)
    board.run(until: board.now + .milliseconds(300))
    board.command(.allow(app: AppTrial.name, .whenInUse, isReduced: false))
    board.run(until: board.now + .milliseconds(300))
    board.command(.prompts)
  }

  /// The app asks in the foreground by one object and without updates; the end of the object withdraws the request.
  private func ask(by session: AppSession, on board: inout SimulatedBoard<Tested>) {
    guard board.checkers.violations.isEmpty else { return }
    let id = SessionID(number: 2)
    board.occur(.client(AppTrial.app, .sessionOpened(id, session)))
    board.command(.foreground(app: AppTrial.name))
    board.command(.prompts)
    board.run(until: board.now + .milliseconds(100))
    board.occur(.client(AppTrial.app, .sessionClosed(id)))
    board.command(.prompts)
    board.run(until: board.now + .milliseconds(100))
  }

  /// The app holds a session, and goes on in the background.
  private func goOn(_ board: inout SimulatedBoard<Tested>) {
    guard board.checkers.violations.isEmpty else { return }
    board.occur(
      .client(AppTrial.app, .sessionOpened(SessionID(number: 1), .backgroundActivity)))
    board.command(.background(app: AppTrial.name))
    expect(
      "no location in the background, although the lamp can be lit", on: &board,
      within: AppTrial.lampMax)
  }

  private func deny(_ board: inout SimulatedBoard<Tested>) {
    guard board.checkers.violations.isEmpty else { return }
    board.command(.deny(app: AppTrial.name))
    board.run(until: board.now + .seconds(6))
  }

  private func expect(
    _ complaint: String, on board: inout SimulatedBoard<Tested>, within limit: Interval
  ) {
    func count() -> Int { board.checkers.rights?.fixCount(of: AppTrial.app) ?? 0 }
    let before = count()
    let end = board.now + limit
    while board.checkers.violations.isEmpty, board.now < end, count() == before {
      board.run(until: board.now + .seconds(1))
    }
    if board.checkers.violations.isEmpty, count() == before { board.checkers.fail(complaint) }
  }
}

import BinnacleBasics
import BinnacleModel
import LocationEngine

/// A third board beside the journey of a seed, on which a launcher runs the apps.
///
/// Random numbers of its own keep the rest of the seed as it is. After the faults a person starts an app, which gets
/// locations, goes on in the background, is launched again after a crash, and is closed.
struct LifeTrial<Tested: EngineUnderTest> {
  private let board: (((String) -> Void)?) -> LifeBoard<Tested>
  private let plan: LifePlan

  private static var name: String { LifeCrowd.manifests[0].identifier }
  private static var app: Int { 0 }

  /// - Parameters:
  ///   - seed: determines all draws, and whether the lamp fails.
  ///   - flaw: the flaw of a deliberately broken launcher.
  ///   - wrap: wraps the engine in the engine under test.
  init(seed: UInt64, flaw: SimulatedLauncher.Flaw? = nil, wrap: (Engine) -> Tested) {
    var random = Random(seed: seed ^ 0x11FE)
    // One seed in nine has a lamp that fails; the other draws of a seed do not depend on it.
    let lampFaults = seed % 9 == 4 ? Random(seed: seed) : nil
    let plan = LifePlan(random: &random, lampFaults: lampFaults)
    self.plan = plan
    var configuration = Configuration()
    configuration.apps = LifeCrowd.manifests
    configuration.panel.hasIndicator = true
    configuration.panel.buttons = [.init(name: "HOME")]
    // HOME has an effect at the instant of its release, so that the ledger knows the app in the foreground.
    configuration.panel.buttons[0].debounce = .zero
    // Shorter times make more happen in a run.
    configuration.consent.backgroundGrace = .seconds(random.chance(0.5) ? 3 : 10)
    configuration.clients.rejoinWindow = .seconds(random.chance(0.5) ? 4 : 10)
    configuration.life.runTime = .seconds(random.chance(0.6) ? 3 : 10)
    configuration.life.wakeInterval = .seconds(random.chance(0.6) ? 15 : 60)
    if random.chance(0.3) { configuration.life.queueMax = 20 }
    let model = RightsModel(
      manifests: LifeCrowd.manifests, others: [], grace: configuration.consent.backgroundGrace,
      window: configuration.clients.rejoinWindow)
    let ledger = LifeLedger(model, configuration.life)
    let crowd = LifeCrowd(random: Random(seed: random.next()))
    let engine = wrap(Engine(configuration: configuration, seed: random.next()))
    let last = Random(seed: random.next())
    board = { transcribe in
      LifeBoard(
        engine: engine, plan: plan, ledger: ledger, crowd: crowd, flaw: flaw, random: last,
        transcribe: transcribe)
    }
  }

  /// Runs the trial and returns the broken rules.
  func run(transcribe: ((String) -> Void)? = nil) -> [String] {
    finish(transcribe: transcribe).violations
  }

  /// The board after the trial.
  func finish(transcribe: ((String) -> Void)? = nil) -> LifeBoard<Tested> {
    var board = board(transcribe)
    board.run(until: plan.end)
    board.mend()
    // A process that a person has started is not closed by the launcher, and the pace of launches would go on.
    board.killAll(LifeTrial.app)
    board.run(until: board.now + .seconds(2))
    board.command(.quit(app: LifeTrial.name))
    board.run(until: board.now + .seconds(8))
    board.killAll(LifeTrial.app)
    board.run(until: board.now + .seconds(2))
    board.command(.allow(app: LifeTrial.name, .whenInUse))
    board.run(until: board.now + .milliseconds(200))
    board.start(LifeTrial.app)
    expectLocations("after a person has started it", on: &board)
    board.command(.background(app: LifeTrial.name))
    board.run(until: board.now + .seconds(12))
    expectLocations("in the background", on: &board)
    board.killAll(LifeTrial.app)
    expectLocations("after its crash", on: &board)
    board.command(.quit(app: LifeTrial.name))
    board.run(until: board.now + .seconds(20))
    if board.processes.isLaunched(LifeTrial.app) {
      board.check("an app runs after a person has closed it: \(LifeTrial.name)")
    }
    return board
  }

  private func expectLocations(_ when: String, on board: inout LifeBoard<Tested>) {
    let before = board.ledger.counts.locations[LifeTrial.app]
    let end = board.now + .seconds(25)
    func isServed(_ board: LifeBoard<Tested>) -> Bool {
      board.ledger.counts.locations[LifeTrial.app] > before + 1
    }
    while board.violations.isEmpty, board.now < end, !isServed(board) {
      board.run(until: board.now + .seconds(1))
    }
    if !isServed(board) { board.check("no locations for an app \(when): \(LifeTrial.name)") }
  }
}

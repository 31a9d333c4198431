import BinnacleBasics
import BinnacleModel
import LocationEngine

/// A last phase of some runs: a receiver on an I2C bus sleeps, wakes only by its pin EXTINT, and delivers a fix soon.
struct BusTrial<Tested: EngineUnderTest> {
  private let board: BusBoard<Tested>
  private let minutes: Double
  private let loses: Bool

  private static var client: ClientID { ClientID(number: 1) }
  /// The wait before the receiver is switched off, the first short sleep, and the check that the receiver wakes.
  private static var untilAsleep: Double { 120 }
  /// The time for the probe of the receiver, the wakeup and a hot start.
  private static var untilFix: Double { 12 }
  private static var onMax: Interval { .seconds(15) }

  /// Draws whether a run has this phase, from its own random numbers; nil when it has none.
  init?(seed: UInt64, wrap: (Engine) -> Tested) {
    var random = Random(seed: seed ^ 0xDDC)
    guard random.chance(0.12) else { return nil }
    minutes = 1 + 200 * random.unit()
    loses = random.chance(0.3)
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .still))
    let device = SimulatedDDC(
      generation: random.chance(0.5) ? .m10 : .m8, world: world, start: .hot, seed: random.next(),
      oddities: random.chance(0.2) ? [.slowStart] : [], at: .zero)
    var configuration = Configuration()
    configuration.power.hasWakeLine = true
    board = BusBoard(
      engine: wrap(Engine(configuration: configuration, seed: random.next())), device: device,
      wire: WakeWire())
  }

  /// Runs the phase and returns the broken rule.
  func run() -> String? {
    var board = board
    board.handle(.started)
    board.handle(
      .client(
        Self.client, .connected(Peer(userID: 0, processID: 7, isOperator: true), program: "trial")))
    board.handle(.client(Self.client, .updatesOpened(SequenceID(number: 1), .default)))
    board.run(seconds: 30)
    guard hasFix(&board, since: 0) else { return "no fix over I2C" }
    board.handle(.client(Self.client, .updatesClosed(SequenceID(number: 1))))
    board.run(seconds: Self.untilAsleep)
    guard board.device.receiver.isAsleep else { return "it does not sleep on I2C" }
    if loses { board.plugLine(false) }
    let on = board.device.receiver.timeOn(at: board.now)
    board.run(seconds: minutes * 30)
    if loses { board.plugLine(true) }
    board.run(seconds: minutes * 30 + 31)
    if board.device.receiver.timeOn(at: board.now) - on > Self.onMax {
      return "it does not go on sleeping on I2C"
    }
    let count = board.effects.count
    board.handle(.client(Self.client, .updatesOpened(SequenceID(number: 2), .default)))
    board.run(seconds: Self.untilFix)
    return hasFix(&board, since: count) ? nil : "no fix so soon after its sleep on I2C"
  }

  private func hasFix(_ board: inout BusBoard<Tested>, since count: Int) -> Bool {
    board.effects[count...].contains { effect in
      if case .client(_, .deliver(_, let update)) = effect { update.fix != nil } else { false }
    }
  }
}

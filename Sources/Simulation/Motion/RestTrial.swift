import BinnacleBasics
import BinnacleModel
import LocationEngine

/// An app on a board that does not move, with the data of a real receiver and a real accelerometer.
///
/// The trial runs the whole engine with the shipped settings. The engine's commands get no answer, so that the receiver
/// stays awake and its speeds count all the time.
struct RestTrial: Sendable {
  /// The updates that the app got.
  struct Outcome: Equatable, Sendable {
    /// The number of updates that report a resting board.
    var stationaryCount = 0
    var updateCount = 0
    var unavailableCount = 0
    /// The length of the path through the app's locations, in meters.
    var meters = 0.0
    /// The length of that path from the first stationary update on.
    var metersSinceRest = 0.0
  }

  private static let client = ClientID(number: 1)
  private static let metersPerDegree = 111_195.0
  /// The interval at which a chip's buffer is read, and the delay of a solution after its time.
  private static let tick = Interval.milliseconds(250)

  private var engine: Engine
  private var jitter: RestJitter
  private var tremor: RestTremor?
  private var now = Instant.zero
  private var outcome = Outcome()
  private var last: Fix?

  /// - Parameters:
  ///   - jitter: the solutions of the receiver.
  ///   - tremor: the samples of the accelerometer; nil: there is none.
  ///   - pauses: whether updates pause; without pauses the app gets all updates.
  init(_ jitter: RestJitter, _ tremor: RestTremor?, pauses: Bool = true) {
    self.jitter = jitter
    self.tremor = tremor
    var configuration = Configuration()
    configuration.hasAccelerometer = tremor != nil
    if !pauses { configuration.motion.dwells.default = .seconds(1_000_000_000) }
    engine = Engine(configuration: configuration, seed: 1)
  }

  /// Plays for this duration.
  mutating func run(_ length: Interval) -> Outcome {
    send(.started)
    send(.receiver(.opened(.init(kind: .pseudoTerminal, speed: 38_400))))
    send(
      .client(
        RestTrial.client,
        .connected(Peer(userID: 0, processID: 1, isOperator: true), program: "app")))
    send(.client(RestTrial.client, .updatesOpened(SequenceID(number: 1), .default)))
    let end = now + length
    var nextSolution = now + RestTrial.tick
    while now < end {
      now += RestTrial.tick
      if let batch = tremor?.batch(until: now) { send(.accelerometer(.samples(batch))) }
      while nextSolution <= now {
        nextSolution += jitter.period
        send(.receiver(.bytesArrived(jitter.next())))
      }
    }
    return outcome
  }

  private mutating func send(_ event: Event) {
    while let due = engine.nextDeadline, due <= now { handle(.deadlineReached, at: due) }
    handle(event, at: now)
  }

  private mutating func handle(_ event: Event, at instant: Instant) {
    var effects: [Effect] = []
    engine.handle(event, at: instant, into: &effects)
    for effect in effects {
      if case .client(_, .deliver(_, let update)) = effect { count(update) }
      if case .receiver(.setSpeed(let speed)) = effect {
        handle(.receiver(.speedChanged(speed)), at: instant)
      }
      if case .receiver(.open(let speed)) = effect {
        handle(.receiver(.opened(.init(kind: .pseudoTerminal, speed: speed))), at: instant)
      }
    }
  }

  private mutating func count(_ update: Update) {
    outcome.updateCount += 1
    let isPause = update.flags.contains(.stationary)
    if isPause { outcome.stationaryCount += 1 }
    if update.flags.contains(.locationUnavailable) { outcome.unavailableCount += 1 }
    guard let fix = update.fix else { return }
    if let last {
      let step = RestTrial.meters(from: last, to: fix)
      outcome.meters += step
      if outcome.stationaryCount > (isPause ? 1 : 0) { outcome.metersSinceRest += step }
    }
    last = fix
  }

  private static func meters(from: Fix, to: Fix) -> Double {
    let north = (to.latitude - from.latitude) * metersPerDegree
    let east = (to.longitude - from.longitude) * metersPerDegree * cosine(degrees: from.latitude)
    return (north * north + east * east).squareRoot()
  }
}

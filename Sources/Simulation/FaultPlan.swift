public import BinnacleBasics
public import BinnacleModel
import LocationEngine

/// The faults of one run, drawn from its seed: first the kinds of faults, then their severity and their times.
public struct FaultPlan: Sendable {
  /// Kinds of faults; a run has some of these kinds.
  public enum Kind: String, CaseIterable, Sendable {
    case flippedBits, lostBytes, otherSpeedAtStart, restart, silence, unplug, slowDrain
    case speedRefused, wallClock, clientsComeAndGo, hostileNumbers, deviceAbsentAtStart, lateTimers
    case tunnel
  }

  /// An action at an instant.
  public enum Action: Equatable, Sendable {
    case restartReceiver
    case silence(Bool)
    case unplug
    case replug
    /// From now on the device is busy, missing or not permitted; nil: the device can be opened.
    case refuseOpening(ReceiverFailure?)
    /// Sets the wall clock to so many seconds beside the true time.
    case stepWallClock(seconds: Int64)
    /// From now on no byte is damaged, drains are quick, and timers are punctual.
    case faultsEnd
  }

  public let kinds: [Kind]
  /// The probability that a bit of a byte is flipped, and the probability that a byte is lost.
  public let flipChance: Double
  public let lossChance: Double
  /// The speed that an owner has stored in the receiver; nil: as delivered.
  public let keptSpeed: Int?
  public let drainDelayMilliseconds: Double
  public let timerDelayMilliseconds: Double
  /// The only speed that the line accepts; nil: every speed.
  public let onlySpeed: Int?
  public let skies: [World.Sky]
  public let actions: [(at: Instant, action: Action)]
  /// The instant from which everything works.
  public let end: Instant

  static let faultSeconds: Int64 = 40

  /// A plan without faults.
  static let none = FaultPlan(lossChance: 0, actions: [(.zero, .faultsEnd)])

  /// Loses each byte in either direction with this probability, during the whole run.
  static func loss(_ chance: Double) -> FaultPlan { FaultPlan(lossChance: chance, actions: []) }

  private init(lossChance: Double, actions: [(at: Instant, action: Action)]) {
    kinds = []
    flipChance = 0
    self.lossChance = lossChance
    keptSpeed = nil
    drainDelayMilliseconds = 0
    timerDelayMilliseconds = 0
    onlySpeed = nil
    skies = [World.Sky(start: .zero, visibility: 1)]
    self.actions = actions
    end = .zero
  }

  init(random: inout Random) {
    var kinds: [Kind] = []
    for kind in Kind.allCases where random.chance(0.3) { kinds.append(kind) }
    self.kinds = kinds
    let end = Instant.zero + .seconds(Self.faultSeconds)
    self.end = end
    func has(_ kind: Kind) -> Bool { kinds.contains(kind) }
    flipChance = has(.flippedBits) ? 0.0005 + 0.01 * random.unit() * random.unit() : 0
    lossChance = has(.lostBytes) ? 0.0005 + 0.01 * random.unit() * random.unit() : 0
    let speeds = [4_800, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
    // The reference does not list 4800 and 19200, so no driver must find these speeds.
    let found = Array(speeds.dropFirst(2))
    keptSpeed =
      has(.otherSpeedAtStart) ? found[Int(random.next() % UInt64(found.count))] : nil
    drainDelayMilliseconds = has(.slowDrain) ? 300 * random.unit() : 0
    timerDelayMilliseconds = has(.lateTimers) ? 80 * random.unit() : 0
    onlySpeed = has(.speedRefused) && keptSpeed == nil ? 9_600 : nil
    skies = FaultPlan.skies(hasTunnel: has(.tunnel), random: &random)
    var actions: [(Instant, Action)] = [(end, .faultsEnd)]
    FaultPlan.addActions(to: &actions, kinds: kinds, random: &random)
    self.actions = actions.sorted { $0.0 < $1.0 }.map { (at: $0.0, action: $0.1) }
  }

  private static func skies(hasTunnel: Bool, random: inout Random) -> [World.Sky] {
    var skies = [World.Sky(start: .zero, visibility: 1)]
    guard hasTunnel else { return skies }
    let start = within(8...25, &random)
    skies.append(World.Sky(start: start, visibility: random.chance(0.5) ? 0 : 0.2))
    skies.append(
      World.Sky(
        start: start + Interval.milliseconds(3_000 + Int64(9_000 * random.unit())), visibility: 1))
    return skies
  }

  /// Draws interference and false signals during the time of faults: some kinds, in some runs.
  static func threats(random: inout Random) -> [World.Threat] {
    var threats: [World.Threat] = []
    for kind in World.Threat.Kind.allCases where random.chance(0.15) {
      let start = within(3...30, &random)
      let end = min(within(4...20, &random) + (start - .zero), .zero + .seconds(faultSeconds))
      threats.append(World.Threat(kind: kind, start: start, end: end))
    }
    return threats
  }

  private static func addActions(
    to actions: inout [(Instant, Action)], kinds: [Kind], random: inout Random
  ) {
    for kind in kinds {
      switch kind {
      case .restart:
        for _ in 0..<(1 + Int(random.next() % 2)) {
          actions.append((within(2...38, &random), .restartReceiver))
        }
      case .silence:
        let start = within(2...30, &random)
        actions.append((start, .silence(true)))
        actions.append((start + .milliseconds(Int64(9_000 * random.unit())), .silence(false)))
      case .unplug:
        let start = within(1...30, &random)
        actions.append((start, .unplug))
        actions.append((start + .milliseconds(100 + Int64(8_000 * random.unit())), .replug))
      case .wallClock:
        actions.append((.zero, .stepWallClock(seconds: -1_790_000_000 + Int64(random.next() % 5))))
        let later = Int64(random.next() % 20_000) - 10_000
        actions.append((within(1...39, &random), .stepWallClock(seconds: later)))
        actions.append((within(1...39, &random), .stepWallClock(seconds: 0)))
      case .deviceAbsentAtStart:
        let faults: [ReceiverFailure] = [.missing, .busy, .notPermitted]
        actions.append((.zero, .refuseOpening(faults[Int(random.next() % 3)])))
        actions.append((within(1...35, &random), .refuseOpening(nil)))
      case .flippedBits, .lostBytes, .otherSpeedAtStart, .slowDrain, .speedRefused,
        .clientsComeAndGo, .hostileNumbers, .lateTimers, .tunnel:
        break
      }
    }
  }

  private static func within(_ range: ClosedRange<Double>, _ random: inout Random) -> Instant {
    let seconds = range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    return Instant(nanoseconds: Int64(seconds * 1e9))
  }
}

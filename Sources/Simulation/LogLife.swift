import BinnacleBasics
import StateLog

/// The operations, failing calls and power cuts of one log in sequence, drawn from a seed.
public protocol LogLife {
  associatedtype Disk: StateDisk

  /// The maximum number of steps between two power cuts.
  static var stepsMax: Int { get }
  /// The number of disk calls within which a planned fault occurs.
  static var callsMax: Int { get }

  var course: LifeCourse<Disk> { get set }

  /// Creates a life that the seed determines.
  init(seed: UInt64)

  /// Performs one operation on the log.
  mutating func step()
}

/// The progress and the result of a log's life so far.
public struct LifeCourse<Disk: StateDisk> {
  public internal(set) var cutCount = 0
  public internal(set) var failureCount = 0
  /// The broken rule; nil when none is broken.
  public internal(set) var violation: String?
  /// The number of acknowledged commits, and the number of copies into the other segment among them.
  public var commitCount: Int { trial.commitCount }
  public var compactionCount: Int { trial.compactionCount }
  var random: Random
  var trial: StateTrial<Disk>
  private var choices: Choices
  private let rule: StateTrial<Disk>.Rule?

  /// - Parameters:
  ///   - rule: the only rule to check; nil checks all rules.
  ///   - seed: determines all draws.
  ///   - drawGeometry: draws the layout.
  init(
    lookingAt rule: StateTrial<Disk>.Rule?, seed: UInt64,
    _ drawGeometry: (inout Random) -> LogGeometry?
  ) {
    self.rule = rule
    var random = Random(seed: seed)
    choices = Choices(seed: random.next())
    guard let geometry = drawGeometry(&random) else {
      preconditionFailure("every such layout is allowed")
    }
    trial = StateTrial(geometry: geometry)
    self.random = random
  }

  /// Draws the next fault.
  fileprivate mutating func plan(callsMax: Int) {
    let call = Int.random(in: 0..<callsMax, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0...4: trial.expect(.cut(call: call))
    case 5, 6:
      let faults: [BlockFault] = [.noSpace, .inputOutput, .readOnly, .other(5)]
      let damage = SimulatedDisk.Damage.allCases[Int.random(in: 0..<3, using: &random)]
      let fault = faults[Int.random(in: 0..<4, using: &random)]
      trial.expect(.fail(.init(call: call, fault: fault, damage: damage)))
      failureCount += 1
    default: trial.expect(.nothing)
    }
  }

  fileprivate mutating func cutPower() {
    trial.cutPower(&choices)
    cutCount += 1
    violation = trial.violations.first { rule == nil || $0.rule == rule }?.description
  }
}

extension LogLife {
  /// Runs until the power was cut so many times, or until a rule is broken.
  public mutating func run(cuts: Int) {
    while course.cutCount < cuts, course.violation == nil {
      course.plan(callsMax: Self.callsMax)
      let count = Int.random(in: 1...Self.stepsMax, using: &course.random)
      for _ in 0..<count where !course.trial.disk.isOff { step() }
      course.cutPower()
    }
  }
}

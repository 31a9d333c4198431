import BinnacleBasics
import StateLog

/// The life of a log under a seed: what is done to it, failing calls and power cuts, one after the other.
public protocol LogLife {
  associatedtype Disk: StateDisk

  /// Between two power cuts at most so much is done.
  static var stepsMax: Int { get }
  /// What goes wrong does so within so many calls of the disk.
  static var callsMax: Int { get }

  var course: LifeCourse<Disk> { get set }

  /// All of it is drawn from the seed.
  init(seed: UInt64)

  /// Does something to the log.
  mutating func step()
}

/// How the life of a log has gone so far.
public struct LifeCourse<Disk: StateDisk> {
  public internal(set) var cutCount = 0
  public internal(set) var failureCount = 0
  /// What broke the rules; nil when nothing did.
  public internal(set) var violation: String?
  /// What the log has acknowledged, and how often that was a copy into the other segment.
  public var commitCount: Int { trial.commitCount }
  public var compactionCount: Int { trial.compactionCount }
  var random: Random
  var trial: StateTrial<Disk>
  private var choices: Choices
  private let rule: StateTrial<Disk>.Rule?

  /// - Parameters:
  ///   - rule: the only rule that is looked at; all of them when nil.
  ///   - seed: what everything is drawn from.
  ///   - drawGeometry: the layout.
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

  /// Draws what goes wrong next.
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
  /// Lives until the power was cut so often, or a rule is broken.
  public mutating func run(cuts: Int) {
    while course.cutCount < cuts, course.violation == nil {
      course.plan(callsMax: Self.callsMax)
      let count = Int.random(in: 1...Self.stepsMax, using: &course.random)
      for _ in 0..<count where !course.trial.disk.isOff { step() }
      course.cutPower()
    }
  }
}

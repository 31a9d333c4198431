import Basics
public import StateLog

/// The life of a log under a seed: operations, failing calls, kills and power cuts, one after the other.
public struct StateLife<Disk: StateDisk> {
  public private(set) var cutCount = 0
  public private(set) var failureCount = 0
  public private(set) var compactionCount = 0
  /// What broke the rules; nil when nothing did.
  public private(set) var violation: String?

  private var random: Random
  private var choices: Choices
  private var trial: StateTrial<Disk>
  private let recordCount: Int
  private let rule: StateTrial<Disk>.Rule?

  /// - Parameters:
  ///   - seed: what everything is drawn from.
  ///   - fixed: the layout; drawn, too, when nil.
  ///   - rule: the only rule that is looked at; all of them when nil.
  public init(
    seed: UInt64, geometry fixed: LogGeometry? = nil,
    lookingAt rule: StateTrial<Disk>.Rule? = nil
  ) {
    self.rule = rule
    var random = Random(seed: seed)
    choices = Choices(seed: random.next())
    let shift = Int.random(in: 9...12, using: &random)
    let blocks = Int.random(in: 8...20, using: &random)
    guard let geometry = fixed ?? LogGeometry(blockSize: 1 << shift, blocksPerSegment: blocks)
    else { preconditionFailure("every such layout is allowed") }
    trial = StateTrial(geometry: geometry)
    recordCount = Int.random(in: 2...30, using: &random)
    self.random = random
  }

  /// Lives until the power was cut so often, or a rule is broken.
  public mutating func run(cuts: Int) {
    while cutCount < cuts, violation == nil {
      plan()
      for _ in 0..<Int.random(in: 1...12, using: &random) where !trial.disk.isOff { step() }
      trial.cutPower(&choices)
      cutCount += 1
      violation = trial.violations.first { rule == nil || $0.rule == rule }?.description
    }
  }

  private mutating func plan() {
    let call = Int.random(in: 0..<24, using: &random)
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

  private mutating func step() {
    let place = trial.log?.acknowledgedBytes.lowerBound
    switch Int.random(in: 0..<20, using: &random) {
    case 0: trial.perform(.restart)
    case 1...3: trial.perform(.remove(name: Int.random(in: 0..<recordCount, using: &random)))
    default:
      let count = random.chance(0.8) ? 1 : Int.random(in: 2...5, using: &random)
      let values = (0..<count).map { _ in (name: drawName(), size: drawSize()) }
      trial.perform(.put(values))
    }
    if place != trial.log?.acknowledgedBytes.lowerBound { compactionCount += 1 }
  }

  private mutating func drawName() -> Int {
    Int.random(in: 0..<recordCount, using: &random)
  }

  /// Mostly small, sometimes over several blocks, rarely more than the log takes.
  private mutating func drawSize() -> Int {
    let payload = trial.geometry.payloadPerBlock
    if random.chance(0.85) { return Int.random(in: 8...120, using: &random) }
    if random.chance(0.9) { return Int.random(in: payload / 2...payload * 2, using: &random) }
    return trial.geometry.liveSizeMax + 1
  }
}

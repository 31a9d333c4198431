import Basics
import LocationEngine
import StateLog

/// The life of a log of tracks under a seed: stretches that are added while the oldest go, failing calls and power cuts.
///
/// Other than in the log of state a commit adds one large record and takes many away, nothing is ever changed, and the log is
/// always as full as it may be.
public struct TrackLife<Disk: StateDisk> {
  public private(set) var cutCount = 0
  public private(set) var failureCount = 0
  public private(set) var stretchCount = 0
  public private(set) var compactionCount = 0
  /// What broke the rules; nil when nothing did.
  public private(set) var violation: String?

  private var random: Random
  private var choices: Choices
  private var trial: StateTrial<Disk>
  private let rule: StateTrial<Disk>.Rule?
  private var nextNumber: UInt32 = 1

  /// What 60 points take: at rest, and with large numbers (`Docs/SPEC-state.md`).
  private static var sizes: ClosedRange<Int> { 300...1_500 }
  /// What goes with one commit at most.
  private static var removalsMax: Int { 200 }

  /// - Parameters:
  ///   - seed: what everything is drawn from.
  ///   - rule: the only rule that is looked at; all of them when nil.
  public init(seed: UInt64, lookingAt rule: StateTrial<Disk>.Rule? = nil) {
    self.rule = rule
    var random = Random(seed: seed)
    choices = Choices(seed: random.next())
    // As the real one, only shorter, so that it is full and moves often.
    let blocks = Int.random(in: 8...40, using: &random)
    guard let geometry = LogGeometry(blockSize: 4_096, blocksPerSegment: blocks) else {
      preconditionFailure("every such layout is allowed")
    }
    trial = StateTrial(geometry: geometry)
    self.random = random
  }

  /// Lives until the power was cut so often, or a rule is broken.
  public mutating func run(cuts: Int) {
    while cutCount < cuts, violation == nil {
      plan()
      for _ in 0..<Int.random(in: 1...30, using: &random) where !trial.disk.isOff { add() }
      trial.cutPower(&choices)
      cutCount += 1
      let broken = trial.violations.first { rule == nil || $0.rule == rule }
      violation = broken?.description
    }
  }

  private mutating func plan() {
    let call = Int.random(in: 0..<60, using: &random)
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

  /// Adds a stretch under a number of its own, with the oldest going as far as it needs their room, or because of their age.
  private mutating func add() {
    let place = trial.log?.acknowledgedBytes.lowerBound
    let size = Int.random(in: TrackLife.sizes, using: &random)
    let kept = (trial.log?.records.entries ?? []).sorted {
      TrackKey.number($0.name.key) ?? 0 < TrackKey.number($1.name.key) ?? 0
    }
    let room = trial.geometry.liveSizeMax - size - 64
    var rest = kept.reduce(0) { $0 + $1.change.encodedSize }
    var old = random.chance(0.02) ? Int.random(in: 0...20, using: &random) : 0
    var gone: [RecordName] = []
    for entry in kept.prefix(TrackLife.removalsMax) {
      guard rest > room || old > 0 else { break }
      rest -= entry.change.encodedSize
      old -= 1
      gone.append(entry.name)
    }
    trial.perform(.stretch(number: nextNumber, size: size, removing: gone))
    nextNumber += 1
    stretchCount += 1
    if place != trial.log?.acknowledgedBytes.lowerBound { compactionCount += 1 }
  }
}

import StateLog

/// Enumerates all courses of a few operations on a log.
///
/// The sweep covers each sequence of operations, a power cut or a failure at each call, and each state of each sector
/// after the cut. The known bugs of this kind in file systems show within three operations (CrashMonkey, OSDI 2018).
public struct StateSweep<Disk: StateDisk> {
  public typealias Trial = StateTrial<Disk>

  /// The number of tried power cuts.
  public private(set) var cutCount = 0
  /// The number of tried failing calls.
  public private(set) var failureCount = 0
  /// The number of trials that were left out, because an equal state was cut before.
  public private(set) var repeatCount = 0
  /// The cause of the first violation; nil when there was none.
  public private(set) var violation: String?

  private let geometry: LogGeometry
  /// The digests of the states that were cut.
  private var cutStates: Set<Int> = []

  public init?() {
    // Two sectors make a block, so that a block can tear, and the next compaction is always near.
    guard let geometry = LogGeometry(blockSize: 1_024, blocksPerSegment: 8) else { return nil }
    self.geometry = geometry
  }

  /// The operations: a record of one block, one of two, two at once, a removal, one too large, a restart.
  private static var alphabet: [Trial.Operation] {
    [
      .put([(0, 20)]), .put([(1, 1_200)]), .put([(0, 30), (9, 30)]), .remove(name: 0),
      .put([(2, 3_000)]), .restart,
    ]
  }

  /// Tries all sequences of up to so many operations.
  public mutating func run(lengthMax: Int) {
    for start in starts() {
      for length in 1...lengthMax { walk(start, [], length: length) }
    }
  }

  /// A new log, a log whose segment is nearly full, and a compacted log that is nearly full again.
  ///
  /// In the last log old commits lie at the place of the next commits.
  private func starts() -> [Trial] {
    let empty = Trial(geometry: geometry)
    var full = empty
    for number in 0..<6 { full.perform(.put([(number % 2 * 10, 20)])) }
    var second = full
    for number in 0..<8 { second.perform(.put([(number % 2 * 10, 20)])) }
    return [empty, full, second]
  }

  private mutating func walk(_ start: Trial, _ before: [Trial.Operation], length: Int) {
    for operation in StateSweep.alphabet {
      let operations = before + [operation]
      if operations.count < length {
        walk(start, operations, length: length)
      } else {
        cut(start, operations)
        fail(start, operations)
      }
      if violation != nil { return }
    }
  }

  /// Cuts the power at each call of the last operation; shorter sequences cover the earlier cuts.
  private mutating func cut(_ start: Trial, _ operations: [Trial.Operation]) {
    var ready = start
    for operation in operations.dropLast() { ready.perform(operation) }
    guard let last = operations.last else { return }
    var measured = ready
    measured.expect(.nothing)
    measured.perform(last)
    for call in 0..<max(1, measured.disk.callCount) {
      var struck = ready
      struck.expect(.cut(call: call))
      struck.perform(last)
      tryAllCuts(of: struck, "\(operations), cut at call \(call) of the last")
    }
  }

  /// Fails each call of the whole sequence in each way, continues, and cuts the power at the end.
  private mutating func fail(_ start: Trial, _ operations: [Trial.Operation]) {
    var measured = start
    measured.expect(.nothing)
    for operation in operations { measured.perform(operation) }
    for call in 0..<measured.disk.callCount {
      for damage in SimulatedDisk.Damage.allCases {
        var struck = start
        let fault: BlockFault = call % 2 == 0 ? .inputOutput : .noSpace
        struck.expect(.fail(.init(call: call, fault: fault, damage: damage)))
        for operation in operations { struck.perform(operation) }
        failureCount += 1
        tryAllCuts(of: struck, "\(operations), call \(call) fails (\(damage))")
      }
    }
  }

  private mutating func tryAllCuts(of trial: Trial, _ story: @autoclosure () -> String) {
    guard cutStates.insert(trial.digestBeforeCut).inserted else {
      repeatCount += 1
      return
    }
    var count = 0
    var found: String?
    Choices.all { choices in
      var end = trial
      end.cutPower(&choices)
      count += 1
      // A log that was read once must be readable again after another cut alone.
      end.cutPower(&choices)
      found = end.violations.first?.description
      return found == nil
    }
    cutCount += count
    if violation == nil, let found { violation = "\(story()): \(found)" }
  }
}

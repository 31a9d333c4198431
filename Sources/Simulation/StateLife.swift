import BinnacleBasics
public import StateLog

/// A life of the state log: records are put, removed and put again, and the program is killed at times.
public struct StateLife<Disk: StateDisk>: LogLife {
  public static var stepsMax: Int { 12 }
  public static var callsMax: Int { 24 }

  public var course: LifeCourse<Disk>
  private let recordCount: Int

  public init(seed: UInt64) {
    self.init(seed: seed, geometry: nil)
  }

  /// - Parameters:
  ///   - seed: determines all draws.
  ///   - fixed: the layout; nil: the seed draws the layout as well.
  ///   - rule: the only rule to check; nil checks all rules.
  public init(
    seed: UInt64, geometry fixed: LogGeometry?, lookingAt rule: StateTrial<Disk>.Rule? = nil
  ) {
    course = LifeCourse(lookingAt: rule, seed: seed) { random in
      let shift = Int.random(in: 9...12, using: &random)
      let blocks = Int.random(in: 8...20, using: &random)
      return fixed ?? LogGeometry(blockSize: 1 << shift, blocksPerSegment: blocks)
    }
    recordCount = Int.random(in: 2...30, using: &course.random)
  }

  public mutating func step() {
    switch Int.random(in: 0..<20, using: &course.random) {
    case 0: course.trial.perform(.restart)
    case 1...3: course.trial.perform(.remove(name: drawName()))
    default:
      let count = course.random.chance(0.8) ? 1 : Int.random(in: 2...5, using: &course.random)
      let values = (0..<count).map { _ in (name: drawName(), size: drawSize()) }
      course.trial.perform(.put(values))
    }
  }

  private mutating func drawName() -> Int {
    Int.random(in: 0..<recordCount, using: &course.random)
  }

  /// Mostly small, sometimes over several blocks, rarely more than the log accepts.
  private mutating func drawSize() -> Int {
    let payload = course.trial.geometry.payloadPerBlock
    if course.random.chance(0.85) { return Int.random(in: 8...120, using: &course.random) }
    if course.random.chance(0.9) {
      return Int.random(in: payload / 2...payload * 2, using: &course.random)
    }
    return course.trial.geometry.liveSizeMax + 1
  }
}

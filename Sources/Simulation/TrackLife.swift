import BinnacleBasics
import LocationEngine
import StateLog

/// The life of the log of tracks: stretches are added while the oldest go.
///
/// Other than in the log of state a commit adds one large record and takes many away, nothing is ever changed, and the log is
/// always as full as it may be.
public struct TrackLife<Disk: StateDisk>: LogLife {
  public static var stepsMax: Int { 30 }
  public static var callsMax: Int { 60 }

  public var course: LifeCourse<Disk>
  public private(set) var stretchCount = 0
  private var nextNumber: UInt32 = 1

  /// What 60 points take: at rest, and with large numbers (`Docs/SPEC-state.md`).
  private static var sizes: ClosedRange<Int> { 300...1_500 }
  /// What goes with one commit at most.
  private static var removalsMax: Int { 200 }

  public init(seed: UInt64) {
    self.init(seed: seed, lookingAt: nil)
  }

  /// - Parameters:
  ///   - seed: what everything is drawn from.
  ///   - rule: the only rule that is looked at; all of them when nil.
  public init(seed: UInt64, lookingAt rule: StateTrial<Disk>.Rule?) {
    // As the real one, only shorter, so that it is full and moves often.
    course = LifeCourse(lookingAt: rule, seed: seed) { random in
      LogGeometry(blockSize: 4_096, blocksPerSegment: Int.random(in: 8...40, using: &random))
    }
  }

  /// Adds a stretch under a number of its own, with the oldest going as far as it needs their room, or because of their age.
  public mutating func step() {
    let size = Int.random(in: TrackLife.sizes, using: &course.random)
    let kept = (course.trial.log?.records.entries ?? []).sorted {
      TrackKey.number($0.name.key) ?? 0 < TrackKey.number($1.name.key) ?? 0
    }
    let room = course.trial.geometry.liveSizeMax - size - 64
    var rest = kept.reduce(0) { $0 + $1.change.encodedSize }
    var old = course.random.chance(0.02) ? Int.random(in: 0...20, using: &course.random) : 0
    var gone: [RecordName] = []
    for entry in kept.prefix(TrackLife.removalsMax) {
      guard rest > room || old > 0 else { break }
      rest -= entry.change.encodedSize
      old -= 1
      gone.append(entry.name)
    }
    course.trial.perform(.stretch(number: nextNumber, size: size, removing: gone))
    nextNumber += 1
    stretchCount += 1
  }
}

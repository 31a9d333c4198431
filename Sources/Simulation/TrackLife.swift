import BinnacleBasics
import LocationEngine
import StateLog

/// A life of the track log: stretches are added while the oldest are removed.
///
/// Unlike in the state log, a commit adds one large record and removes many records, no record is ever changed, and the
/// log is always as full as possible.
public struct TrackLife<Disk: StateDisk>: LogLife {
  public static var stepsMax: Int { 30 }
  public static var callsMax: Int { 60 }

  public var course: LifeCourse<Disk>
  public private(set) var stretchCount = 0
  private var nextNumber: UInt32 = 1

  /// The size of 60 points: at rest, and with large numbers (`Docs/SPEC-state.md`).
  private static var sizes: ClosedRange<Int> { 300...1_500 }
  /// The maximum number of records that one commit removes.
  private static var removalsMax: Int { 200 }

  public init(seed: UInt64) {
    self.init(seed: seed, lookingAt: nil)
  }

  /// - Parameters:
  ///   - seed: determines all draws.
  ///   - rule: the only rule to check; nil checks all rules.
  public init(seed: UInt64, lookingAt rule: StateTrial<Disk>.Rule?) {
    // Like the log of a board, but shorter, so that the log is full and moves often.
    course = LifeCourse(lookingAt: rule, seed: seed) { random in
      LogGeometry(blockSize: 4_096, blocksPerSegment: Int.random(in: 8...40, using: &random))
    }
  }

  /// Adds a stretch with a new number; removes the oldest stretches when room is short or because of their age.
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

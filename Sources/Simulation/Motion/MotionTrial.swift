import BinnacleBasics
import Motion

/// A recording with its truth, played to several detectors at once.
public struct MotionTrial: Sendable {
  /// The truth and each detector's verdict, four times a second, from one second after the start.
  public struct Outcome: Equatable, Sendable {
    public var name: String
    /// 0 at rest, 1 moving, -1 unknown.
    public var labels: [Int]
    /// For each detector, whether its verdict was "stationary".
    public var verdicts: [[Bool]]

    /// Whether the recording has a truth to score by.
    public var hasTruth: Bool { labels.contains { $0 >= 0 } }

    /// Whether the recording may serve to choose rules: its name has an even hash (FNV-1a, 64 bits).
    ///
    /// The other recordings only confirm rules.
    var isForTuning: Bool {
      let hash = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      }
      return hash % 2 == 0
    }

    /// The recording's set: the part of its name before two underscores.
    var set: String {
      var end = name.startIndex
      while end < name.endIndex, !name[end...].hasPrefix("__") { end = name.index(after: end) }
      return String(name[..<end])
    }
  }

  private struct Change: Sendable {
    var instant: Instant
    var isStationary: Bool
  }

  private let name: String
  private var replay: MotionReplay
  private var solutions: SolutionVariant.Filter
  private let chip: ChipVariant?
  private var resampler: ChipVariant.Resampler?
  /// The first rows, which give the rate of the recording.
  private var early: [MotionRow] = []
  private var labels: [Int] = []
  private var changes: [[Change]]
  private var first: Instant?
  private var lastLabel = -1

  /// - Parameters:
  ///   - name: the name of the recording.
  ///   - settings: the settings of the detectors.
  ///   - solutions: the receiver that the detectors get speeds from.
  ///   - chip: the accelerometer that the detectors get samples from; nil: that of the recording.
  public init(
    name: String, settings: [MotionReplay.Setting], solutions: SolutionVariant = .asRecorded,
    chip: ChipVariant? = nil
  ) {
    self.name = name
    self.solutions = SolutionVariant.Filter(solutions)
    self.chip = chip
    replay = MotionReplay(settings: settings)
    changes = settings.map { _ in [] }
  }

  private static func hop(_ index: Int, after first: Instant) -> Instant {
    first + .seconds(1) + MotionWindow.hop * Int64(index)
  }

  public mutating func take(_ row: MotionRow) {
    guard let chip else { return judge(row) }
    if resampler == nil {
      early.append(row)
      if early.count < MotionTrial.earlyCount { return }
      resampler = ChipVariant.Resampler(chip, sourceHertz: MotionTrial.hertz(of: early))
      let rows = early
      early = []
      for row in rows { resample(row) }
    } else {
      resample(row)
    }
  }

  private mutating func resample(_ row: MotionRow) {
    var rows: [MotionRow] = []
    resampler?.take(row) { rows.append($0) }
    for row in rows { judge(row) }
  }

  /// The number of rows that give the rate of a recording.
  private static let earlyCount = 100

  /// Samples a second: the mean of some rows.
  private static func hertz(of rows: [MotionRow]) -> Double {
    guard let first = rows.first, let last = rows.last, last.instant > first.instant else {
      return 1
    }
    return Double(rows.count - 1) / (last.instant - first.instant).seconds
  }

  private mutating func judge(_ row: MotionRow) {
    let row = solutions.pass(row)
    let first = self.first ?? row.instant
    self.first = first
    while MotionTrial.hop(labels.count, after: first) < row.instant { labels.append(lastLabel) }
    lastLabel = row.label
    replay.take(row) { MotionTrial.keep($0, in: &changes) }
  }

  public mutating func finish() -> Outcome {
    replay.finish { MotionTrial.keep($0, in: &changes) }
    return Outcome(name: name, labels: labels, verdicts: changes.map(verdicts(of:)))
  }

  private static func keep(_ hop: MotionReplay.Hop, in changes: inout [[Change]]) {
    guard hop.isChange else { return }
    changes[hop.detector].append(
      Change(instant: hop.verdict.since, isStationary: hop.verdict.isStationary))
  }

  private func verdicts(of changes: [Change]) -> [Bool] {
    guard let first else { return [] }
    var next = 0
    var isStationary = false
    return labels.indices.map { index in
      let now = MotionTrial.hop(index, after: first)
      while next < changes.count, changes[next].instant <= now {
        isStationary = changes[next].isStationary
        next += 1
      }
      return isStationary
    }
  }
}

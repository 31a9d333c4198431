import Basics
import Motion

/// A recording with its truth, played to several judges at once.
public struct MotionTrial: Sendable {
  /// Four times a second: the truth and what each judge said, from one second after the start.
  public struct Outcome: Equatable, Sendable {
    public var name: String
    /// 0 at rest, 1 moving, -1 unknown.
    public var labels: [Int]
    /// For each judge whether it said "stationary".
    public var verdicts: [[Bool]]

    /// Whether there is anything to score by.
    public var hasTruth: Bool { labels.contains { $0 >= 0 } }

    /// The set that the recording belongs to: the part of its name before two underscores.
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
  private var labels: [Int] = []
  private var changes: [[Change]]
  private var first: Instant?
  private var lastLabel = -1

  public init(name: String, settings: [MotionReplay.Setting]) {
    self.name = name
    replay = MotionReplay(settings: settings)
    changes = settings.map { _ in [] }
  }

  private static func hop(_ index: Int, after first: Instant) -> Instant {
    first + .seconds(1) + MotionWindow.hop * Int64(index)
  }

  public mutating func take(_ row: MotionRow) {
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
    changes[hop.judge].append(
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

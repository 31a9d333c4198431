public import BinnacleBasics

/// How soon a changed record is on the disk.
public enum CommitClass: UInt8, CaseIterable, Codable, Sendable {
  /// At once: one write and one flush, and then the requester gets its answer.
  case now
  /// Together with other changes of the class, after a minute or when 60 wait; a power cut loses the waiting changes.
  case group
  /// After 10 minutes and at a clean stop; a power cut loses the waiting changes.
  case lazy

  /// How long a change of this class waits at most.
  public var delayMax: Interval {
    switch self {
    case .now: .zero
    case .group: .seconds(60)
    case .lazy: .seconds(600)
    }
  }

  /// How many changes of this class wait at most.
  public var waitingMax: Int {
    switch self {
    case .now: 1
    case .group: 60
    case .lazy: 1_024
    }
  }
}

public import BinnacleBasics
public import BinnacleModel

/// Decides which sequences are told `locationUnavailable` because the daemon is away.
///
/// Core Location promises no silence without an explanation. The daemon explains its own silence; its absence
/// has to be explained here: once to every sequence that has waited for it for five seconds. Nothing is said
/// when the daemon comes back, since it then speaks for itself.
public struct AbsenceMachine: Equatable, Sendable {
  /// As long as the daemon itself waits before it calls a location unavailable.
  public static let patience = Interval.seconds(5)

  private struct Waiting: Equatable, Sendable {
    var sequence: SequenceID
    var since: Instant
    var isTold: Bool
  }

  private var sequences: [Waiting] = []
  private var isPresent = false

  public init() {}

  /// When `deadlineReached` is due; nil when nobody waits in vain.
  public var nextDeadline: Instant? {
    if isPresent { return nil }
    return sequences.filter { !$0.isTold }.map { $0.since + AbsenceMachine.patience }.min()
  }

  /// A sequence begins to wait.
  public mutating func sequenceOpened(_ sequence: SequenceID, at now: Instant) {
    sequences.append(Waiting(sequence: sequence, since: now, isTold: false))
  }

  /// A sequence waits no longer.
  public mutating func sequenceClosed(_ sequence: SequenceID) {
    sequences.removeAll { $0.sequence == sequence }
  }

  /// Tells whether the daemon answers; may be told as often as one likes.
  public mutating func daemonSeen(isPresent: Bool, at now: Instant) {
    if self.isPresent, !isPresent {
      for index in sequences.indices {
        sequences[index].since = now
        sequences[index].isTold = false
      }
    }
    self.isPresent = isPresent
  }

  /// Takes the time.
  ///
  /// - Parameter now: the time.
  /// - Returns: the sequences that are told now.
  public mutating func deadlineReached(at now: Instant) -> [SequenceID] {
    if isPresent { return [] }
    var told: [SequenceID] = []
    for index in sequences.indices
    where !sequences[index].isTold && sequences[index].since + AbsenceMachine.patience <= now {
      sequences[index].isTold = true
      told.append(sequences[index].sequence)
    }
    return told
  }
}

public import BinnacleBasics
public import BinnacleModel

/// Decides which sequences get `locationUnavailable` because the daemon is absent.
///
/// Core Location explains each pause to the app. The daemon explains its own pauses. This machine explains the absence
/// of the daemon: once to each sequence that has waited for the daemon for five seconds. When the daemon returns, it
/// sends its own updates, so the machine reports nothing.
public struct AbsenceMachine: Equatable, Sendable {
  /// The daemon itself also waits this long before it reports a location as unavailable.
  public static let patience = Interval.seconds(5)

  private struct Waiting: Equatable, Sendable {
    var sequence: SequenceID
    var since: Instant
    var isTold: Bool
  }

  private var sequences: [Waiting] = []
  private var isPresent = false

  public init() {}

  /// The next call time of `deadlineReached`; nil if no sequence waits for an absent daemon.
  public var nextDeadline: Instant? {
    if isPresent { return nil }
    return sequences.filter { !$0.isTold }.map { $0.since + AbsenceMachine.patience }.min()
  }

  /// Adds an open sequence.
  public mutating func sequenceOpened(_ sequence: SequenceID, at now: Instant) {
    sequences.append(Waiting(sequence: sequence, since: now, isTold: false))
  }

  /// Removes a closed sequence.
  public mutating func sequenceClosed(_ sequence: SequenceID) {
    sequences.removeAll { $0.sequence == sequence }
  }

  /// Reports whether the daemon answers; repeated calls are harmless.
  public mutating func daemonSeen(isPresent: Bool, at now: Instant) {
    if self.isPresent, !isPresent {
      for index in sequences.indices {
        sequences[index].since = now
        sequences[index].isTold = false
      }
    }
    self.isPresent = isPresent
  }

  /// Handles an expired deadline.
  ///
  /// - Parameter now: the time.
  /// - Returns: the sequences that get `locationUnavailable` now.
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

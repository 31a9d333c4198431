import BinnacleBasics
import BinnacleModel

/// All data that outlives the daemon and the power: records in the log of state, tracks in a second log.
///
///     decisions, records --> RecordKeeper --Effect.storage--> log of state
///     positions ----------> TrackKeeper ---Effect.track----> log of tracks
///
/// ``RecordTable`` lists the types of records and their commit classes; ``StorageLimits`` has all budgets. Each log has
/// a ``LogMachine`` and at most one commit under way.
struct Storage: Equatable, Codable, Sendable {
  var state = RecordKeeper()
  var tracks: TrackKeeper

  init(_ track: TrackSettings?) { tracks = TrackKeeper(track) }

  /// The bytes that the disk was given since the start, over both logs.
  var writtenBytes: Int { state.log.counts.bytes + tracks.log.counts.bytes }
  var flushCount: Int { state.log.counts.flushes + tracks.log.counts.flushes }

  var nextDeadline: Instant? { earlier(state.nextDeadline, tracks.nextDeadline) }

  /// Whether no commit is under way and nothing waits that could be written.
  var isSettled: Bool { state.isSettled && tracks.isSettled }

  mutating func started(into effects: inout [Effect]) { tracks.started(into: &effects) }

  /// Everything that waits is due: the daemon stops.
  mutating func stopping(
    at now: Instant, into effects: inout [Effect]
  ) -> [RecordKeeper.CommitOutcome] {
    let outcomes = state.stopping(at: now, into: &effects)
    tracks.stopping(at: now, into: &effects)
    return outcomes
  }

  /// Everything that waits is due: nothing is to be written for a while.
  mutating func writeAll(
    at now: Instant, into effects: inout [Effect]
  ) -> [RecordKeeper.CommitOutcome] {
    let outcomes = state.writeAll(at: now, into: &effects)
    tracks.writeAll(at: now, into: &effects)
    return outcomes
  }

  mutating func deadlineReached(
    at now: Instant, into effects: inout [Effect]
  ) -> [RecordKeeper.CommitOutcome] {
    let outcomes = state.deadlineReached(at: now, into: &effects)
    tracks.deadlineReached(at: now, into: &effects)
    return outcomes
  }
}

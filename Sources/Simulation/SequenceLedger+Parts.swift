import BinnacleBasics
import BinnacleModel

/// The entries of the ledger.
extension SequenceLedger {
  struct Client: Sendable {
    var id: ClientID
    var isServed: Bool
    var app: AppID
  }

  struct Sequence: Sendable {
    var client: ClientID
    var id: SequenceID
    var isServed: Bool
    var openedAt: Instant
    var fixTime: UTCTime?
    var fixAt: Instant?
    var isUnavailableTold = false
    /// The time for which the board must have rested before the sequence pauses.
    var dwell: Interval
    var firstFixAt: Instant?
    /// The instant at which the sequence got the pause; nil: the sequence does not pause.
    var pausedAt: Instant?
    /// Whether the sequence has got no fix since its pause: the position may have been lost in between.
    var isOfOneRest = false
    /// Whether the newest pause continued an earlier rest.
    var isReturn = false
    let configuration: LiveConfiguration
    /// The fix of the pause; after a power cut the fix of the earlier pause, until the sequence gets a fix.
    var pausedWith: Fix?
    /// The fix of the newest pause, active or ended.
    var lastPausedWith: Fix?
    /// Whether the sequence paused when the power failed, and not only at an earlier time.
    var hadPaused = false
    /// The ended sequences of the app that this sequence may continue.
    var before: [Sequence] = []

    var isPaused: Bool { pausedAt != nil }

    /// Whether the sequence pauses or has had fixes for its dwell; without a fix the earlier sequences count.
    func hasWaited(at now: Instant) -> Bool {
      if isPaused { return true }
      guard let firstFixAt else { return before.contains { $0.hasWaited(at: now) } }
      return now - firstFixAt >= dwell
    }

    /// Whether the sequence paused before the power failed, and has had no position since.
    var awaitsReturn: Bool { hadPaused && pausedWith != nil && !isPaused }
  }

  /// A sequence that ended with its process, and the end of its restoration window; nil: no limit.
  struct Gone: Sendable {
    var app: AppID
    var sequence: Sequence
    var end: Instant?
    /// Whether another process of the app has connected, which restarts the window.
    var isBack = false
  }
}

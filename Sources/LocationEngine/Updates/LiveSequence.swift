import BinnacleBasics
import BinnacleModel

/// One open sequence of live updates.
///
///     waiting --fix--> waiting, from now on
///     waiting --no fix for UnavailableAfter--> unavailable: reported once
///     unavailable --fix--> waiting: the fix is delivered
///     any --the app loses its entitlement--> refused: reported once, nothing else until the entitlement changes
///
/// ``PauseMachine`` decides beside this whether fixes are delivered. While the sequence pauses, fixes only show that there
/// is a position.
struct LiveSequence: Equatable, Codable, Sendable {
  let id: SequenceID
  let configuration: LiveConfiguration
  var state: State
  var pause: PauseMachine
  /// When the sequence began to need the receiver: at its opening, or when it resumed.
  var activeSince: Instant
  /// Whether the board has rested for the dwell of this sequence.
  var isResting = false
  var grid = RateGrid()
  /// Whether it counts as outstanding when its app leaves; not if its app is denied, and not after an erasure.
  var isOutstanding = false

  enum State: Equatable, Codable, Sendable {
    /// Fixes are delivered as they come; without one until then the location is unavailable.
    case waiting(until: Instant)
    /// `locationUnavailable` was delivered.
    case unavailable
    /// The app gets no locations, for these reasons, which were delivered.
    case refused(Entitlement.Obstacles)
  }

  init(
    id: SequenceID, configuration: LiveConfiguration, dwell: Interval, state: State,
    at now: Instant
  ) {
    self.id = id
    activeSince = now
    self.configuration = configuration
    self.state = state
    pause = PauseMachine(dwell: dwell, at: now)
  }

  /// The reasons why its app gets no locations, as delivered; empty when it gets locations.
  var obstacles: Entitlement.Obstacles {
    if case .refused(let obstacles) = state { obstacles } else { [] }
  }

  /// Whether a position is known.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// Judges the board's rest for this sequence.
  mutating func restJudged(at now: Instant) -> PauseMachine.Turn? {
    let turn = pause.judged(isResting: isResting, hasFix: isWaiting, at: now)
    if turn == .resumed {
      grid = RateGrid()
      activeSince = now
    }
    return turn
  }

  /// Begins anew with the next fix, because the app's entitlement has changed.
  mutating func restarted(as state: State, at now: Instant) {
    self.state = state
    pause.restarted(at: now)
    grid = RateGrid()
  }

  /// Continues an earlier sequence: that of an app, or of a daemon, that left and has come back.
  ///
  /// The search does not begin anew, and no fix comes out of turn. Every further part of a sequence's state must be taken
  /// over here.
  mutating func goOn(as before: OutstandingApp.Absent, unavailableAfter: Interval, at now: Instant)
  {
    switch before.pause {
    case .watched(let machine): pause.goOn(as: machine)
    case .unwatched: pause.goOn()
    case .none: break
    }
    guard let sequence = before.sequence else {
      // Only the existence of the earlier sequence is known; the search began with the daemon.
      state = .waiting(until: before.searchedSince + unavailableAfter)
      return
    }
    grid = sequence.grid
    switch sequence.state {
    case .waiting: state = sequence.state
    // The app that has come back was not told that the location is unavailable.
    case .unavailable: state = .waiting(until: before.searchedSince)
    case .refused: break
    }
    // A paused sequence missed no positions; its time without a position counts from now.
    if pause.isOlder { state = .waiting(until: now + unavailableAfter) }
  }
}

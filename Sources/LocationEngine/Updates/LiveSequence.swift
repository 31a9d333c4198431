import BinnacleBasics
import BinnacleModel

/// One open sequence of live updates.
///
///     waiting --fix--> waiting, with a new time limit
///     waiting --no fix for UnavailableAfter--> unavailable: reported once
///     unavailable --fix--> waiting: the fix is delivered
///     any --the app loses its entitlement--> refused: reported once, nothing else until the entitlement changes
///
/// ``PauseMachine`` decides separately whether fixes are delivered. While the sequence pauses, fixes only show that a
/// position is known.
struct LiveSequence: Equatable, Codable, Sendable {
  let id: SequenceID
  let configuration: LiveConfiguration
  var state: State
  var pause: PauseMachine
  /// When the sequence began to need the receiver: at its opening, or at its resumption.
  var activeSince: Instant
  /// Whether the board has rested for the dwell of this sequence.
  var isResting = false
  var grid = RateGrid()
  /// Whether the sequence stays outstanding when its app leaves; false for a denied app, and after an erasure.
  var isOutstanding = false
  /// The app's wishes for the sequence.
  let options: SequenceOptions
  /// Whether the sequence gets the coarse place; such a sequence does not pause.
  private(set) var isReduced: Bool
  /// When the last coarse place was delivered.
  var coarseAt: Instant?
  /// Whether the app had authorization at the last change of its rights.
  var isKept = false

  enum State: Equatable, Codable, Sendable {
    /// Fixes are delivered as they arrive; without a fix until this time, the location is unavailable.
    case waiting(until: Instant)
    /// `locationUnavailable` was delivered.
    case unavailable
    /// The app gets no locations, for these reasons, which were reported to the app.
    case refused(Entitlement.Obstacles)
  }

  init(
    id: SequenceID, configuration: LiveConfiguration, options: SequenceOptions = [],
    dwell: Interval, state: State, at now: Instant
  ) {
    self.id = id
    self.options = options
    isReduced = options.contains(.reduced)
    activeSince = now
    self.configuration = configuration
    self.state = state
    pause = PauseMachine(dwell: dwell, at: now)
  }

  /// Applies the accuracy of the app; returns whether the accuracy of the sequence has changed.
  mutating func limit(_ isAppReduced: Bool) -> Bool {
    let before = isReduced
    isReduced = isAppReduced || options.contains(.reduced)
    return isReduced != before
  }

  /// The reasons why the app gets no locations, as reported to the app; empty if it gets locations.
  var obstacles: Entitlement.Obstacles {
    if case .refused(let obstacles) = state { obstacles } else { [] }
  }

  /// Whether the location is available.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// Applies the state of the board's rest to this sequence.
  mutating func restJudged(at now: Instant) -> PauseMachine.Turn? {
    let turn = pause.judged(isResting: isResting, hasFix: isWaiting, at: now)
    if turn == .resumed {
      grid = RateGrid()
      activeSince = now
    }
    return turn
  }

  /// Restarts the sequence with the next fix, because the app's entitlement has changed.
  mutating func restarted(as state: State, at now: Instant) {
    self.state = state
    pause.restarted(at: now)
    grid = RateGrid()
    coarseAt = nil
  }

  /// Continues the earlier sequence of an app or a daemon that has stopped and started again.
  ///
  /// The search for a position does not restart, and no extra fix is delivered. Every further part of a sequence's
  /// state must be copied here.
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
    // The app has not been informed after its return that the location is unavailable.
    case .unavailable: state = .waiting(until: before.searchedSince)
    case .refused: break
    }
    // A paused sequence missed no positions; its time without a position counts from now.
    if pause.isOlder { state = .waiting(until: now + unavailableAfter) }
  }
}

import BinnacleBasics
import BinnacleModel

/// One open sequence of live updates.
///
///     waiting --fix--> waiting, from now on
///     waiting --no fix for UnavailableAfter--> unavailable: told once
///     unavailable --fix--> waiting: the fix tells it
///     any --the app loses its entitlement--> refused: told once, nothing else until the entitlement changes
///
/// Beside that ``PauseMachine`` says whether its fixes are delivered: while it pauses they only show that there is a position.
struct LiveSequence: Equatable, Codable, Sendable {
  let id: SequenceID
  let configuration: LiveConfiguration
  var state: State
  var pause: PauseMachine
  /// Since when it needs the receiver: when it was opened, or went on.
  var activeSince: Instant
  /// Whether the board has rested for the dwell of this sequence.
  var isResting = false
  var grid = RateGrid()
  /// Whether it counts as outstanding when its app goes; not if its app is denied, and not after an erasure.
  var isOutstanding = false

  enum State: Equatable, Codable, Sendable {
    /// Fixes are delivered as they come; without one until then the location is unavailable.
    case waiting(until: Instant)
    /// `locationUnavailable` was delivered.
    case unavailable
    /// The app gets no locations, for these reasons, and was told so.
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

  /// The reasons why its app gets no locations, as the app was told; empty when it gets them.
  var obstacles: Entitlement.Obstacles {
    if case .refused(let obstacles) = state { obstacles } else { [] }
  }

  /// Whether there is a position, as far as is known.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// What follows from what is known of the board's rest.
  mutating func restJudged(at now: Instant) -> PauseMachine.Turn? {
    let turn = pause.judged(isResting: isResting, hasFix: isWaiting, at: now)
    if turn == .resumed {
      grid = RateGrid()
      activeSince = now
    }
    return turn
  }

  /// It begins anew, because its app's entitlement changed, and gets the next fix at once.
  mutating func restarted(as state: State, at now: Instant) {
    self.state = state
    pause.restarted(at: now)
    grid = RateGrid()
  }

  /// It is what another one was: that of an app that went and has come back, or of a daemon that did.
  ///
  /// It neither searches anew nor gets fixes out of turn. What else a sequence is in is to be taken over here.
  mutating func goOn(as before: OutstandingApp.Absent, unavailableAfter: Interval, at now: Instant)
  {
    switch before.pause {
    case .watched(let machine): pause.goOn(as: machine)
    case .unwatched: pause.goOn()
    case .none: break
    }
    guard let sequence = before.sequence else {
      // Of the one before is only known that it was there; the search began with the daemon.
      state = .waiting(until: before.searchedSince + unavailableAfter)
      return
    }
    grid = sequence.grid
    switch sequence.state {
    case .waiting: state = sequence.state
    // Who has come back was not told so.
    case .unavailable: state = .waiting(until: before.searchedSince)
    case .refused: break
    }
    // Who pauses did not miss positions; how long it has had none counts from now.
    if pause.isOlder { state = .waiting(until: now + unavailableAfter) }
  }
}

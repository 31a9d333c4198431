import BinnacleBasics

/// Whether the updates of one sequence pause because the board rests.
///
///     moving <--no fix yet, or it moves--> settling --rested for the dwell, since its first fix, too--> paused
///     paused --it moves, or the position is lost--> moving
///
/// The pause never begins before a first fix has been judged, so that an app that starts on a desk learns where it is and
/// has updates for as long as any other. One that paused before, when its app, the daemon or the power went, has had them: where
/// the board still rests it pauses with its first fix.
struct PauseMachine: Equatable, Codable, Sendable {
  private(set) var state = State.moving
  /// Since when it is so.
  private(set) var since: Instant
  private let dwell: Interval
  private var firstFix: Instant?
  /// Whether it paused before, and no fix has told yet whether the board still rests.
  private(set) var isOlder = false

  enum State: String, Equatable, Codable, Sendable {
    /// Updates are delivered.
    case moving
    /// The same, but the board rests, and when it goes on doing so they will pause.
    case settling
    /// One update has said `stationary`; nothing is delivered.
    case paused
  }

  enum Turn: Equatable, Sendable {
    /// The next update says `stationary` and is the last.
    case paused
    /// The next fix is delivered again.
    case resumed
  }

  /// - Parameters:
  ///   - dwell: how long the board must have rested.
  ///   - now: when its sequence begins.
  init(dwell: Interval, at now: Instant) {
    self.dwell = dwell
    since = now
  }

  /// It paused before; whether it does again is for the next fix to say.
  mutating func goOn() {
    firstFix = nil
    isOlder = true
  }

  /// It is what another one was that is not there any more: its dwell goes on, and a pause is told again.
  mutating func goOn(as before: PauseMachine) {
    firstFix = before.firstFix
    isOlder = before.isPaused || before.isOlder
  }

  /// The fix that was to tell whether the board still rests tells otherwise, and is delivered.
  mutating func fixDelivered() { isOlder = false }

  /// A fix was judged that the sequence may have.
  mutating func fixJudged(at now: Instant) {
    if firstFix == nil { firstFix = now }
  }

  /// Takes what is known of the board's rest.
  ///
  /// - Parameters:
  ///   - isResting: whether it has rested for the dwell.
  ///   - hasFix: whether there is a fix that a pause could begin with.
  ///   - now: when it is judged.
  /// - Returns: what follows; nil when all stays as it is.
  mutating func judged(isResting: Bool, hasFix: Bool, at now: Instant) -> Turn? {
    guard isResting, hasFix else {
      let wasPaused = state == .paused
      become(.moving, at: now)
      return wasPaused ? .resumed : nil
    }
    guard state != .paused else { return nil }
    guard let due = settledAt, due <= now else {
      become(.settling, at: now)
      return nil
    }
    become(.paused, at: now)
    isOlder = false
    return .paused
  }

  private mutating func become(_ state: State, at now: Instant) {
    guard state != self.state else { return }
    self.state = state
    since = now
  }

  /// Sequences begin anew: location services were off.
  mutating func restarted(at now: Instant) {
    become(.moving, at: now)
    firstFix = nil
    isOlder = false
  }

  /// When a sequence that settles may pause.
  var nextDeadline: Instant? { state == .settling ? settledAt : nil }

  var isPaused: Bool { state == .paused }

  /// How much of its dwell is filled, of what the board's rest has filled: it has had fixes for as long.
  func filledSeconds(of credit: Double, at now: Instant) -> Double {
    if isOlder || isPaused { return credit }
    return firstFix.map { min(credit, (now - $0).seconds) } ?? 0
  }

  /// Whether it pauses, or did and has not had a fix since.
  var isPausedOrOlder: Bool { isPaused || isOlder }

  private var settledAt: Instant? { firstFix.map { isOlder ? $0 : $0 + dwell } }
}

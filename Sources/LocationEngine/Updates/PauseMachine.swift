import BinnacleBasics

/// Whether the updates of one sequence pause because the board rests.
///
///     moving <--no fix yet, or it moves--> settling --rested for the dwell, since its first fix, too--> paused
///     paused --it moves, or the position is lost--> moving
///
/// A pause never begins before the first fix is judged. So an app that starts on a desk learns its position and gets
/// updates for as long as any other app. A sequence that paused before its app, the daemon or the power went has had those
/// updates: where the board still rests, it pauses with its first fix.
struct PauseMachine: Equatable, Codable, Sendable {
  private(set) var state = State.moving
  /// When the present state began.
  private(set) var since: Instant
  private let dwell: Interval
  private var firstFix: Instant?
  /// Whether the sequence paused before, and no fix has shown yet whether the board still rests.
  private(set) var isOlder = false

  enum State: String, Equatable, Codable, Sendable {
    /// Updates are delivered.
    case moving
    /// Updates are delivered, and the board rests: they pause when the dwell is filled.
    case settling
    /// An update has said `stationary`; nothing is delivered.
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

  /// The sequence paused before; the next fix decides whether it pauses again.
  mutating func goOn() {
    firstFix = nil
    isOlder = true
  }

  /// Continues an earlier sequence that is gone: its dwell goes on, and a pause is reported again.
  mutating func goOn(as before: PauseMachine) {
    firstFix = before.firstFix
    isOlder = before.isPaused || before.isOlder
  }

  /// The fix that decides shows that the board rests no more, and is delivered.
  mutating func fixDelivered() { isOlder = false }

  /// A fix was judged that the sequence may get.
  mutating func fixJudged(at now: Instant) {
    if firstFix == nil { firstFix = now }
  }

  /// Judges the board's rest.
  ///
  /// - Parameters:
  ///   - isResting: whether the board has rested for the dwell.
  ///   - hasFix: whether there is a fix that a pause could begin with.
  ///   - now: when it is judged.
  /// - Returns: the change; nil when nothing changes.
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

  /// The filled part of the dwell: the board's rest counts only for as long as the sequence has had fixes.
  func filledSeconds(of credit: Double, at now: Instant) -> Double {
    if isOlder || isPaused { return credit }
    return firstFix.map { min(credit, (now - $0).seconds) } ?? 0
  }

  /// Whether it pauses, or paused and has had no fix since.
  var isPausedOrOlder: Bool { isPaused || isOlder }

  private var settledAt: Instant? { firstFix.map { isOlder ? $0 : $0 + dwell } }
}

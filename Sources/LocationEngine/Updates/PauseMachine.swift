import BinnacleBasics

/// Whether the updates of one sequence pause because the board rests.
///
///     moving <--no fix yet, or it moves--> settling --rested for the dwell, also since its first fix--> paused
///     paused --it moves, or the position is lost--> moving
///
/// A pause never begins before the first fix is judged. An app that starts on a desk therefore learns its position and
/// gets updates for as long as any other app. A sequence that paused before its app, the daemon or the power stopped
/// has already had those updates. If the board still rests, such a sequence pauses with its first fix.
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
    /// Updates are delivered, and the board rests; updates pause when the dwell is filled.
    case settling
    /// An update with the flag `stationary` was delivered; further updates are not delivered.
    case paused
  }

  enum Turn: Equatable, Sendable {
    /// The next update has the flag `stationary` and is the last.
    case paused
    /// The next fix is delivered again.
    case resumed
  }

  /// - Parameters:
  ///   - dwell: how long the board must have rested.
  ///   - now: when the sequence begins.
  init(dwell: Interval, at now: Instant) {
    self.dwell = dwell
    since = now
  }

  /// The sequence paused before; the next fix decides whether it pauses again.
  mutating func goOn() {
    firstFix = nil
    isOlder = true
  }

  /// Continues an earlier sequence that has ended: its dwell continues, and its pause is reported again.
  mutating func goOn(as before: PauseMachine) {
    firstFix = before.firstFix
    isOlder = before.isPaused || before.isOlder
  }

  /// The board no longer rests: the fix that decides about an earlier pause is delivered.
  mutating func fixDelivered() { isOlder = false }

  /// A fix for this sequence was judged.
  mutating func fixJudged(at now: Instant) {
    if firstFix == nil { firstFix = now }
  }

  /// Applies the state of the board's rest.
  ///
  /// - Parameters:
  ///   - isResting: whether the board has rested for the dwell.
  ///   - hasFix: whether there is a fix for the start of a pause.
  ///   - now: the time.
  /// - Returns: the change; nil without a change.
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

  /// The sequence restarts, because location services were off.
  mutating func restarted(at now: Instant) {
    become(.moving, at: now)
    firstFix = nil
    isOlder = false
  }

  /// When a settling sequence may pause.
  var nextDeadline: Instant? { state == .settling ? settledAt : nil }

  var isPaused: Bool { state == .paused }

  /// The filled part of the dwell, in seconds; the board's rest counts from the sequence's first fix on.
  func filledSeconds(of credit: Double, at now: Instant) -> Double {
    if isOlder || isPaused { return credit }
    return firstFix.map { min(credit, (now - $0).seconds) } ?? 0
  }

  /// Whether the sequence pauses, or paused before and has had no fix since.
  var isPausedOrOlder: Bool { isPaused || isOlder }

  private var settledAt: Instant? { firstFix.map { isOlder ? $0 : $0 + dwell } }
}

import Basics

/// Whether the updates of one sequence pause because the board rests.
///
///     moving <--no fix yet, or it moves--> settling --rested for the dwell, since its first fix, too--> paused
///     paused --it moves, or the position is lost--> moving
///
/// The pause never begins before a first fix has been judged, so that an app that starts on a desk learns where it is and
/// has updates for as long as any other.
public struct PauseMachine: Equatable, Codable, Sendable {
  public private(set) var state = State.moving
  private let dwell: Interval
  private var firstFix: Instant?

  public enum State: String, Equatable, Codable, Sendable {
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

  /// - Parameter dwell: how long the board must have rested.
  init(dwell: Interval) {
    self.dwell = dwell
  }

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
      guard state == .paused else {
        state = .moving
        return nil
      }
      state = .moving
      return .resumed
    }
    guard state != .paused else { return nil }
    guard let due = settledAt, due <= now else {
      state = .settling
      return nil
    }
    state = .paused
    return .paused
  }

  /// Sequences begin anew: location services were off.
  mutating func restarted() {
    state = .moving
    firstFix = nil
  }

  /// When a sequence that settles may pause.
  var nextDeadline: Instant? { state == .settling ? settledAt : nil }

  var isPaused: Bool { state == .paused }

  private var settledAt: Instant? { firstFix.map { $0 + dwell } }
}

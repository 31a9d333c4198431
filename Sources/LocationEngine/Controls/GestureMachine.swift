import BinnacleBasics
import BinnacleModel

/// Converts presses and releases without bounces to gestures.
///
///     held ----released----> idle ----pressed----> first ----released in time----> waiting ----window over----> idle
///      ^                      ^                      |                               |              (short)
///      |                      +--released too late---+                            pressed
///      +---------LongPress over (long)---------------+                               v
///                             ^                      ^----ShortMax over (short)----second
///                             +-----------------released in time (double)-----------+
///
/// A button that is pressed at the start counts only after it was released once. A long press acts while the button is
/// still held.
struct GestureMachine: Equatable, Codable, Sendable {
  enum State: Equatable, Codable, Sendable {
    /// Pressed; the press has no further effect.
    case held
    case idle
    /// Pressed since this time.
    case first(since: Instant)
    /// One short press is over; a second press may begin until this time.
    case waiting(until: Instant)
    /// Pressed again in time.
    case second(since: Instant)
  }

  /// The result of a press.
  enum Outcome: Equatable, Sendable {
    /// A gesture, and when its press began; of a double press, the first one.
    case gesture(Gesture, beganAt: Instant)
    /// Held longer than short and less than long.
    case ignored(held: Interval)
  }

  private(set) var state = State.held
  /// When the press that makes the next gesture began; of a double press, the first one.
  private var beganAt = Instant.zero
  let timing: GestureTiming
  private let hasDouble: Bool

  init(_ timing: GestureTiming, hasDouble: Bool) {
    self.timing = timing
    self.hasDouble = hasDouble
  }

  /// When `timeElapsed` is due; nil if no time limit runs.
  var nextDeadline: Instant? {
    switch state {
    case .held, .idle: nil
    case .first(let since): since + timing.longPress
    case .waiting(let until): until
    case .second(let since): since + min(timing.shortMax, timing.longPress)
    }
  }

  /// The line is claimed; earlier presses are unknown.
  mutating func began(isPressed: Bool) {
    state = isPressed ? .held : .idle
  }

  /// The button was pressed.
  mutating func pressed(at instant: Instant) -> [Outcome] {
    if case .waiting(let until) = state, instant <= until {
      state = .second(since: instant)
      return []
    }
    let outcomes: [Outcome] =
      switch state {
      case .held, .idle: []
      case .waiting: [gesture(.short)]
      // The release was lost: the duration of this press is unknown, so the press is ignored.
      case .first, .second: elapsed(at: instant)
      }
    state = .first(since: instant)
    beganAt = instant
    return outcomes
  }

  /// The button was released.
  mutating func released(at instant: Instant) -> [Outcome] {
    // The time limit may have passed before the release.
    let outcomes = elapsed(at: instant)
    switch state {
    case .held:
      state = .idle
      return outcomes
    case .idle, .waiting: return outcomes
    case .first(let since): return outcomes + releasedOnce(after: instant - since, at: instant)
    case .second:
      state = .idle
      return outcomes + [gesture(.double)]
    }
  }

  /// The level that was read contradicts the edges: an edge was lost at an unknown time.
  ///
  /// A press whose end was lost does not count as a long press.
  mutating func edgeMissed(isPressed: Bool, at now: Instant) -> [Outcome] {
    switch state {
    case .first(let since) where !isPressed:
      state = .idle
      return [.ignored(held: now - since)]
    case .second(let since) where !isPressed:
      state = .idle
      return [gesture(.short), .ignored(held: now - since)]
    case .held, .idle, .first, .waiting, .second: return []
    }
  }

  /// `nextDeadline` has come and the level is unchanged.
  mutating func timeElapsed(at now: Instant) -> [Outcome] { elapsed(at: now) }

  private mutating func elapsed(at now: Instant) -> [Outcome] {
    var outcomes: [Outcome] = []
    while let due = nextDeadline, due <= now {
      switch state {
      case .held, .idle: return outcomes
      case .first:
        state = .held
        outcomes.append(gesture(.long))
      case .waiting:
        state = .idle
        outcomes.append(gesture(.short))
      case .second(let since):
        // Too long for half of a double press: the first press was a short one, the second is still held.
        state = .first(since: since)
        outcomes.append(gesture(.short))
        beganAt = since
      }
    }
    return outcomes
  }

  private mutating func releasedOnce(after held: Interval, at instant: Instant) -> [Outcome] {
    guard held < timing.shortMax else {
      state = .idle
      return [.ignored(held: held)]
    }
    guard hasDouble else {
      state = .idle
      return [gesture(.short)]
    }
    state = .waiting(until: instant + timing.doubleWindow)
    return []
  }

  private func gesture(_ gesture: Gesture) -> Outcome { .gesture(gesture, beganAt: beganAt) }
}

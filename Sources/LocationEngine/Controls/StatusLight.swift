import BinnacleBasics

/// What the status light shows, and when it changes next.
///
/// Only a light that blinks costs wake-ups. A lamp on a GPIO line has no timer of its own, so while the receiver sleeps, and the
/// daemon with it, the light is dark.
struct StatusLight: Equatable, Codable, Sendable {
  enum Pattern: UInt8, CaseIterable, Codable, Sendable {
    /// No receiver.
    case off
    /// The receiver is searching.
    case slowBlink
    /// There is a fix.
    case solid
    /// Something is wrong.
    case fastBlink
    /// Updates pause, and the receiver is on.
    case doubleBlink
    /// The receiver sleeps.
    case asleep
  }

  private(set) var pattern = Pattern.off
  private(set) var isLit = false
  private(set) var nextDeadline: Instant?
  /// How often it has changed since the pattern began.
  private var step = 0
  private let timing: BlinkTiming

  init(_ timing: BlinkTiming) {
    self.timing = timing
  }

  /// From now on this is to be shown.
  mutating func show(_ pattern: Pattern, at now: Instant) {
    guard pattern != self.pattern else { return }
    self.pattern = pattern
    isLit = pattern != .off && pattern != .asleep
    step = 0
    nextDeadline = duration.map { now + $0 }
  }

  mutating func deadlineReached(at now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    isLit.toggle()
    step = (step + 1) % 4
    guard let duration else { return }
    // A loop that comes late does not make up for what it missed.
    nextDeadline = due + duration > now ? due + duration : now + duration
  }

  /// How long it stays as it is; nil: until the pattern changes.
  private var duration: Interval? {
    switch pattern {
    case .off, .asleep, .solid: nil
    case .slowBlink: timing.slowHalf
    case .fastBlink: timing.fastHalf
    // Lit, dark, lit; then dark for long.
    case .doubleBlink: step == 3 ? timing.slowHalf * 3 : timing.fastHalf
    }
  }
}

import BinnacleBasics

/// The pattern of the status light, and its next change.
///
/// Only a blinking light causes wake-ups. A lamp on a GPIO line has no timer of its own, so the light is dark while the
/// receiver and the daemon sleep.
struct StatusLight: Equatable, Codable, Sendable {
  enum Pattern: UInt8, CaseIterable, Codable, Sendable {
    /// No receiver.
    case off
    /// The receiver is searching.
    case slowBlink
    /// There is a fix.
    case solid
    /// There is a fault.
    case fastBlink
    /// Updates pause, and the receiver is on.
    case doubleBlink
    /// The receiver sleeps.
    case asleep
  }

  private(set) var pattern = Pattern.off
  private(set) var isLit = false
  private(set) var nextDeadline: Instant?
  /// The number of changes since the pattern began.
  private var step = 0
  private let timing: BlinkTiming

  init(_ timing: BlinkTiming) {
    self.timing = timing
  }

  /// Shows this pattern from now on.
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
    // A late loop omits the missed changes.
    nextDeadline = due + duration > now ? due + duration : now + duration
  }

  /// The time until the next change; nil without a change.
  private var duration: Interval? {
    switch pattern {
    case .off, .asleep, .solid: nil
    case .slowBlink: timing.slowHalf
    case .fastBlink: timing.fastHalf
    // Lit, dark, lit, and then dark for a longer time.
    case .doubleBlink: step == 3 ? timing.slowHalf * 3 : timing.fastHalf
    }
  }
}

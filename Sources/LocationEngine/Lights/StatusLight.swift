import Basics

/// What the status light shows, and when it changes next.
///
/// Only a light that blinks costs wake-ups.
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
  }

  private(set) var pattern = Pattern.off
  private(set) var isLit = false
  private(set) var nextDeadline: Instant?
  private let timing: BlinkTiming

  init(_ timing: BlinkTiming) {
    self.timing = timing
  }

  /// From now on this is to be shown.
  mutating func show(_ pattern: Pattern, at now: Instant) {
    guard pattern != self.pattern else { return }
    self.pattern = pattern
    isLit = pattern != .off
    nextDeadline = half.map { now + $0 }
  }

  mutating func deadlineReached(at now: Instant) {
    guard let due = nextDeadline, due <= now, let half else { return }
    isLit.toggle()
    // A loop that comes late does not make up for what it missed.
    nextDeadline = due + half > now ? due + half : now + half
  }

  private var half: Interval? {
    switch pattern {
    case .off, .solid: nil
    case .slowBlink: timing.slowHalf
    case .fastBlink: timing.fastHalf
    }
  }
}

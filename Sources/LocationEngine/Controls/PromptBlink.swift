import BinnacleBasics

/// The flashes of a lamp while a prompt is open: 100 ms in each second.
struct PromptBlink: Equatable, Codable, Sendable {
  private(set) var isLit = false
  /// The next change of the lamp; nil while the lamp does not flash.
  private(set) var nextDeadline: Instant?

  private static let flash = Interval.milliseconds(100)
  private static let dark = Interval.milliseconds(900)

  /// Starts or ends the flashes.
  mutating func show(_ isBlinking: Bool, at now: Instant) {
    guard isBlinking != (nextDeadline != nil) else { return }
    isLit = isBlinking
    nextDeadline = isBlinking ? now + PromptBlink.flash : nil
  }

  mutating func deadlineReached(at now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    isLit.toggle()
    let next = due + (isLit ? PromptBlink.flash : PromptBlink.dark)
    // A late flash keeps its full length, and a late dark time is not made shorter.
    nextDeadline = next > now ? next : now + (isLit ? PromptBlink.flash : PromptBlink.dark)
  }
}

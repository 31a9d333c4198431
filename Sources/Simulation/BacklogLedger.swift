import BinnacleBasics

/// The longest time that a recent message has waited in the receiver's buffer before the line carried the message.
///
/// The daemon cannot know this time: a solution that waits in the buffer is older than the solution's arrival suggests.
/// While the daemon searches for a silent receiver, the daemon may switch on sentences beside UBX. Both together exceed
/// the capacity of a slow line. The daemon has to end that overload: a lasting overload excuses no old solution.
struct BacklogLedger: Sendable {
  /// The time from a message's entry into the queue until the check of its consequences.
  private static let memory = Interval.seconds(10)
  /// The time that the sentences of one epoch take on a line that keeps up.
  private static let usual = Interval.seconds(1)
  /// The longest overload that the daemon cannot end earlier.
  ///
  /// The line is silent for 12 s at most. The daemon then polls a receiver that it only reads every 10 s, and the answer
  /// to a poll may be lost in the full buffer. The buffer is empty some seconds after the sentences are off.
  private static let overloadMax = Interval.seconds(35)

  /// The longest waits of the last seconds, in the order of time; no later wait is longer.
  private var peaks: [(at: Instant, wait: Interval)] = []
  private var overloadedSince: Instant?

  /// Notes the time that the bytes in the buffer will wait.
  mutating func noticed(_ wait: Interval, at now: Instant) {
    while let last = peaks.last, last.wait <= wait { peaks.removeLast() }
    peaks.append((now, wait))
    while let first = peaks.first, now - first.at > Self.memory { peaks.removeFirst() }
    if most > Self.usual {
      overloadedSince = overloadedSince ?? now
    } else {
      overloadedSince = nil
    }
  }

  /// A new daemon searches for the receiver anew, and has the whole time to end an overload.
  mutating func daemonStarted(at now: Instant) {
    if overloadedSince != nil { overloadedSince = now }
  }

  private var most: Interval { peaks.first?.wait ?? .zero }

  /// The additional age that a solution may have, compared with a line that keeps up.
  func excess(at now: Instant) -> Interval {
    guard let since = overloadedSince, now - since < Self.overloadMax + Self.memory else {
      return .zero
    }
    return most - Self.usual
  }
}

import BinnacleBasics

/// How long a message has waited in the receiver's buffer at most before it was on the line.
///
/// The daemon cannot know it: a solution that waits there is older than it looks. While the daemon looks for a receiver that it
/// does not hear, it may switch on sentences beside UBX, which is more than a slow line carries. It has to end that: an
/// overload that lasts excuses nothing.
struct BacklogLedger: Sendable {
  /// From the instant at which a message is queued to the check of what came of it.
  private static let memory = Interval.seconds(10)
  /// What an epoch of sentences takes on a line that keeps up.
  private static let usual = Interval.seconds(1)
  /// The line is silent for 12 s at most, and the buffer is empty some seconds after the sentences are off.
  private static let overloadMax = Interval.seconds(25)

  /// Waits that no later one of the last seconds exceeds, in the order of time.
  private var peaks: [(at: Instant, wait: Interval)] = []
  private var overloadedSince: Instant?

  /// The buffer holds bytes for so long.
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

  private var most: Interval { peaks.first?.wait ?? .zero }

  /// By how much a solution may be older than on a line that keeps up.
  func excess(at now: Instant) -> Interval {
    guard let since = overloadedSince, now - since < Self.overloadMax + Self.memory else {
      return .zero
    }
    return most - Self.usual
  }
}

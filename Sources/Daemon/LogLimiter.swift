import Basics

/// Keeps a log readable when something happens again and again.
///
/// A line may come three times in a minute; then it is held back and counted, and the next one that passes says how many
/// were held back. All lines together have a limit too, so that nobody floods the log with lines that differ.
struct LogLimiter: Equatable {
  static let repeatsMax = 3
  static let window = Interval.seconds(60)
  static let linesPerWindowMax = 600
  /// Different lines that are remembered.
  static let memoryMax = 32

  /// Lines that were held back since the start.
  private(set) var heldBackCount = 0

  private struct Line: Equatable {
    var text: String
    var since: Instant
    var count: Int
  }

  private var lines: [Line] = []
  private var windowStart = Instant.zero
  private var linesInWindow = 0

  /// How many of this line were held back before, when it may be written now; nil when it may not.
  mutating func admit(_ text: String, at now: Instant) -> Int? {
    if now - windowStart >= LogLimiter.window {
      windowStart = now
      linesInWindow = 0
    }
    let heldBack = admitRepeat(of: text, at: now)
    guard let heldBack, linesInWindow < LogLimiter.linesPerWindowMax else {
      heldBackCount += 1
      return nil
    }
    linesInWindow += 1
    return heldBack
  }

  private mutating func admitRepeat(of text: String, at now: Instant) -> Int? {
    guard let index = lines.firstIndex(where: { $0.text == text }) else {
      if lines.count >= LogLimiter.memoryMax { lines.removeFirst() }
      lines.append(Line(text: text, since: now, count: 1))
      return 0
    }
    lines[index].count += 1
    if now - lines[index].since < LogLimiter.window {
      return lines[index].count <= LogLimiter.repeatsMax ? 0 : nil
    }
    let heldBack = max(0, lines[index].count - 1 - LogLimiter.repeatsMax)
    lines[index].since = now
    lines[index].count = 1
    return heldBack
  }
}

import BinnacleBasics
import BinnacleModel

/// Limits repeated lines of the log, and the lines that clients cause.
///
/// Each source of lines has its own budget. A line that equals an earlier line of its source passes three times per
/// minute. Notices, warnings and errors of the board always pass: the loss of the receiver, damaged state, switched
/// location services. The number of held-back lines is logged once a minute for each source.
struct LogLimiter: Equatable {
  static let repeatsMax = 3
  static let window = Interval.seconds(60)
  /// The number of lines of the board per minute, among the lines that may be held back.
  static let boardLinesMax = 600
  /// The number of lines per minute that the clients of one user may cause.
  static let userLinesMax = 60
  /// The number of different lines of a source that are remembered.
  static let memoryMax = 32
  /// The number of sources with their own budget; further users share one budget.
  static let sourcesMax = 64

  /// Lines that were held back and not reported yet.
  struct HeldBack: Equatable {
    var source: LogSource
    var count: Int
    var last: String

    var inWords: String {
      count == 1
        ? "log: 1 line \(source.inWords) was held back: \(last)"
        : "log: \(count) lines \(source.inWords) were held back, the last of them: \(last)"
    }
  }

  /// Lines that were held back since the start.
  private(set) var heldBackCount = 0
  private var budgets: [Budget] = []

  private struct Budget: Equatable {
    let source: LogSource
    var since: Instant
    var count = 0
    var lines: [Line] = []
    var heldBack: HeldBack?
    /// When the first of the held-back lines occurred.
    var heldBackSince = Instant.zero

    mutating func admitsRepeat(of text: String, at now: Instant) -> Bool {
      guard let index = lines.firstIndex(where: { $0.text == text }) else {
        if lines.count >= LogLimiter.memoryMax { lines.removeFirst() }
        lines.append(Line(text: text, since: now, count: 1))
        return true
      }
      if now - lines[index].since >= LogLimiter.window {
        lines[index].since = now
        lines[index].count = 0
      }
      lines[index].count += 1
      return lines[index].count <= LogLimiter.repeatsMax
    }

    mutating func holdBack(_ text: String, at now: Instant) {
      let count = heldBack?.count ?? 0
      if count == 0 { heldBackSince = now }
      heldBack = HeldBack(source: source, count: count + 1, last: text)
    }
  }

  private struct Line: Equatable {
    var text: String
    var since: Instant
    var count: Int
  }

  /// Whether a line may be written; a line that may not is counted.
  mutating func admits(
    _ text: String, level: LogLevel, from source: LogSource, at now: Instant
  ) -> Bool {
    if source == .board, level <= .notice { return true }
    let index = budget(of: source, at: now)
    let max = source == .board ? LogLimiter.boardLinesMax : LogLimiter.userLinesMax
    if budgets[index].count < max, budgets[index].admitsRepeat(of: text, at: now) {
      budgets[index].count += 1
      return true
    }
    budgets[index].holdBack(text, at: now)
    heldBackCount += 1
    return false
  }

  /// When the number of held-back lines is logged; nil if all lines passed.
  var nextDeadline: Instant? {
    var earliest: Instant?
    for budget in budgets where budget.heldBack != nil {
      earliest = earlier(earliest, budget.heldBackSince + LogLimiter.window)
    }
    return earliest
  }

  /// The counts of held-back lines that are due.
  mutating func takeHeldBack(at now: Instant) -> [HeldBack] {
    var told: [HeldBack] = []
    for index in budgets.indices {
      guard let heldBack = budgets[index].heldBack,
        budgets[index].heldBackSince + LogLimiter.window <= now
      else { continue }
      told.append(heldBack)
      budgets[index].heldBack = nil
    }
    return told
  }

  private mutating func budget(of source: LogSource, at now: Instant) -> Int {
    if let index = budgets.firstIndex(where: { $0.source == source }) {
      if now - budgets[index].since >= LogLimiter.window {
        budgets[index].since = now
        budgets[index].count = 0
      }
      return index
    }
    if budgets.count >= LogLimiter.sourcesMax {
      budgets.removeAll { $0.heldBack == nil && now - $0.since >= LogLimiter.window }
    }
    if budgets.count >= LogLimiter.sourcesMax, source != .board, source != .clients {
      return budget(of: .clients, at: now)
    }
    budgets.append(Budget(source: source, since: now))
    return budgets.count - 1
  }
}

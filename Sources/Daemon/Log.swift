import BinnacleBasics
import BinnacleModel
import Glibc

/// The log on standard error: one line for each event, never more than a reader can take.
struct Log {
  let level: LogLevel
  let isJournal: Bool
  private(set) var limiter = LogLimiter()
  /// Lines that were lost: standard error was full or closed.
  private(set) var lostCount = 0

  init(level: LogLevel, isJournal: Bool) {
    self.level = level
    self.isJournal = isJournal
  }

  mutating func write(
    _ text: String, level: LogLevel, from source: LogSource = .board, at now: Instant
  ) {
    guard level <= self.level, limiter.admits(text, level: level, from: source, at: now) else {
      return
    }
    put(LogLine.format(text, level: level, isJournal: isJournal))
  }

  /// When `deadlineReached` is due; nil when no line was held back.
  var nextDeadline: Instant? { limiter.nextDeadline }

  /// Says how many lines were held back.
  mutating func deadlineReached(at now: Instant) {
    for heldBack in limiter.takeHeldBack(at: now) {
      put(LogLine.format(heldBack.inWords, level: .warning, isJournal: isJournal))
    }
  }

  /// Writes unless that would wait: the loop serves clients even when the log has no reader.
  private mutating func put(_ line: String) {
    var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else {
      lostCount += 1
      return
    }
    var line = line
    let written = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if written < 0 { lostCount += 1 }
  }
}

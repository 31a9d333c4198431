import Basics
import Glibc
import Model

/// The log on standard error: one line for each event, never more than a reader can take.
struct Log {
  let level: LogLevel
  let isJournal: Bool
  private(set) var limiter = LogLimiter()
  /// Lines that nobody took: standard error was full or closed.
  private(set) var lostCount = 0

  init(level: LogLevel, isJournal: Bool) {
    self.level = level
    self.isJournal = isJournal
  }

  mutating func write(_ text: String, level: LogLevel, at now: Instant) {
    guard level <= self.level, let heldBack = limiter.admit(text, at: now) else { return }
    let note = heldBack > 0 ? " (and \(heldBack) times more that were held back)" : ""
    put(LogLine.format(text + note, level: level, isJournal: isJournal))
  }

  /// Writes unless that would wait: the loop serves clients even when nobody reads the log.
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

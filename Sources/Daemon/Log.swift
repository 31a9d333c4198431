import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc

/// The log on standard error: one line per event, with limits on the rate.
struct Log {
  let level: LogLevel
  let isJournal: Bool
  private let ring: LogRing
  private(set) var limiter = LogLimiter()
  /// The number of lost lines: standard error was full or closed.
  private(set) var lostCount = 0

  init(level: LogLevel, isJournal: Bool, ring: LogRing = LogRing()) {
    self.level = level
    self.ring = ring
    self.isJournal = isJournal
  }

  mutating func write(
    _ text: String, level: LogLevel, from source: LogSource = .board, at now: Instant
  ) {
    guard level <= self.level, limiter.admits(text, level: level, from: source, at: now) else {
      return
    }
    put(text, level, from: source)
  }

  /// The next call time of `deadlineReached`; nil if no line was held back.
  var nextDeadline: Instant? { limiter.nextDeadline }

  /// Logs the number of lines that were held back.
  mutating func deadlineReached(at now: Instant) {
    for heldBack in limiter.takeHeldBack(at: now) {
      put(heldBack.inWords, .warning, from: heldBack.source)
    }
  }

  /// Writes without blocking: the loop serves clients even if the reader of the log has stopped.
  private mutating func put(_ text: String, _ level: LogLevel, from source: LogSource) {
    ring.append(text, level: level, from: source, at: Clock.utc)
    var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else {
      lostCount += 1
      return
    }
    var line = LogLine.format(text, level: level, isJournal: isJournal)
    let written = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if written < 0 { lostCount += 1 }
  }
}

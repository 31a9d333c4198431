import BinnacleBasics
public import BinnaclePosix
import Glibc
import LiveView

/// `binnacle top` as lines, for terminals without escape sequences and for files.
public final class TopListing {
  /// The shortest time between two readings of the values; lines of the log are collected meanwhile.
  private static let pause = Interval.seconds(1)

  private let signals: Signals
  private let print: ([UInt8]) -> Bool
  private var feed: BoardFeed
  private var lines = TopLines()
  private var budget = PaintBudget()
  private var queue: [UInt8] = []
  private var lookDueAt = Instant.zero
  private var hasNews = true
  /// Whether standard input is a terminal, with keys.
  private let hasKeys = isatty(STDIN_FILENO) == 1
  private var end: TopSession.End?

  /// - Parameters:
  ///   - runtimeDirectory: the value of `--runtime`.
  ///   - signals: the signals that the program catches.
  ///   - print: writes bytes to standard output; false if that is closed.
  public init(
    runtimeDirectory: String?, signals: Signals, print: @escaping ([UInt8]) -> Bool
  ) {
    self.signals = signals
    self.print = print
    feed = BoardFeed(runtimeDirectory: runtimeDirectory)
  }

  /// Prints lines until the person leaves, or the program is stopped.
  public func run() throws(Errno) -> TopSession.End {
    feed.start(at: Clock.now)
    var poll = Poll()
    while true {
      if let end { return end }
      var now = Clock.now
      poll.removeAll()
      poll.set(signals.descriptor, .reading)
      if hasKeys { poll.set(STDIN_FILENO, .reading) }
      feed.watch(with: &poll)
      try poll.wait(until: earlier(feed.nextDeadline(at: now), outputDeadline(at: now)))
      now = Clock.now
      takeKeys(poll)
      feed.work(poll, at: now)
      if let refusal = feed.refusal { return .refused(refusal) }
      if feed.takeChange() { hasNews = true }
      take(at: now)
      flush(at: now)
    }
  }

  /// When waiting bytes may be printed, or the next reading of the values is due.
  private func outputDeadline(at now: Instant) -> Instant? {
    if !queue.isEmpty {
      return budget.roomTime(of: min(queue.count, PaintBudget.bytesAtOnceMin), at: now)
    }
    return hasNews ? lookDueAt : lines.nextDeadline
  }

  private func takeKeys(_ poll: Poll) {
    while let signal = signals.next() {
      if [.terminate, .interrupt, .hangUp].contains(signal) { end = .left }
    }
    guard hasKeys, !poll.readiness(of: STDIN_FILENO).isEmpty else { return }
    var buffer = [UInt8](repeating: 0, count: 256)
    // No byte: the terminal has gone.
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count <= 0 || buffer[..<count].contains(UInt8(ascii: "q")) { end = .left }
  }

  private func take(at now: Instant) {
    guard queue.isEmpty, lookDueAt <= now else { return }
    let isDue = lines.nextDeadline.map { $0 <= now } ?? false
    guard hasNews || isDue else { return }
    hasNews = false
    lookDueAt = now + TopListing.pause
    feed.setTime(Clock.utc, at: now)
    _ = feed.takeChange()
    for text in lines.take(feed.snapshot, at: now) { queue += Array((text + "\n").utf8) }
  }

  private func flush(at now: Instant) {
    let count = min(queue.count, budget.room(at: now))
    guard count > 0 else { return }
    if !print(Array(queue.prefix(count))) { end = .left }
    budget.spent(count, at: now)
    queue.removeFirst(count)
  }
}

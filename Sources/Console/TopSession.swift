import BinnacleBasics
public import BinnaclePosix
import LiveView

/// `binnacle top` on the whole screen of a terminal: keys in, few bytes out, and the terminal given back at the end.
public final class TopSession {
  /// The end of a view.
  public enum End: Equatable, Sendable {
    /// A key, or a signal.
    case left
    /// The daemon reports nothing to this user, for this reason.
    case refused(String)
  }

  /// The shortest time between two paintings, so that fast changes are joined.
  private static let paintPause = Interval.milliseconds(100)
  /// The longest wait for the last bytes at the end.
  private static let closingTimeMax = Interval.milliseconds(300)
  /// With less room it is better to wait than to paint a few characters.
  private static let worthwhileRoom = 200

  private let line: ConsoleLine
  private let signals: Signals
  private var feed: BoardFeed
  private var painter: GridPainter
  private var budget: PaintBudget
  private var poll = Poll()
  private var grid = CellGrid(columns: 1, rows: 1)
  private var isPainted = false
  private var paintDueAt = Instant.zero
  private var clockDueAt = Instant.zero
  /// The values on the screen while the person has stopped the view.
  private var held: BoardSnapshot?
  /// Whether a shell uses the terminal: the view then neither reads nor paints, and looks every second.
  private var isInBackground = false
  private var end: End?

  /// - Parameters:
  ///   - line: the terminal.
  ///   - kind: the kind of the terminal.
  ///   - runtimeDirectory: the value of `--runtime`.
  ///   - signals: the signals that the program catches.
  public init(
    _ line: ConsoleLine, kind: TerminalKind, runtimeDirectory: String?, signals: Signals
  ) {
    self.line = line
    self.signals = signals
    feed = BoardFeed(runtimeDirectory: runtimeDirectory)
    painter = GridPainter(hasColors: kind.hasColors)
    budget = PaintBudget(baud: line.speed)
  }

  /// Shows the view until the person leaves, the terminal goes, or the program is stopped.
  public func run() throws(Errno) -> End {
    feed.start(at: Clock.now)
    while end == nil { try turn() }
    leave()
    return end ?? .left
  }

  private func turn() throws(Errno) {
    var now = Clock.now
    poll.removeAll()
    if !isInBackground {
      poll.set(line.descriptor, line.wantsToWrite(at: now) ? [.reading, .writing] : .reading)
    }
    poll.set(signals.descriptor, .reading)
    feed.watch(with: &poll)
    let paintAt = isPainted || isInBackground || !line.isIdle ? nil : paintTime(at: now)
    try poll.wait(until: earlier(earlier(feed.nextDeadline(at: now), clockDueAt), paintAt))
    now = Clock.now
    takeSignals()
    let readiness = isInBackground ? [] : poll.readiness(of: line.descriptor)
    if readiness.contains(.readable) {
      for key in line.read() { take(key) }
    } else if !readiness.isDisjoint(with: [.hungUp, .failed, .invalid]) {
      line.lost()
    }
    feed.work(poll, at: now)
    if let refusal = feed.refusal { end = .refused(refusal) }
    if clockDueAt <= now {
      clockDueAt = now + .seconds(1)
      feed.setTime(Clock.utc, at: now)
      if isInBackground { resume() }
    }
    if feed.takeChange() { layOut() }
    if !isInBackground {
      line.flush(at: now)
      paint(at: now)
    }
    if line.isGone { end = end ?? .left }
  }

  // MARK: Input

  private func takeSignals() {
    while let signal = signals.next() {
      switch signal {
      case .terminate, .hangUp, .interrupt: end = end ?? .left
      case .windowChanged: layOut()
      case .stop: suspend()
      case .continued: resume()
      case .user1, .user2: continue
      }
    }
  }

  private func take(_ key: UInt8) {
    switch key {
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), Key.controlC: end = end ?? .left
    case Key.controlZ: suspend()
    case Key.controlL, UInt8(ascii: "r"), UInt8(ascii: "R"): redraw()
    case UInt8(ascii: "p"), UInt8(ascii: "P"), UInt8(ascii: " "):
      held = held == nil ? feed.snapshot : nil
      layOut()
    default: break
    }
  }

  private func suspend() {
    leave()
    line.giveBack()
    signals.suspend()
    resume()
  }

  /// After a stop: a shell has used the terminal meanwhile, and still does until it puts the view in the foreground.
  private func resume() {
    isInBackground = !line.isInForeground
    if isInBackground { return }
    line.takeAgain()
    redraw()
  }

  private func redraw() {
    painter.forget()
    layOut()
  }

  // MARK: Output

  private func layOut() {
    let window = line.window
    let screen = TopScreen(
      held ?? feed.snapshot, columns: Int(window.columns), isHeld: held != nil)
    grid = screen.grid(rows: Int(window.rows))
    isPainted = painter.shows(grid)
  }

  /// When the next painting is due.
  private func paintTime(at now: Instant) -> Instant {
    max(paintDueAt, budget.roomTime(of: TopSession.worthwhileRoom, at: now))
  }

  /// Paints as much as the budget allows, once the terminal has taken the bytes before.
  private func paint(at now: Instant) {
    guard !isPainted, line.isIdle, paintTime(at: now) <= now else { return }
    let bytes = painter.paint(grid, budget: budget.room(at: now))
    budget.spent(bytes.count, at: now)
    line.put(bytes, at: now)
    isPainted = painter.shows(grid)
    paintDueAt = now + TopSession.paintPause
  }

  /// Puts the cursor below the picture, and gives the terminal a moment to take the bytes.
  private func leave() {
    if isInBackground { return }
    let limit = Clock.now + TopSession.closingTimeMax
    line.put(GridPainter.leaving(rows: Int(line.window.rows)), at: Clock.now)
    var poll = Poll()
    poll.set(line.descriptor, .writing)
    while !line.isIdle, !line.isGone, Clock.now < limit {
      guard (try? poll.wait(until: limit)) != nil else { return }
      line.flush(at: Clock.now)
    }
  }
}

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import Glibc

/// Waits for the operator at the terminal, for a line of the board and for signals.
///
/// Messages go to standard error, so that only findings are on standard output.
struct PanelDesk {
  /// An event.
  enum News {
    case fact(LineFact)
    /// A typed line, without its line end.
    case typed(String)
    case deadline
  }

  /// The reason why a test ends.
  enum Stop: Error {
    /// The operator or the system has requested the end, or the terminal is closed.
    case ended
    case lost(line: String, key: String, LineFault)
    case failed(Errno)
  }

  /// The longest time for which a lamp stays lit.
  private static let answerTimeMax = Interval.seconds(300)
  /// The time-out for switching a lamp off at the end.
  private static let partingTimeMax = Interval.seconds(1)
  private static let typedBytesMax = 4_096

  private let signals: Signals
  private var poll = Poll()
  private var typed: [UInt8] = []

  init() throws(Errno) {
    // A signal without this handler would leave lamps lit.
    signals = try Signals([.interrupt, .terminate, .hangUp])
    Signals.ignoreBrokenPipes()
  }

  // MARK: The terminal

  func say(_ text: String, isWhole: Bool = true) {
    Output.speak(text + (isWhole ? "\n" : ""))
  }

  /// Asks a yes-or-no question.
  mutating func ask(_ question: String, _ line: TriedLine) throws(Stop) -> Bool {
    let end = Clock.now + PanelDesk.answerTimeMax
    forgetTyped()
    while true {
      say("\(question) [Y/n] ", isWhole: false)
      switch try typedLine(line, until: end).lowercased() {
      case "", "y", "yes": return true
      case "n", "no": return false
      default: say("y or Enter for yes, n for no")
      }
    }
  }

  /// Discards input that was typed before a question.
  mutating func forgetTyped() {
    typed = []
    // A terminal that cannot discard its input does not end the test.
    try? Terminal(borrowing: STDIN_FILENO).flushInput()
  }

  private mutating func typedLine(_ line: TriedLine, until end: Instant) throws(Stop) -> String {
    while true {
      switch try next(line, isTyping: true, until: end) {
      case .typed(let text): return text
      case .fact: continue
      case .deadline:
        say("\nno answer: the trial ends")
        throw .ended
      }
    }
  }

  // MARK: Waiting

  /// Waits for the next event.
  ///
  /// - Parameters:
  ///   - line: the line in the test; nil: wait for the terminal and the deadline only.
  ///   - isTyping: whether typed input is read.
  ///   - deadline: the time-out; nil: only the line's own time-outs apply.
  /// - Returns: the event, facts of the line first.
  /// - Throws: the reason why the test ends.
  mutating func next(
    _ line: TriedLine?, isTyping: Bool, until deadline: Instant?
  ) throws(Stop) -> News {
    while true {
      if let line, let fact = line.nextFact() {
        if case .lost(let error) = fact { throw .lost(line: line.name, key: line.key, error) }
        return .fact(fact)
      }
      if isTyping, let text = takeTyped() { return .typed(text) }
      if let deadline, deadline <= Clock.now { return .deadline }
      try wait(line, isTyping: isTyping, until: deadline)
      if signals.next() != nil { throw .ended }
      if isTyping, !poll.readiness(of: STDIN_FILENO).isEmpty { try readTyped() }
      if let line, let polled = line.polled { line.turn(poll.readiness(of: polled.descriptor)) }
    }
  }

  /// The level in the answer to an order, or at the opening of the line.
  mutating func level(of line: TriedLine) throws(Stop) -> Bool {
    while true {
      switch try next(line, isTyping: false, until: nil) {
      case .fact(.level(let isActive)), .fact(.opened(let isActive, _)): return isActive
      case .fact, .typed, .deadline: continue
      }
    }
  }

  /// Waits for an interval.
  mutating func pause(_ interval: Interval) throws(Stop) {
    _ = try next(nil, isTyping: false, until: Clock.now + interval)
  }

  /// Switches a lamp off, in any state of the test.
  mutating func putOut(_ line: TriedLine) {
    line.set(false)
    let end = Clock.now + PanelDesk.partingTimeMax
    while line.polled != nil, Clock.now < end {
      while let fact = line.nextFact() {
        if case .level(false) = fact { return }
      }
      guard let polled = line.polled, (try? wait(line, isTyping: false, until: end)) != nil else {
        return
      }
      line.turn(poll.readiness(of: polled.descriptor))
      // A second request to end ends the wait.
      _ = signals.next()
    }
  }

  private mutating func wait(
    _ line: TriedLine?, isTyping: Bool, until deadline: Instant?
  ) throws(Stop) {
    poll.removeAll()
    poll.set(signals.descriptor, .reading)
    if isTyping { poll.set(STDIN_FILENO, .reading) }
    if let polled = line?.polled { poll.set(polled.descriptor, polled.interest) }
    do throws(Errno) {
      try poll.wait(until: [deadline, line?.nextDeadline].compactMap { $0 }.min())
    } catch {
      throw .failed(error)
    }
  }

  private mutating func readTyped() throws(Stop) {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    // The input has ended, or the terminal was closed.
    if count == 0 || count < 0 && ![.interrupted, .wouldBlock].contains(Errno.current) {
      throw .ended
    }
    if count > 0, typed.count < PanelDesk.typedBytesMax { typed += buffer[..<count] }
  }

  private mutating func takeTyped() -> String? {
    // In raw mode a terminal sends a carriage return for the Enter key.
    guard let end = typed.firstIndex(where: { $0 == 10 || $0 == 13 }) else { return nil }
    let line = typed[..<end]
    typed.removeSubrange(...end)
    return String(decoding: line, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }
}

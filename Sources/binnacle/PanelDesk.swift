import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import Glibc

/// The person at the terminal, a line of the board, and the signals, waited for together.
///
/// It speaks on standard error, so that findings alone are on standard output.
struct PanelDesk {
  /// What was waited for.
  enum News {
    case fact(LineFact)
    /// A line that was typed, without its end.
    case typed(String)
    case deadline
  }

  /// Why a trial does not go on.
  enum Stop: Error {
    /// The person or the system asked for the end, or nobody is there any more.
    case ended
    case lost(line: String, key: String, LineFault)
    case failed(Errno)
  }

  /// Nobody lets a lamp shine for ever.
  private static let answerTimeMax = Interval.seconds(300)
  /// How long a lamp may take to go out at the end.
  private static let partingTimeMax = Interval.seconds(1)
  private static let typedBytesMax = 4_096

  private let signals: Signals
  private var poll = Poll()
  private var typed: [UInt8] = []

  init() throws(Errno) {
    // Ended between, it would leave lamps lit.
    signals = try Signals([.interrupt, .terminate, .hangUp])
    Signals.ignoreBrokenPipes()
  }

  // MARK: The terminal

  func say(_ text: String, isWhole: Bool = true) {
    Output.speak(text + (isWhole ? "\n" : ""))
  }

  /// Asks a question that is answered by yes or no.
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

  /// What was typed before a question is no answer to it.
  mutating func forgetTyped() {
    typed = []
    // A terminal that cannot forget is not worth an end.
    try? Terminal(borrowing: STDIN_FILENO).flushInput()
  }

  private mutating func typedLine(_ line: TriedLine, until end: Instant) throws(Stop) -> String {
    while true {
      switch try next(line, isTyping: true, until: end) {
      case .typed(let text): return text
      case .fact: continue
      case .deadline:
        say("\nnobody answers")
        throw .ended
      }
    }
  }

  // MARK: Waiting

  /// Waits for the next thing that happens.
  ///
  /// - Parameters:
  ///   - line: the line that is tried; nil: only time passes.
  ///   - isTyping: whether what is typed matters.
  ///   - deadline: nil: the line's own limits count.
  /// - Returns: what has happened, facts of the line first.
  /// - Throws: why there is nothing more to wait for.
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

  /// The level that an order is answered with, or that the line had when it was opened.
  mutating func level(of line: TriedLine) throws(Stop) -> Bool {
    while true {
      switch try next(line, isTyping: false, until: nil) {
      case .fact(.level(let isActive)), .fact(.opened(let isActive, _)): return isActive
      case .fact, .typed, .deadline: continue
      }
    }
  }

  /// Lets time pass.
  mutating func pause(_ interval: Interval) throws(Stop) {
    _ = try next(nil, isTyping: false, until: Clock.now + interval)
  }

  /// Puts a lamp out, whatever has happened.
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
      // Asked to end once more it ends all the same.
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
    // The end of the input, or a terminal that has gone.
    if count == 0 || count < 0 && ![.interrupted, .wouldBlock].contains(Errno.current) {
      throw .ended
    }
    if count > 0, typed.count < PanelDesk.typedBytesMax { typed += buffer[..<count] }
  }

  private mutating func takeTyped() -> String? {
    // A raw terminal sends what the key sends.
    guard let end = typed.firstIndex(where: { $0 == 10 || $0 == 13 }) else { return nil }
    let line = typed[..<end]
    typed.removeSubrange(...end)
    return String(decoding: line, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }
}

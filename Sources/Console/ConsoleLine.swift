import BinnacleBasics
public import BinnaclePosix
import Glibc

/// The terminal of a console: single keys in, paced bytes out, and never a wait.
public final class ConsoleLine {
  /// The speed of a serial line unless another is given.
  public static let speedUsual: UInt32 = 115_200
  /// Waiting bytes of which more is not produced.
  static let queueGood = 2_048
  /// The most bytes that wait; a line that nothing reads loses the rest.
  static let queueMax = 65_536

  private let file: FileDescriptor
  /// The settings of a terminal that is given back.
  private let original: Terminal.Settings?
  private var pace: LinePace?
  /// The speed to which output is paced; nil: as fast as the terminal takes it.
  let baud: UInt32?
  private var queue: [UInt8] = []
  /// Whether the far end has gone: a cable was pulled, or a terminal was closed.
  private(set) var isGone = false
  /// Whether the last byte of the output was a line feed.
  private(set) var isAtLineStart = true

  private init(_ file: consuming FileDescriptor, original: Terminal.Settings?, baud: UInt32?) {
    self.file = file
    self.original = original
    self.baud = baud
    pace = baud.map { LinePace(baud: $0) }
  }

  deinit { giveBack() }

  /// Gives a terminal the settings that it had before; in the background it has those of the shell.
  func giveBack() {
    if let original, isInForeground { try? terminal.set(original) }
  }

  /// Whether no shell uses the terminal meanwhile.
  var isInForeground: Bool { terminal.isInForeground }

  /// Takes single keys again after `giveBack`.
  func takeAgain() { try? terminal.makeConsole() }

  /// The speed that the driver reports; nil if it reports none.
  var speed: UInt32? { try? terminal.speed() }

  /// Opens a serial line.
  public static func device(_ path: String, baud: UInt32) throws(SystemError) -> ConsoleLine {
    do throws(Errno) {
      let file = try FileDescriptor.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
      let terminal = Terminal(borrowing: file.number)
      try terminal.makeConsole()
      try terminal.setSpeed(baud)
      return ConsoleLine(file, original: nil, baud: baud)
    } catch {
      throw SystemError(error, path)
    }
  }

  /// Opens the terminal at standard input; `notATerminal` for other files.
  ///
  /// - Parameter baud: the pace of output; nil: the terminal takes output as fast as it comes.
  /// - Returns: the terminal, which gets its settings back when this value is released.
  /// - Throws: the error of the system.
  public static func own(baud: UInt32?) throws(SystemError) -> ConsoleLine {
    do throws(Errno) {
      // A file of its own, so that other programs at this terminal keep their mode of waiting.
      let file = try FileDescriptor.open("/proc/self/fd/0", O_RDWR | O_NOCTTY | O_NONBLOCK)
      let terminal = Terminal(borrowing: file.number)
      let original = try terminal.settings()
      try terminal.makeConsole()
      return ConsoleLine(file, original: original, baud: baud)
    } catch {
      let fault = SystemError(error, "standard input")
      guard error == .accessDenied else { throw fault }
      throw SystemError(
        error,
        description:
          "\(fault): the terminal belongs to another user; 'script /dev/null' starts one of this user"
      )
    }
  }

  private var terminal: Terminal { Terminal(borrowing: file.number) }

  var descriptor: Int32 { file.number }

  /// The size of the screen; a serial line has the size of the oldest terminals.
  var window: Terminal.Window {
    let window = terminal.window
    return window.columns == 0 || window.rows == 0 ? .init(columns: 80, rows: 24) : window
  }

  // MARK: Input

  /// The bytes that were typed; empty without any.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    do throws(Errno) {
      guard let count = try file.read(into: &buffer) else { return [] }
      if count == 0 { isGone = true }
      return Array(buffer[..<count])
    } catch {
      isGone = true
      return []
    }
  }

  // MARK: Output

  /// Whether no byte waits.
  var isIdle: Bool { queue.isEmpty }

  /// Whether enough bytes wait.
  var isBusy: Bool { queue.count >= ConsoleLine.queueGood }

  func put(_ bytes: some BidirectionalCollection<UInt8>, at now: Instant) {
    guard let last = bytes.last else { return }
    isAtLineStart = last == UInt8(ascii: "\n")
    queue.append(contentsOf: bytes)
    if queue.count > ConsoleLine.queueMax {
      queue = Array("\n(output that nothing has read is left out)\n".utf8)
    }
    flush(at: now)
  }

  /// Notes that the cursor is in the first column of an empty row.
  func startedLine() { isAtLineStart = true }

  func put(_ text: String, at now: Instant) { put(Array(text.utf8), at: now) }

  /// Drops the waiting output, also in the kernel.
  func discard(at now: Instant) {
    queue.removeAll()
    try? terminal.flushOutput()
    pace?.discarded(at: now)
  }

  /// The reason to poll the line, besides reading.
  func wantsToWrite(at now: Instant) -> Bool {
    !queue.isEmpty && pace.map { $0.room(at: now) > 0 } ?? true
  }

  /// When the line takes bytes again; nil: no byte waits for the pace.
  func nextRoom(at now: Instant) -> Instant? {
    guard !queue.isEmpty, let pace, pace.room(at: now) == 0 else { return nil }
    return pace.nextRoom
  }

  func flush(at now: Instant) {
    while !queue.isEmpty, !isGone {
      let room = room(at: now)
      if room == 0 { return }
      do throws(Errno) {
        guard let count = try file.write(queue.prefix(room)) else { return }
        queue.removeFirst(count)
        pace?.sent(count, at: now)
      } catch {
        isGone = true
      }
    }
  }

  /// A line with flow control may carry less than its speed, so the kernel is asked, too.
  private func room(at now: Instant) -> Int {
    guard let pace else { return ConsoleLine.queueGood }
    let waiting = (try? terminal.outputQueued()) ?? 0
    return min(pace.room(at: now), max(0, pace.burst - waiting))
  }

  func lost() { isGone = true }
}

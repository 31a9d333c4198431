import Basics
import Posix

/// The near end of a pseudo-terminal with a name of its own in the file system, and the signals that end it.
final class VirtualLine {
  /// What ended a wait.
  enum Outcome {
    case deadline
    case bytes([UInt8])
    case stopped
  }

  private let path: String
  private let terminal: PseudoTerminal
  private let signals: Signals
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private(set) var isOpen = false
  /// How often a line that nobody holds open looks whether somebody has come.
  private static let lookEvery = Interval.milliseconds(20)

  init(path: String, speed: UInt32) throws {
    self.path = path
    Signals.ignoreBrokenPipes()
    signals = try Signals([.interrupt, .terminate, .hangUp])
    terminal = try PseudoTerminal(speed: speed)
    poll.set(signals.descriptor, .reading)
    try Files.makeLink(path, to: terminal.farEndName)
    Poll.setTimerSlack(.microseconds(1))
  }

  deinit {
    // Another program may have taken the name over.
    if (try? Files.linkTarget(path)) == terminal.farEndName { try? Files.remove(path) }
  }

  /// The speed that the far end's owner has set, in baud.
  var speed: Int { (try? terminal.speed).map(Int.init) ?? 0 }

  /// Waits for bytes, a signal or a deadline.
  func wait(until deadline: Instant?) throws -> Outcome {
    while true {
      lookForOwner()
      let look = Clock.now + VirtualLine.lookEvery
      let end = isOpen ? deadline : min(look, deadline ?? look)
      try poll.wait(until: end)
      if signals.next() != nil { return .stopped }
      if isOpen, let bytes = read() { return .bytes(bytes) }
      if let deadline, Clock.now >= deadline { return .deadline }
    }
  }

  /// Writes what the line takes; without an owner, and with one who does not read, bytes are lost as on a real line.
  func write(_ bytes: [UInt8]) {
    lookForOwner()
    guard isOpen else { return }
    _ = try? terminal.write(bytes[...])
  }

  private func lookForOwner() {
    let isOpenNow = terminal.isFarEndOpen
    guard isOpenNow != isOpen else { return }
    isOpen = isOpenNow
    if isOpen {
      poll.set(terminal.descriptor, .reading)
    } else {
      poll.remove(terminal.descriptor)
    }
  }

  private func read() -> [UInt8]? {
    guard let count = try? terminal.read(into: &buffer), count > 0 else { return nil }
    return Array(buffer[..<count])
  }
}

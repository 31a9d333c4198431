import BinnacleBasics
import BinnaclePosix
import Glibc

/// The simulator's end of a line, with a wait that also covers the signals that end the program.
final class VirtualLine {
  /// The cause of the end of a wait.
  enum Outcome {
    case deadline
    case bytes([UInt8])
    case stopped
    /// The line itself is gone.
    case gone
    /// SIGUSR1 arrived: the supply dips.
    case dipped
    /// SIGUSR2 arrived: an edge at EXTINT0.
    case interrupted
  }

  private let end: any LineEnd
  /// The link to a pseudo-terminal's far end, and its target.
  private let link: (path: String, target: String)?
  private let signals: Signals
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private(set) var isOpen = false

  /// Opens a pseudo-terminal whose far end has its own name in the file system.
  convenience init(path: String, speed: UInt32) throws {
    let terminal = try PseudoTerminal(speed: speed)
    try self.init(terminal, link: (path, terminal.farEndName))
  }

  /// Opens one end of a null modem or of a USB line.
  convenience init(device: String, farEnd: String) throws {
    try self.init(SerialEnd(device: device, farEnd: farEnd), link: nil)
  }

  private init(_ end: any LineEnd, link: (path: String, target: String)?) throws {
    self.end = end
    self.link = link
    Signals.ignoreBrokenPipes()
    signals = try Signals([.interrupt, .terminate, .hangUp, .user1, .user2])
    if let link { try Files.makeLink(link.path, to: link.target) }
    poll.set(signals.descriptor, .reading)
    if end.isHangUpFinal { poll.set(end.descriptor, []) }
    Poll.setTimerSlack(.microseconds(1))
  }

  deinit {
    // Another program may have replaced the link.
    if let link, (try? Files.linkTarget(link.path)) == link.target { try? Files.remove(link.path) }
  }

  /// The speed in baud at which the far end's owner listens and sends; nil where the line has no speed.
  var speed: Int? { end.farSpeed }

  /// Whether the owner of a pseudo-terminal's far end has not read all bytes yet; closing the line would discard them.
  var hasUnreadBytes: Bool {
    guard let link,
      let far = try? FileDescriptor.open(link.target, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    else { return false }
    return (try? Terminal(borrowing: far.number).inputQueued() > 0) ?? false
  }

  /// Waits for bytes, a signal or a deadline.
  func wait(until deadline: Instant?) throws -> Outcome {
    while true {
      lookForOwner()
      let pollAt = Clock.now + end.pollPeriod
      let limit = isOpen ? deadline : min(pollAt, deadline ?? pollAt)
      try poll.wait(until: limit)
      switch signals.next() {
      case .user1: return .dipped
      case .user2: return .interrupted
      case .interrupt, .terminate, .hangUp: return .stopped
      case .windowChanged, .stop, .continued, nil: break
      }
      if end.isHangUpFinal, poll.readiness(of: end.descriptor).contains(.hungUp) { return .gone }
      if isOpen, let count = try? end.read(into: &buffer), count > 0 {
        return .bytes(Array(buffer[..<count]))
      }
      if let deadline, Clock.now >= deadline { return .deadline }
    }
  }

  /// Writes as many bytes as the line accepts; without an owner, or with an owner that does not read, bytes are lost.
  ///
  /// - Returns: whether no byte was lost.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    lookForOwner()
    return isOpen && (try? end.write(bytes[...])) == bytes.count
  }

  private func lookForOwner() {
    let isOpenNow = end.isFarEndOpen
    guard isOpenNow != isOpen else { return }
    isOpen = isOpenNow
    if isOpen || end.isHangUpFinal {
      poll.set(end.descriptor, isOpen ? .reading : [])
    } else {
      poll.remove(end.descriptor)
    }
  }
}

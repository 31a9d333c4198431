public import BinnacleBasics
public import BinnacleModel
public import BinnaclePosix
import Glibc

/// A serial device that this process alone uses until it releases the port; no call blocks.
///
/// The line is raw 8N1 without flow control at any speed. Releasing the port restores the line's settings. Facts report
/// events; after `lost` there are no more events and there is no descriptor to poll.
///
///     poll descriptor for interest, until nextDeadline
///     readable or hung up     ->  read(into:readiness:)
///     writable or deadline    ->  proceed(at:)
public final class SerialPort {
  /// The device's path, as requested.
  public let path: String
  public let kind: LineKind
  /// Warnings for the log about a usable port.
  public let warnings: [String]
  /// The speed in baud at which the line runs.
  public private(set) var speed: Int

  private let file: FileDescriptor
  private let terminal: Terminal
  private let foundSettings: Terminal.Settings
  private var orders: [Order] = []
  private var step = Step.idle
  private var isLost = false

  /// An event of the port.
  public enum Fact: Equatable, Sendable {
    /// All bytes given to `write` were sent.
    case drained
    case speedChanged(Int)
    /// The driver does not support this speed; the line keeps its speed.
    case speedRefused(Int)
    /// The device was removed or has failed; no more events follow.
    case lost(ReceiverFault)
  }

  /// The result of a read.
  public enum Arrival: Equatable, Sendable {
    /// Bytes; they are at the front of the buffer.
    case bytes(count: Int)
    case nothing
    case lost(ReceiverFault)
  }

  private enum Order {
    case write(ArraySlice<UInt8>)
    case changeSpeed(Int)
  }

  private enum Step {
    case idle
    /// The send buffer is full; the kernel must take bytes by then.
    case blocked(giveUp: Instant)
    /// The kernel still has bytes to send; check again at `check`; their number must be lower by `giveUp`.
    case draining(check: Instant, queued: Int, giveUp: Instant)
    /// The kernel has no more bytes, but the transmitter may have two.
    case settling(until: Instant)
  }

  /// Opens a device.
  ///
  /// - Parameters:
  ///   - path: the device, or a symbolic link such as those in `/dev/serial/by-id`; the last part may be a
  ///     pattern with `*` and `?`, which selects the first match.
  ///   - speed: in baud.
  /// - Returns: the port.
  /// - Throws: the reason why the port cannot be used; for a device in use, with its holder.
  public static func open(path: String, speed: Int) throws(ReceiverFault) -> SerialPort {
    try SerialPort(opening: path, speed: speed)
  }

  private init(opening path: String, speed: Int) throws(ReceiverFault) {
    let device = try SerialPort.locate(path)
    guard let wanted = UInt32(exactly: speed), wanted > 0 else {
      throw ReceiverFault(.failed, "\(path): there is no speed of \(speed) baud")
    }
    do throws(Errno) {
      let file = try FileDescriptor.open(device.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
      let terminal = Terminal(borrowing: file.number)
      let settings = try terminal.settings()
      let kind = try LineKind(of: terminal)
      try file.lock()
      let others = DeviceHolder.all(of: device.path, device.identity)
      if kind != .pseudoTerminal, !others.isEmpty { throw .busy }
      // The kernel then refuses other programs of ordinary users. A pseudo-terminal would stay exclusive after its
      // holder was killed, as long as its near end is open, and the next holder would be refused. For a pseudo-terminal
      // the file lock must be sufficient.
      if kind != .pseudoTerminal { try terminal.setExclusive(true) }
      do throws(Errno) {
        try terminal.makeRaw(speed: wanted)
        try terminal.flushInput()
        guard SerialPort.isNear(try terminal.speed(), wanted) else { throw .invalidArgument }
      } catch {
        try? terminal.set(settings)
        try? terminal.setExclusive(false)
        throw error
      }
      self.path = path
      self.kind = kind
      self.speed = speed
      self.terminal = terminal
      foundSettings = settings
      warnings =
        SerialPort.warnings(device.path, asked: path)
        + SerialPort.warnings(others, asked: path, device: device.path)
      self.file = file
    } catch {
      throw SerialPort.explain(error, path: path, device: device)
    }
  }

  deinit {
    // The settings of a removed device cannot be restored.
    try? terminal.set(foundSettings)
    try? terminal.setExclusive(false)
    file.unlock()
  }

  /// The descriptor to poll.
  public var descriptor: Int32 { file.number }

  /// The events to poll for.
  public var interest: Poll.Interest {
    if case .blocked = step { return [.reading, .writing] }
    return .reading
  }

  /// The time to call `proceed` if the descriptor is not ready earlier.
  public var nextDeadline: Instant? {
    switch step {
    case .idle: nil
    case .blocked(let giveUp): giveUp
    case .draining(let check, _, let giveUp): min(check, giveUp)
    case .settling(let until): until
    }
  }

  /// The UART's error counters; nil if there are none.
  public var errorCounts: Terminal.ErrorCounts? {
    isLost ? nil : terminal.errorCounts
  }

  /// Reads the available bytes.
  ///
  /// - Parameters:
  ///   - buffer: filled from its start.
  ///   - readiness: the result of poll; a hang-up without bytes to read is a loss.
  /// - Returns: bytes, no bytes, or the loss, which is reported once.
  public func read(
    into buffer: inout [UInt8], readiness: Poll.Readiness = .readable
  ) -> Arrival {
    if isLost { return .nothing }
    do throws(Errno) {
      if let count = try file.read(into: &buffer) {
        return count > 0 ? .bytes(count: count) : .lost(lose(nil))
      }
    } catch {
      return .lost(lose(error))
    }
    return readiness.isDisjoint(with: [.hungUp, .failed, .invalid]) ? .nothing : .lost(lose(nil))
  }

  /// Sends bytes after the waiting bytes; `drained` reports that all bytes were sent.
  public func write(_ bytes: [UInt8], at now: Instant) -> [Fact] {
    if bytes.isEmpty || isLost { return [] }
    var waiting = 0
    for case .write(let rest) in orders { waiting += rest.count }
    if waiting + bytes.count > SerialPort.waitingMax {
      return [.lost(lose(.noBufferSpace))]
    }
    orders.append(.write(bytes[...]))
    if case .blocked = step { return [] }
    return proceed(at: now)
  }

  /// Changes the speed after all bytes so far were sent.
  public func changeSpeed(to speed: Int, at now: Instant) -> [Fact] {
    if isLost { return [] }
    orders.append(.changeSpeed(speed))
    if case .blocked = step { return [] }
    return proceed(at: now)
  }

  /// Continues writing, draining and changing the speed.
  public func proceed(at now: Instant) -> [Fact] {
    var facts: [Fact] = []
    while !isLost {
      switch advance(at: now) {
      case .goOn: break
      case .report(let fact): facts.append(fact)
      case .rest: return facts
      }
    }
    return facts
  }

  /// The result of one step of sending.
  private enum Turn {
    case goOn
    case report(Fact)
    case rest
  }

  private func advance(at now: Instant) -> Turn {
    switch step {
    case .idle: start(at: now)
    case .draining where isWriteNext, .settling where isWriteNext:
      send(giveUp: now + SerialPort.stallMax, at: now)
    case .blocked(let giveUp): send(giveUp: giveUp, at: now)
    case .draining(let check, let queued, let giveUp):
      now < check ? .rest : drain(queued: queued, giveUp: giveUp, at: now)
    case .settling(let until): now < until ? .rest : settle()
    }
  }

  private var isWriteNext: Bool {
    if case .write = orders.first { return true }
    return false
  }

  private func start(at now: Instant) -> Turn {
    switch orders.first {
    case nil:
      return .rest
    case .write:
      return send(giveUp: now + SerialPort.stallMax, at: now)
    case .changeSpeed(let speed):
      orders.removeFirst()
      return .report(apply(speed))
    }
  }

  private func send(giveUp: Instant, at now: Instant) -> Turn {
    guard case .write(let rest) = orders.first else {
      step = .draining(check: now, queued: .max, giveUp: now + SerialPort.stallMax)
      return .goOn
    }
    do throws(Errno) {
      guard let count = try file.write(rest) else {
        if now >= giveUp { return .report(.lost(lose(.timedOut))) }
        step = .blocked(giveUp: giveUp)
        return .rest
      }
      if count == rest.count {
        orders.removeFirst()
      } else {
        orders[0] = .write(rest.dropFirst(count))
      }
      step = .blocked(giveUp: now + SerialPort.stallMax)
      return .goOn
    } catch {
      return .report(.lost(lose(error)))
    }
  }

  private func drain(queued: Int, giveUp: Instant, at now: Instant) -> Turn {
    let rest: Int
    do throws(Errno) {
      rest = try terminal.outputQueued()
    } catch {
      if SerialPort.isUnplugged(error) { return .report(.lost(lose(error))) }
      // A driver without a counter gives no more information.
      rest = 0
    }
    if rest > 0 {
      let giveUp = rest < queued ? now + SerialPort.stallMax : giveUp
      if now >= giveUp { return .report(.lost(lose(.timedOut))) }
      let pause = min(max(character * Int64(rest), .milliseconds(1)), .milliseconds(100))
      step = .draining(check: now + pause, queued: rest, giveUp: giveUp)
      return .rest
    }
    if terminal.isTransmitterEmpty == false, now < giveUp {
      let pause = max(character, .milliseconds(1))
      step = .draining(
        check: now + pause, queued: 0, giveUp: queued == 0 ? giveUp : now + SerialPort.stallMax)
      return .rest
    }
    // One character may be in the shift register and one in the holding register, whatever the driver counts.
    step = .settling(until: now + character * 2)
    return .goOn
  }

  private func settle() -> Turn {
    step = .idle
    return .report(.drained)
  }

  private func apply(_ wanted: Int) -> Fact {
    guard let number = UInt32(exactly: wanted), number > 0 else { return .speedRefused(wanted) }
    do throws(Errno) {
      try terminal.setSpeed(number)
      if SerialPort.isNear(try terminal.speed(), number) {
        speed = wanted
        return .speedChanged(wanted)
      }
    } catch {
      if SerialPort.isUnplugged(error) { return .lost(lose(error)) }
    }
    // The driver may have set another speed, so the last working speed is restored.
    try? terminal.setSpeed(UInt32(clamping: speed))
    return .speedRefused(wanted)
  }

  /// The duration of a character: a start bit, eight data bits and a stop bit.
  private var character: Interval { Interval(nanoseconds: 10_000_000_000 / Int64(speed)) }

  private func lose(_ errno: Errno?) -> ReceiverFault {
    isLost = true
    orders = []
    step = .idle
    return SerialPort.loss(errno, path: path)
  }

  /// The largest number of waiting bytes; the longest configuration is a hundredth of it.
  private static let waitingMax = 65_536
  /// The longest time without progress before the line counts as broken.
  private static let stallMax = Interval.seconds(5)
}

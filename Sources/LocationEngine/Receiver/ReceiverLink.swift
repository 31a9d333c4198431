import BinnacleBasics

/// The open line to a receiver: its kind and speed, and the state of the bytes on it.
struct ReceiverLink: Equatable, Codable, Sendable {
  let kind: Event.ReceiverPort.Kind
  private(set) var speed: Int
  /// The receiver's address on its bus.
  let address: UInt8
  /// Whether bytes came faster than the speed allows, so the set speed is not the pace.
  private(set) var ignoresSpeed = false
  /// When the last whole frame came; before the first one, when the line was opened.
  private(set) var lastFrame: Instant
  private(set) var hasFrames = false
  private(set) var lastBytes: Instant
  /// The number of bytes in the last read; a short read emptied the buffer.
  private var lastCount = 0
  private(set) var quality = LineQuality()
  private var load: LineLoad
  private(set) var rhythm: WakeupPredictor
  private var partial = Partial.none
  private var arrivals = ArrivalLog()

  /// The frame that is under way.
  private enum Partial: Equatable, Codable, Sendable {
    case none
    /// The frame's first byte arrived at `at`; the frame is abandoned unless its rest arrives by `until`.
    case begun(at: Instant, until: Instant)
  }

  private static let partialSlack = Interval.milliseconds(200)
  /// The limit of the wait for a frame.
  ///
  /// On a slow line the limit is longer: the time of the longest frame that receivers were seen to send, 2,200 bytes. A
  /// length that damage made up must not hold back the frames behind it for many seconds.
  private static let partialMax = Interval.seconds(1)
  private static let frameBytesMax: Int64 = 2_200
  /// The size of the I2C buffer (u-blox 8 / M8 receiver description, UBX-13003221, DDC port).
  ///
  /// The size of a UART's buffer is not documented.
  private static let transmitBufferBytes: Int64 = 4_096
  /// The time for which adapters hold bytes back.
  private static let adapterLatency = Interval.milliseconds(50)
  /// A read that gave fewer bytes took all of them.
  private static let emptyingReadMax = 512

  init(_ port: Event.ReceiverPort, at now: Instant) {
    kind = port.kind
    speed = port.speed
    address = port.address
    lastFrame = now
    lastBytes = now
    load = LineLoad(at: now)
    rhythm = WakeupPredictor(speed: port.speed, isPaced: port.kind == .uart)
  }

  /// The longest wait of an answer in the receiver: on a full line, behind a whole transmit buffer.
  var answerDelayMax: Interval {
    load.isFull && kind.hasSpeed ? duration(ofBytes: ReceiverLink.transmitBufferBytes) : .zero
  }

  mutating func speedChanged(_ speed: Int, at now: Instant) {
    self.speed = speed
    load = LineLoad(at: now)
    partial = .none
    arrivals.forgetAll()
    quality.speedChanged()
    rhythm = WakeupPredictor(speed: speed, isPaced: kind == .uart)
  }

  mutating func frameArrived(at now: Instant) {
    lastFrame = now
    hasFrames = true
    quality.frameArrived()
  }

  /// Silence counts from now on.
  mutating func restartedWaiting(at now: Instant) {
    lastFrame = now
  }

  /// A read was parsed.
  mutating func bytesRead(
    _ count: Int, streamEnd: Int, frameOffset: Int, bytesAwaited: Int, damageOccurrences: Int,
    epochMilliseconds: UInt32?, patience: WakeupPredictor.Patience, at now: Instant
  ) {
    learnWhetherPaced(count, at: now)
    lastBytes = now
    lastCount = count
    quality.damageCounted(damageOccurrences)
    load.bytesRead(count, speed: speed, at: now)
    rhythm.bytesRead(
      count, bytesAwaited: bytesAwaited, epochMilliseconds: epochMilliseconds,
      patience: kind == .usb || kind.isBus ? .none : patience, at: now)
    // The bytes of this read end where the frame under way, or the stream, ends.
    arrivals.bytesArrived(from: streamEnd - count, at: now)
    inspect(at: frameOffset, bytesAwaited)
  }

  /// A frame was given up, and the bytes that it had hidden were parsed.
  mutating func partialAbandoned(frameOffset: Int, bytesAwaited: Int) {
    inspect(at: frameOffset, bytesAwaited)
  }

  private mutating func inspect(at offset: Int, _ bytesAwaited: Int) {
    guard bytesAwaited > 0 else {
      partial = .none
      return arrivals.forgetAll()
    }
    partial = begun(offset: offset, bytesAwaited)
    arrivals.forget(before: offset)
  }

  /// Detects a line that does not carry bytes at its speed, such as a software null modem or a bridge of sockets.
  private mutating func learnWhetherPaced(_ count: Int, at now: Instant) {
    guard kind == .uart, !ignoresSpeed, lastCount < ReceiverLink.emptyingReadMax,
      duration(ofBytes: Int64(count)) > now - lastBytes + ReceiverLink.adapterLatency
    else { return }
    ignoresSpeed = true
    rhythm = WakeupPredictor(speed: speed, isPaced: false)
  }

  private func begun(offset: Int, _ bytesAwaited: Int) -> Partial {
    let beginning = arrivals.arrival(of: offset) ?? lastBytes
    let longest = max(
      ReceiverLink.partialMax,
      duration(ofBytes: ReceiverLink.frameBytesMax) + ReceiverLink.partialSlack)
    // Bytes may come more slowly than the speed says, so each byte restarts the wait.
    let rest = duration(ofBytes: Int64(bytesAwaited)) + ReceiverLink.partialSlack
    let until = max(lastBytes, rhythm.quietUntil ?? lastBytes) + rest
    return .begun(at: beginning, until: min(until, beginning + longest))
  }

  private func duration(ofBytes count: Int64) -> Interval {
    Interval(nanoseconds: min(count, 65_536) * 10_000_000_000 / Int64(max(300, speed)))
  }

  /// Whether the frame under way has taken too long; if so, it is given up.
  mutating func givesUpPartial(at now: Instant) -> Bool {
    guard case .begun(_, let until) = partial, until <= now else { return false }
    partial = .none
    return true
  }

  mutating func becameUrgent() {
    rhythm.becameUrgent()
  }

  var nextDeadline: Instant? {
    switch partial {
    case .none: nil
    case .begun(_, let until): until
    }
  }

  /// When a silence that is due may be declared.
  ///
  /// A frame that began before `due` may still end, or the frames hidden in it may appear. A frame that began later
  /// postpones nothing, so continuous noise cannot prevent the declaration.
  func silenceDeadline(_ due: Instant) -> Instant {
    switch partial {
    case .none: due
    case .begun(let beginning, let until): beginning <= due ? max(due, until) : due
    }
  }
}

public import BinnacleBasics

/// Bytes on the line from the receiver to the host, as a UART sends them.
public struct LineBytes: Equatable, Sendable {
  public var bytes: [UInt8]
  /// The sender's speed in baud.
  public var speed: Int
  /// The end of the last stop bit: no reader can have read the last byte earlier.
  public var completedAt: Instant
}

/// The sending half of the receiver's UART: a bounded buffer, ten bits per byte.
struct Transmitter: Sendable {
  /// The size of the buffer.
  ///
  /// Messages that do not fit are dropped completely and reported as "txbuf alloc" (recording pyubx2-mixed.log). The
  /// size is that of the I2C buffer (Docs/SOURCES.md, U2).
  static let capacity = 4_096
  private(set) var speed: Int
  /// The number of messages that did not fit.
  private(set) var droppedCount = 0
  private var buffer: [UInt8] = []
  private var position = 0
  /// The speed changes, each after the byte at an offset from `position` was sent.
  private var changes: [(offset: Int, speed: Int)] = []
  private var isLineBusyUntil: Instant
  private let chunk: Int

  /// - Parameters:
  ///   - speed: the initial speed in baud.
  ///   - chunk: the number of bytes that are delivered together, as by a UART's FIFO.
  ///   - start: the line is idle before this instant.
  init(speed: Int, chunk: Int, start: Instant) {
    self.speed = speed
    self.chunk = chunk
    isLineBusyUntil = start
  }

  var pendingCount: Int { buffer.count - position }

  /// The time that the waiting bytes take on the line.
  var pendingTime: Interval { duration(of: pendingCount) }

  /// Appends a complete message, or drops the complete message.
  mutating func send(_ message: [UInt8], at now: Instant) -> Bool {
    guard pendingCount + message.count <= Transmitter.capacity else {
      droppedCount += 1
      return false
    }
    if pendingCount == 0, isLineBusyUntil < now { isLineBusyUntil = now }
    buffer += message
    return true
  }

  /// Changes the speed for all bytes that have not been sent yet.
  mutating func changeSpeedNow(_ speed: Int) {
    changes.removeAll()
    self.speed = speed
  }

  /// Changes the speed after all waiting bytes.
  mutating func changeSpeedWhenEmpty(_ speed: Int) {
    changes.append((pendingCount, speed))
    applyChanges()
  }

  /// Discards the waiting bytes: the receiver was reset.
  mutating func clear(speed: Int) {
    buffer.removeAll(keepingCapacity: true)
    position = 0
    changes.removeAll()
    self.speed = speed
  }

  /// The instant at which the next chunk has left the line.
  var nextDeadline: Instant? {
    guard pendingCount > 0 else { return nil }
    return isLineBusyUntil + duration(of: nextChunkCount)
  }

  /// Delivers the chunks that have left the line by now.
  mutating func advance(to now: Instant, into output: inout [LineBytes]) {
    while pendingCount > 0 {
      let count = nextChunkCount
      let end = isLineBusyUntil + duration(of: count)
      guard end <= now else { return }
      output.append(
        LineBytes(
          bytes: Array(buffer[position..<position + count]), speed: speed, completedAt: end))
      isLineBusyUntil = end
      position += count
      for index in changes.indices { changes[index].offset -= count }
      applyChanges()
      if position == buffer.count {
        buffer.removeAll(keepingCapacity: true)
        position = 0
      }
    }
  }

  private var nextChunkCount: Int {
    min(chunk, pendingCount, changes.first?.offset ?? Int.max)
  }

  private mutating func applyChanges() {
    while let first = changes.first, first.offset <= 0 {
      speed = first.speed
      changes.removeFirst()
    }
  }

  private func duration(of count: Int) -> Interval {
    Interval(nanoseconds: SerialSampling.nanoseconds(bytes: count, speed: speed))
  }
}

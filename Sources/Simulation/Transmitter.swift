public import BinnacleBasics

/// Bytes on the line from the receiver to the host, as a UART sends them.
public struct LineBytes: Equatable, Sendable {
  public var bytes: [UInt8]
  /// The sender's speed in baud.
  public var speed: Int
  /// When the last stop bit ended: nobody can have read the last byte before.
  public var completedAt: Instant
}

/// The sending half of the receiver's UART: a bounded buffer, ten bits per byte.
struct Transmitter: Sendable {
  /// What the buffer holds; what does not fit is dropped message by message and told as "txbuf alloc" (recording
  /// pyubx2-mixed.log; the size is that of the I2C buffer, `ublox.md` section 2).
  static let capacity = 4_096
  private(set) var speed: Int
  /// How many messages found no room.
  private(set) var droppedCount = 0
  private var buffer: [UInt8] = []
  private var position = 0
  /// Speeds to change to once the byte at an offset from `position` has been sent.
  private var changes: [(offset: Int, speed: Int)] = []
  private var isLineBusyUntil: Instant
  private let chunk: Int

  /// - Parameters:
  ///   - speed: the speed to begin with, in baud.
  ///   - chunk: bytes that are handed out together, as a UART's FIFO does.
  ///   - start: the line is idle before.
  init(speed: Int, chunk: Int, start: Instant) {
    self.speed = speed
    self.chunk = chunk
    isLineBusyUntil = start
  }

  var pendingCount: Int { buffer.count - position }

  /// How long what waits takes on the line.
  var pendingTime: Interval { duration(of: pendingCount) }

  /// Appends a message as a whole or drops it as a whole.
  mutating func send(_ message: [UInt8], at now: Instant) -> Bool {
    guard pendingCount + message.count <= Transmitter.capacity else {
      droppedCount += 1
      return false
    }
    if pendingCount == 0, isLineBusyUntil < now { isLineBusyUntil = now }
    buffer += message
    return true
  }

  /// Changes the speed for everything that has not been sent yet.
  mutating func changeSpeedNow(_ speed: Int) {
    changes.removeAll()
    self.speed = speed
  }

  /// Changes the speed behind everything that waits.
  mutating func changeSpeedWhenEmpty(_ speed: Int) {
    changes.append((pendingCount, speed))
    applyChanges()
  }

  /// Forgets what waits: the receiver was reset.
  mutating func clear(speed: Int) {
    buffer.removeAll(keepingCapacity: true)
    position = 0
    changes.removeAll()
    self.speed = speed
  }

  /// When the next chunk will have left the line.
  var nextDeadline: Instant? {
    guard pendingCount > 0 else { return nil }
    return isLineBusyUntil + duration(of: nextChunkCount)
  }

  /// Takes the chunks that have left the line by now.
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

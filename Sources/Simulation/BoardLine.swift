import BinnacleBasics

/// The board's end of the serial line in virtual time.
///
/// The line holds the written bytes that have not left and the arrived bytes that the daemon has not read.
struct BoardLine: Sendable {
  /// The speed of the open device in baud; nil while it is closed.
  private(set) var speed: Int?
  /// Counts openings, so that the board ignores answers to an earlier opening.
  private(set) var opening = 0
  /// The bytes that the kernel holds while no reader fetches them.
  static let inputMax = 4_096
  private(set) var lostCount = 0
  private var input: [UInt8] = []
  private var inputSince: Instant?
  private var busyUntil = Instant.zero

  mutating func open(speed: Int, at now: Instant) {
    self.speed = speed
    opening += 1
    input.removeAll()
    inputSince = nil
    busyUntil = now
  }

  mutating func close() {
    speed = nil
    opening += 1
    input.removeAll()
    inputSince = nil
  }

  mutating func setSpeed(_ speed: Int) { self.speed = speed }

  /// Puts bytes on the line.
  ///
  /// - Returns: the instant at which the last byte has left.
  mutating func write(_ count: Int, at now: Instant) -> Instant {
    let speed = speed ?? 9_600
    busyUntil =
      max(busyUntil, now)
      + Interval(nanoseconds: SerialSampling.nanoseconds(bytes: count, speed: speed))
    return busyUntil
  }

  /// The instant at which all written bytes have left.
  var drainedAt: Instant { busyUntil }

  /// Takes bytes from the receiver, as this end's UART decoded the bytes.
  mutating func hear(_ bytes: [UInt8], at now: Instant) {
    guard !bytes.isEmpty, speed != nil else { return }
    let room = BoardLine.inputMax - input.count
    lostCount += max(0, bytes.count - room)
    input += bytes.prefix(max(0, room))
    if inputSince == nil { inputSince = now }
  }

  /// The instant since which bytes wait to be read; nil when none wait.
  var readableSince: Instant? { inputSince }

  mutating func read() -> [UInt8] {
    defer {
      input.removeAll(keepingCapacity: true)
      inputSince = nil
    }
    return input
  }
}

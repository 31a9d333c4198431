public import BinnacleBasics
public import I2C

/// A simulated receiver behind the registers of its I2C port (DDC), with the faults of that port.
///
/// 0xFD and 0xFE hold the number of waiting bytes. 0xFF is the stream, which reads 0xFF when no bytes wait. A write of
/// one byte selects a register; each read increments the register up to 0xFF (SAM-M10Q integration manual UBX-22020019,
/// "I2C interface"). The faults are those that users report (Docs/SOURCES.md, U2).
public struct SimulatedDDC: SimulatedI2CDevice {
  /// The address as delivered.
  public static let deliveredAddress: UInt8 = 0x42
  /// The size of the receiver's buffer in bytes.
  public static let bufferBytesMax = 4_096
  /// A receiver that is not read for this long stops its stream.
  public static let readPatience = Interval.milliseconds(1_500)

  public var address: UInt8 { SimulatedDDC.deliveredAddress }
  public private(set) var receiver: SimulatedReceiver
  public var faults = Faults()
  public private(set) var counters = Counters()
  private var stream: [UInt8] = []
  private var register: UInt8 = 0xFF
  private var lastRead: Instant
  private var random: Random

  /// The probabilities of faults per transfer.
  public struct Faults: Equatable, Sendable {
    /// The address is not acknowledged; nothing is read or written.
    public var noAcknowledge = 0.0
    /// The clock is stretched beyond the adapter's limit: the transfer breaks off in its middle.
    public var stretch = 0.0
    /// A length register reads a wrong value.
    public var bogusLength = 0.0

    public init() {}
  }

  public struct Counters: Equatable, Sendable {
    public var transfers = 0
    public var notAcknowledged = 0
    public var brokenOff = 0
    public var bogusLengths = 0
    /// Bytes that a transfer took out of the buffer, and that did not reach the host.
    public var bytesLost = 0
    /// Bytes that did not fit into the buffer, or that the host did not fetch in time.
    public var bytesDropped = 0
  }

  /// The outcome of a transfer.
  public enum Result: Equatable, Sendable {
    case answers([[UInt8]])
    case noAcknowledge
    case timeOut
  }

  public init(
    generation: Generation, world: World, start: StartKind, seed: UInt64,
    oddities: [ReceiverOddity] = [], at now: Instant
  ) {
    receiver = SimulatedReceiver(
      generation: generation, port: .i2c, world: world, start: start, seed: seed, chunk: 64,
      oddities: oddities, at: now)
    lastRead = now
    random = Random(seed: seed &+ 0xDDC)
  }

  /// Whether the receiver would raise its ready line.
  public var hasBytes: Bool { !stream.isEmpty }

  /// The time of the next action without any input.
  public var nextDeadline: Instant? { receiver.nextDeadline }

  public mutating func advance(to now: Instant) {
    receiver.advance(to: now)
    for piece in receiver.takeOutput() {
      let hasStopped = piece.completedAt - lastRead > SimulatedDDC.readPatience
      let room =
        hasStopped && !receiver.waitsForItsReader
        ? 0 : max(0, SimulatedDDC.bufferBytesMax - stream.count)
      stream += piece.bytes.prefix(room)
      counters.bytesDropped += max(0, piece.bytes.count - room)
    }
    if receiver.isAsleep { stream.removeAll() }
  }

  /// Signals an edge at the receiver's pin EXTINT0.
  public mutating func interruptEdgeCame(at now: Instant) {
    advance(to: now)
    receiver.interruptEdgeCame(at: now)
  }

  /// Whether the receiver acknowledges its address now.
  ///
  /// A receiver in standby has its interfaces off. The address wakes the generations that `Generation.wakesOnI2C`
  /// names.
  public mutating func acknowledgesAddress(at now: Instant) -> Bool {
    advance(to: now)
    guard receiver.isAsleep else { return true }
    receiver.bytesArrived([address << 1], at: receiver.lineSpeed, at: now)
    return false
  }

  /// Takes the bytes of one write.
  public mutating func write(_ bytes: [UInt8], at now: Instant) -> Bool {
    advance(to: now)
    if bytes.count == 1 {
      register = bytes[0]
    } else {
      receiver.bytesArrived(bytes, at: receiver.lineSpeed, at: now)
    }
    return true
  }

  /// Answers one read, from the selected register.
  public mutating func read(_ count: Int, at now: Instant) -> [UInt8] {
    advance(to: now)
    lastRead = now
    let isBogus = register < 0xFF && random.chance(faults.bogusLength)
    var answer: [UInt8] = []
    let waiting = stream.count
    for _ in 0..<count {
      switch register {
      case 0xFD: answer.append(UInt8(waiting >> 8))
      case 0xFE: answer.append(UInt8(waiting & 0xFF))
      case 0xFF: break
      default: answer.append(0)
      }
      if register == 0xFF { break }
      register += 1
    }
    if answer.count < count {
      let taken = stream.prefix(count - answer.count)
      stream.removeFirst(taken.count)
      answer += taken
      answer += [UInt8](repeating: 0xFF, count: count - answer.count)
    }
    if isBogus { disturb(&answer) }
    return answer
  }

  /// Carries out a transfer on a bus with its faults.
  public mutating func carryOut(_ transfer: I2CTransfer, at now: Instant) -> Result {
    counters.transfers += 1
    guard transfer.address == address, !random.chance(faults.noAcknowledge),
      acknowledgesAddress(at: now)
    else {
      counters.notAcknowledged += 1
      return .noAcknowledge
    }
    let breaksOff = random.chance(faults.stretch)
    var answers: [[UInt8]] = []
    for part in transfer.parts {
      switch part {
      case .write(let bytes):
        if breaksOff, bytes.count > 1 {
          _ = write(Array(bytes.prefix(bytes.count / 2)), at: now)
          counters.brokenOff += 1
          return .timeOut
        }
        _ = write(bytes, at: now)
      case .read(let count):
        if breaksOff {
          let waiting = stream.count
          _ = read(Int(random.unit() * Double(count)), at: now)
          counters.bytesLost += max(0, waiting - stream.count)
          counters.brokenOff += 1
          return .timeOut
        }
        answers.append(read(count, at: now))
      }
    }
    return .answers(answers)
  }

  /// SparkFun's users report lengths with the top bit set, with all bits set, and 0x007F without data.
  private mutating func disturb(_ answer: inout [UInt8]) {
    counters.bogusLengths += 1
    switch random.next() % 4 {
    case 0: if !answer.isEmpty { answer[0] |= 0x80 }
    case 1: for index in answer.indices { answer[index] = 0xFF }
    case 2: if answer.count == 2 { answer = [0x00, 0x7F] }
    default: if answer.count == 2 { answer[0] = 0x3F }
    }
  }
}

public import BinnacleBasics

/// A u-blox receiver on an I2C bus (DDC): orders to the bus out, the receiver's bytes in.
///
///     probing --its registers can be read--> open
///     probing, open --no bus, or no answer for a while--> failed
///     open: length registers --something to fetch--> stream --> length registers ...
///     open --it is to sleep--> left alone --it is to be woken--> open
///
/// Registers 0xFD and 0xFE hold how many bytes wait, high byte first; 0xFF is the stream, which reads 0xFF when
/// there is nothing (SAM-M10Q integration manual UBX-22020019, "I2C interface"). The length is read twice, and the
/// smaller one counts: a glitch in one of them would fill up the stream with 0xFF in the middle of a frame, while
/// what was left behind comes with the next fetch. A read that failed is not repeated, since the receiver may have
/// sent a part of it: what it cost is a frame at the most, and frames have checksums.
public struct DDCMachine: Equatable, Sendable {
  /// The receiver's address.
  public let address: UInt8
  /// The navigation rate in Hz: the receiver is polled several times as often.
  public var rateHz = 1
  /// Whether a line signals that the receiver has data.
  public private(set) var hasReadyLine = false
  /// The number of times in a row that the receiver had data and its line did not signal.
  private var untoldCount = 0
  public private(set) var counters = Counters()
  private var state = State.closed
  private var writes: [[UInt8]] = []
  private var writeTries = 0
  /// The orders on the bus without an outcome.
  private var fetching: Fetching?
  private var writingNumber: UInt64?
  private var lastNumber: UInt64 = 0
  /// The time until which answers are expected, so that the receiver is polled often.
  private var eagerUntil = Instant.zero
  private var readMax = DDCMachine.streamBytesMax
  /// Whether the receiver is polled; otherwise the receiver sleeps, and addressing might wake it.
  private var isAttended = true
  /// Whether unread data from an unpolled time may wait; the data is fetched in pieces, so that the first piece comes soon.
  private var isCatchingUp = false

  private enum State: Equatable {
    case closed
    case probing(tries: Int)
    case open(lastAnswer: Instant)
  }

  private struct Fetching: Equatable {
    enum Step: Equatable {
      case lengths
      case stream
    }

    var number: UInt64
    var step: Step
    var dueAt: Instant
    /// No data is expected; the receiver is polled in case the ready line fails.
    var isInCase: Bool
  }

  /// Counters.
  public struct Counters: Equatable, Sendable {
    /// Impossible lengths, and lengths that the second read did not confirm.
    public var bogusLengths = 0
    /// Transfers that failed, by cause.
    public var notAcknowledged = 0
    public var timeOuts = 0
    public var otherFailures = 0
    /// Abandoned writes.
    public var writesLost = 0
  }

  /// An order for the owner of the bus.
  public enum Action: Equatable, Sendable {
    case put(I2COrder, number: UInt64, dueAt: Instant)
    /// Cancels an order that has not begun.
    case takeBack(number: UInt64)
    /// The receiver answers.
    case opened
    /// The receiver does not answer, or no longer answers.
    case failed(I2CFault)
    case bytes([UInt8])
    /// The ready line does not work: the receiver is polled often, as without a line.
    case readyLineGivenUp
    /// All pending writes were done or abandoned.
    case drained
  }

  /// The receiver's buffer is 4 kB; a longer length is impossible.
  public static let streamBytesMax = 4_096
  /// More frequent polls slow the receiver down.
  public static let intervalMin = Interval.milliseconds(25)
  public static let intervalMax = Interval.milliseconds(100)
  /// A receiver that is not read for 1.5 s stops its stream.
  public static let intervalWithReadyLine = Interval.seconds(1)
  /// The time after a write during which the receiver is polled often for answers.
  private static let eagerness = Interval.milliseconds(500)
  private static let probesMax = 3
  private static let catchingUpBytesMax = 512
  /// The additional time for a receiver that is being woken.
  private static let wakingMax = Interval.seconds(6)
  /// The time of failed transfers after which the receiver counts as gone.
  private static let silenceMax = Interval.seconds(3)
  private static let writeTriesMax = 3
  /// The line counts as dead after this many messages without its signal, each longer than its threshold.
  private static let untoldMax = 3
  private static let untoldBytesMin = 64
  private static let writesMax = 64
  /// The read size for adapters that refuse long reads.
  private static let readMin = 32

  public init(address: UInt8) {
    self.address = address
  }

  // MARK: Inputs

  /// The receiver is needed.
  public mutating func open(at now: Instant, into actions: inout [Action]) {
    close(into: &actions)
    state = .probing(tries: 1)
    lookAt(now, into: &actions)
  }

  public mutating func close(into actions: inout [Action]) {
    if let fetching { actions.append(.takeBack(number: fetching.number)) }
    if let writingNumber { actions.append(.takeBack(number: writingNumber)) }
    fetching = nil
    writingNumber = nil
    writes = []
    isAttended = true
    isCatchingUp = false
    state = .closed
  }

  /// Queues bytes for the receiver; never a single byte, which the receiver would take for a register's number.
  public mutating func write(_ bytes: [UInt8], at now: Instant, into actions: inout [Action]) {
    guard case .open = state else { return }
    precondition(bytes.count >= 2, "one byte alone is no message to the receiver")
    guard writes.count < DDCMachine.writesMax else {
      counters.writesLost += 1
      return
    }
    writes.append(bytes)
    writeNext(at: now, into: &actions)
  }

  /// Starts polling the receiver, or stops until the receiver is to be woken.
  ///
  /// Pending writes are carried out first; data that the receiver still holds is lost.
  public mutating func attend(_ isWanted: Bool, at now: Instant, into actions: inout [Action]) {
    guard case .open = state, isWanted != isAttended else { return }
    isAttended = isWanted
    isCatchingUp = isWanted
    if isWanted {
      state = .open(lastAnswer: now + DDCMachine.wakingMax - DDCMachine.silenceMax)
      return lookAt(now, into: &actions)
    }
    if let fetching { actions.append(.takeBack(number: fetching.number)) }
    fetching = nil
  }

  /// The ready line became available or unavailable.
  public mutating func readyLineChanged(
    isThere: Bool, at now: Instant, into actions: inout [Action]
  ) {
    hasReadyLine = isThere
    untoldCount = 0
    if !isThere { hurry(to: now + DDCMachine.intervalMin, into: &actions) }
  }

  /// The ready line rose: the receiver has data.
  public mutating func readyLineRose(at now: Instant, into actions: inout [Action]) {
    untoldCount = 0
    hurry(to: now, into: &actions)
  }

  /// An order was carried out, or failed.
  public mutating func finished(
    number: UInt64, answers: [[UInt8]], failure: I2CFault?, at now: Instant,
    into actions: inout [Action]
  ) {
    if let failure { count(failure) }
    if number == writingNumber {
      writingNumber = nil
      writeFinished(failure, at: now, into: &actions)
    } else if let ended = fetching, number == ended.number {
      fetching = nil
      if let failure {
        fetchFailed(failure, ended.step, at: now, into: &actions)
      } else {
        fetched(answers, ended, at: now, into: &actions)
      }
    }
  }

  // MARK: Fetching

  private mutating func fetched(
    _ answers: [[UInt8]], _ ended: Fetching, at now: Instant, into actions: inout [Action]
  ) {
    if case .probing = state { actions.append(.opened) }
    state = .open(lastAnswer: now)
    switch ended.step {
    case .lengths:
      let lengths = answers.map(DDCMachine.length)
      // A correct length only grows between the two reads, so the smaller one is not too long. If one length is
      // impossible, both are ignored.
      let isBogus = lengths.count != 2 || lengths.contains(nil)
      let count = isBogus ? 0 : lengths.compactMap { $0 }.min() ?? 0
      if isBogus || lengths.first != count { counters.bogusLengths += 1 }
      if ended.isInCase, count >= DDCMachine.untoldBytesMin { untold(at: now, into: &actions) }
      if count == 0, !isBogus { isCatchingUp = false }
      if count > 0 {
        put(.stream, [stream(count)], dueAt: now, into: &actions)
      } else if hasReadyLine, !isBogus, now >= eagerUntil {
        lookAt(now + DDCMachine.intervalWithReadyLine, isInCase: true, into: &actions)
      } else {
        lookAt(now + (isBogus ? DDCMachine.intervalMin : interval(at: now)), into: &actions)
      }
    case .stream:
      let bytes = answers.first ?? []
      // The rest of an epoch is often on its way.
      let isWhole = bytes.count < pieceMax
      if bytes.contains(where: { $0 != 0xFF }) { actions.append(.bytes(bytes)) }
      lookAt(isWhole ? now + DDCMachine.intervalMin : now, into: &actions)
    }
  }

  private mutating func fetchFailed(
    _ failure: I2CFault, _ step: Fetching.Step, at now: Instant, into actions: inout [Action]
  ) {
    if failure.kind == .refused, step == .stream, readMax > DDCMachine.readMin {
      readMax = max(DDCMachine.readMin, readMax / 2)
      return lookAt(now, into: &actions)
    }
    guard failure.mayPass else { return fail(failure, into: &actions) }
    switch state {
    case .closed: return
    case .probing(let tries):
      guard tries < DDCMachine.probesMax else { return fail(failure, into: &actions) }
      state = .probing(tries: tries + 1)
      lookAt(now + DDCMachine.intervalMax, into: &actions)
    case .open(let lastAnswer):
      guard now - lastAnswer < DDCMachine.silenceMax else { return fail(failure, into: &actions) }
      lookAt(now + DDCMachine.intervalMin, into: &actions)
    }
  }

  private mutating func fail(_ failure: I2CFault, into actions: inout [Action]) {
    close(into: &actions)
    actions.append(.failed(failure))
  }

  private mutating func untold(at now: Instant, into actions: inout [Action]) {
    untoldCount += 1
    guard hasReadyLine, untoldCount >= DDCMachine.untoldMax else { return }
    hasReadyLine = false
    actions.append(.readyLineGivenUp)
  }

  /// Reads the length registers, twice, at an instant.
  private mutating func lookAt(
    _ instant: Instant, isInCase: Bool = false, into actions: inout [Action]
  ) {
    let lengths = I2CTransfer.read(2, from: 0xFD, of: address)
    put(.lengths, [lengths, lengths], dueAt: instant, isInCase: isInCase, into: &actions)
  }

  private var pieceMax: Int {
    isCatchingUp ? min(readMax, DDCMachine.catchingUpBytesMax) : readMax
  }

  private func stream(_ count: Int) -> I2CTransfer {
    .read(min(count, pieceMax), from: 0xFF, of: address)
  }

  private mutating func put(
    _ step: Fetching.Step, _ transfers: [I2CTransfer], dueAt instant: Instant,
    isInCase: Bool = false, into actions: inout [Action]
  ) {
    guard isAttended else { return }
    lastNumber += 1
    fetching = Fetching(number: lastNumber, step: step, dueAt: instant, isInCase: isInCase)
    actions.append(.put(I2COrder(transfers), number: lastNumber, dueAt: instant))
  }

  /// Polls earlier than planned.
  private mutating func hurry(to instant: Instant, into actions: inout [Action]) {
    guard let fetching, fetching.step == .lengths, fetching.dueAt > instant else { return }
    actions.append(.takeBack(number: fetching.number))
    lookAt(instant, into: &actions)
  }

  /// Ten polls an epoch, within the limits of the receiver.
  private func interval(at now: Instant) -> Interval {
    if now < eagerUntil { return DDCMachine.intervalMin }
    let tenth = Interval.milliseconds(Int64(100 / max(1, rateHz)))
    return min(max(tenth, DDCMachine.intervalMin), DDCMachine.intervalMax)
  }

  /// The number of waiting bytes; nil when the length is impossible.
  ///
  /// Glitches set the top bit, which a length never has (SparkFun's library met them). If all bits are set, no device
  /// drives the bus.
  private static func length(_ bytes: [UInt8]) -> Int? {
    guard bytes.count == 2, bytes != [0xFF, 0xFF] else { return nil }
    let length = Int(bytes[0] & 0x7F) << 8 | Int(bytes[1])
    return length <= streamBytesMax ? length : nil
  }

  // MARK: Writing

  private mutating func writeNext(at now: Instant, into actions: inout [Action]) {
    guard writingNumber == nil, let first = writes.first else { return }
    lastNumber += 1
    writingNumber = lastNumber
    let transfer = I2CTransfer(address: address, parts: [.write(first)])
    actions.append(.put(I2COrder([transfer]), number: lastNumber, dueAt: now))
  }

  private mutating func writeFinished(
    _ failure: I2CFault?, at now: Instant, into actions: inout [Action]
  ) {
    if failure != nil {
      writeTries += 1
      // Half a message twice is a damaged message and a whole one: the receiver finds the whole one.
      if writeTries < DDCMachine.writeTriesMax { return writeNext(at: now, into: &actions) }
      counters.writesLost += 1
    }
    writeTries = 0
    if !writes.isEmpty { writes.removeFirst() }
    eagerUntil = now + DDCMachine.eagerness
    hurry(to: now + DDCMachine.intervalMin, into: &actions)
    if writes.isEmpty { actions.append(.drained) } else { writeNext(at: now, into: &actions) }
  }

  private mutating func count(_ failure: I2CFault) {
    switch failure.kind {
    case .noAcknowledge: counters.notAcknowledged += 1
    case .timeOut: counters.timeOuts += 1
    case .arbitrationLost, .busy, .gone, .missing, .notPermitted, .refused, .failed:
      counters.otherFailures += 1
    }
  }
}

extension I2CFault {
  /// Whether the next transfer may well succeed.
  fileprivate var mayPass: Bool {
    switch kind {
    case .noAcknowledge, .timeOut, .arbitrationLost, .failed: true
    case .busy, .gone, .missing, .notPermitted, .refused: false
    }
  }
}

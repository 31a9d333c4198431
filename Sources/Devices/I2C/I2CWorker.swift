import BinnacleBasics
import BinnaclePosix
import I2C

/// The thread of a bus: takes orders from the queue, carries them out, and puts the outcomes there.
struct I2CWorker {
  private let place: I2CPlace
  private let queue: I2CQueue
  private var backend: (any I2CBackend)?
  private var takesJoinedReads = true
  /// The chip with a steady rate and a known level, and the order that reads the chip.
  private var steady: (ticket: I2COrder.Ticket, fill: SteadyFill)?

  init(place: I2CPlace, queue: I2CQueue) {
    self.place = place
    self.queue = queue
  }

  /// A wait of more than a minute is for a periodic check of a chip, which may be late after a suspend.
  private static let waitPieceMax = Interval.seconds(900)

  /// Works until the queue is closed.
  mutating func run() {
    var poll = Poll()
    poll.set(queue.orderEvent.descriptor, .reading)
    while true {
      switch queue.next(at: Clock.now) {
      case .order(let entry): queue.finish(entry, carryOut(entry))
      case .wait(let deadline):
        // The wait fails only if the kernel is out of memory; the thread then retries.
        let count = try? poll.wait(until: deadline, pieceMax: I2CWorker.waitPieceMax)
        if (count ?? 0) > 0 { queue.orderEvent.clear() }
      case .end: return
      }
    }
  }

  /// The progress of an order.
  private struct Progress {
    let retriesMax: Int
    /// nil: the order is carried out once.
    let periodic: I2COrder.Ticket?
    var retryCount = 0
    var answers: [[UInt8]] = []
  }

  private mutating func carryOut(_ entry: I2CQueue.Entry) -> I2COrder.Outcome {
    let began = Clock.now
    var progress = Progress(
      retriesMax: entry.order.retriesMax, periodic: entry.order.period.map { _ in entry.ticket })
    var failure: I2CFault?
    for step in entry.order.steps {
      do throws(I2CFault) {
        try carryOut(step, &progress)
      } catch {
        failure = error
        break
      }
    }
    return I2COrder.Outcome(
      ticket: entry.ticket, answers: progress.answers, failure: failure,
      retryCount: progress.retryCount, began: began, ended: Clock.now)
  }

  private mutating func carryOut(
    _ step: I2COrder.Step, _ progress: inout Progress
  ) throws(I2CFault) {
    switch step {
    case .transfer(let transfer):
      progress.answers += try carryOut(transfer, &progress)
    case .counted(let read):
      guard read.isSteady, let ticket = progress.periodic else {
        progress.answers += try carryOut(read, &progress)
        return
      }
      var fill = SteadyFill(capacity: read.capacity)
      if let steady, steady.ticket == ticket { fill = steady.fill }
      // A failed read may have read any number of bytes.
      steady = nil
      progress.answers += try carryOut(read, &fill, &progress)
      steady = (ticket, fill)
    }
  }

  /// Reads the level, then the corresponding data.
  private mutating func carryOut(
    _ read: I2CCountedRead, _ progress: inout Progress
  ) throws(I2CFault) -> [[UInt8]] {
    let level = try carryOut(read.level, &progress)[0]
    let count = read.byteCount(level: level)
    return [level, try carryOut(read, byteCount: count, &progress)]
  }

  /// Reads the data that is certainly present, with or without the level.
  ///
  /// If that is impossible, the level is read first.
  private mutating func carryOut(
    _ read: I2CCountedRead, _ fill: inout SteadyFill, _ progress: inout Progress
  ) throws(I2CFault) -> [[UInt8]] {
    let now = Clock.now
    let sureCount = fill.sureCount(at: now)
    if sureCount > 0, takesJoinedReads {
      let transfers = read.transfersWithLevel(byteCount: sureCount * read.wholeBytes)
      if let answers = try carryOutJoined(transfers, &progress) {
        let level = answers[0]
        let levelCount = read.byteCount(level: level) / read.wholeBytes
        fill.saw(level: levelCount, took: sureCount, at: now)
        return [level, Array(answers.dropFirst().joined())]
      }
    }
    if !takesJoinedReads, fill.mayReadUnseen(at: now) {
      let bytes = try carryOut(read, byteCount: sureCount * read.wholeBytes, &progress)
      fill.tookUnseen(sureCount)
      return [[], bytes]
    }
    let answers = try carryOut(read, &progress)
    let count = answers[1].count / read.wholeBytes
    fill.saw(level: count, took: count, at: now)
    return answers
  }

  /// nil if the adapter accepts only one read per transfer.
  private mutating func carryOutJoined(
    _ transfers: [I2CTransfer], _ progress: inout Progress
  ) throws(I2CFault) -> [[UInt8]]? {
    var answers: [[UInt8]] = []
    do throws(I2CFault) {
      for transfer in transfers { answers += try carryOut(transfer, &progress) }
    } catch {
      guard isForOneRead(error, transfers[0]) else { throw error }
      return nil
    }
    return answers
  }

  /// Whether the adapter accepts only one read per transfer, as on Raspberry Pi up to 4 (`i2c-bcm2835.c`).
  private mutating func isForOneRead(_ error: I2CFault, _ transfer: I2CTransfer) -> Bool {
    guard error.kind == .refused, takesJoinedReads, transfer.parts.count > 2 else { return false }
    takesJoinedReads = false
    return true
  }

  private mutating func carryOut(
    _ read: I2CCountedRead, byteCount: Int, _ progress: inout Progress
  ) throws(I2CFault) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < byteCount {
      let rest = read.transfers(byteCount: byteCount - bytes.count, isJoined: takesJoinedReads)
      do throws(I2CFault) {
        for transfer in rest { bytes += try carryOut(transfer, &progress).joined() }
      } catch {
        guard isForOneRead(error, rest[0]) else { throw error }
      }
    }
    return bytes
  }

  private mutating func carryOut(
    _ transfer: I2CTransfer, _ progress: inout Progress
  ) throws(I2CFault) -> [[UInt8]] {
    var retriesLeft = progress.retriesMax
    while true {
      do throws(I2CFault) {
        var open = if let backend { backend } else { try connect() }
        defer { backend = open }
        return try open.carryOut(transfer)
      } catch {
        // After its removal the bus must be opened again.
        if error.kind == .gone { backend = nil }
        guard error.kind.isWorthRepeating, retriesLeft > 0 else { throw error }
        retriesLeft -= 1
        progress.retryCount += 1
      }
    }
  }

  private func connect() throws(I2CFault) -> any I2CBackend {
    switch place {
    case .device(let path): try I2CDevice(opening: path)
    case .socket(let path): try I2CSocket(connectingTo: path)
    }
  }
}

import Basics
import I2C
import Posix

/// The thread of a bus: takes orders off the desk, carries them out, puts down what came of them.
struct I2CWorker {
  private let place: I2CPlace
  private let desk: I2CDesk
  private var backend: (any I2CBackend)?
  private var takesJoinedReads = true

  init(place: I2CPlace, desk: I2CDesk) {
    self.place = place
    self.desk = desk
  }

  /// Works until the desk is closed.
  mutating func run() {
    var poll = Poll()
    poll.set(desk.orderBell.descriptor, .reading)
    while true {
      switch desk.next(at: Clock.now) {
      case .order(let entry): desk.finish(entry, carryOut(entry))
      case .wait(let deadline):
        // Waiting fails only for a lack of memory in the kernel; then it is tried again.
        if ((try? poll.wait(until: deadline)) ?? 0) > 0 { desk.orderBell.silence() }
      case .end: return
      }
    }
  }

  /// An order on its way.
  private struct Progress {
    let retriesMax: Int
    var retryCount = 0
    var answers: [[UInt8]] = []
  }

  private mutating func carryOut(_ entry: I2CDesk.Entry) -> I2COrder.Outcome {
    let began = Clock.now
    var progress = Progress(retriesMax: entry.order.retriesMax)
    var failure: I2CError?
    for step in entry.order.steps {
      do throws(I2CError) {
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
  ) throws(I2CError) {
    switch step {
    case .transfer(let transfer):
      progress.answers += try carryOut(transfer, &progress)
    case .counted(let read):
      let level = try carryOut(read.level, &progress)
      progress.answers += level
      let count = read.byteCount(level: level[0])
      progress.answers.append(try carryOut(read, byteCount: count, &progress))
    }
  }

  private mutating func carryOut(
    _ read: I2CCountedRead, byteCount: Int, _ progress: inout Progress
  ) throws(I2CError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < byteCount {
      let rest = read.transfers(byteCount: byteCount - bytes.count, isJoined: takesJoinedReads)
      do throws(I2CError) {
        for transfer in rest { bytes += try carryOut(transfer, &progress).joined() }
      } catch {
        // The adapter of the Raspberry Pi up to 4 takes one read in a transfer (`i2c-bcm2835.c`).
        guard error.kind == .refused, takesJoinedReads, rest[0].parts.count > 2 else { throw error }
        takesJoinedReads = false
      }
    }
    return bytes
  }

  private mutating func carryOut(
    _ transfer: I2CTransfer, _ progress: inout Progress
  ) throws(I2CError) -> [[UInt8]] {
    var retriesLeft = progress.retriesMax
    while true {
      do throws(I2CError) {
        var open = if let backend { backend } else { try connect() }
        defer { backend = open }
        return try open.carryOut(transfer)
      } catch {
        // A bus that came back is another one, and has to be opened anew.
        if error.kind == .gone { backend = nil }
        guard error.isWorthRepeating, retriesLeft > 0 else { throw error }
        retriesLeft -= 1
        progress.retryCount += 1
      }
    }
  }

  private func connect() throws(I2CError) -> any I2CBackend {
    switch place {
    case .device(let path): try I2CDevice(opening: path)
    case .socket(let path): try I2CSocket(connectingTo: path)
    }
  }
}

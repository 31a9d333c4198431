import Basics
import I2C
import Posix

/// The thread of a bus: takes orders off the desk, carries them out, puts down what came of them.
struct I2CWorker {
  private let place: I2CPlace
  private let desk: I2CDesk
  private var backend: (any I2CBackend)?

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

  private mutating func carryOut(_ entry: I2CDesk.Entry) -> I2COrder.Outcome {
    let began = Clock.now
    var answers: [[UInt8]] = []
    var retryCount = 0
    var failure: I2CError?
    for transfer in entry.order.transfers {
      do throws(I2CError) {
        answers += try carryOut(
          transfer, retriesMax: entry.order.retriesMax, retryCount: &retryCount)
      } catch {
        failure = error
        break
      }
    }
    return I2COrder.Outcome(
      ticket: entry.ticket, answers: answers, failure: failure, retryCount: retryCount,
      began: began, ended: Clock.now)
  }

  private mutating func carryOut(
    _ transfer: I2CTransfer, retriesMax: Int, retryCount: inout Int
  ) throws(I2CError) -> [[UInt8]] {
    var retriesLeft = retriesMax
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
        retryCount += 1
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

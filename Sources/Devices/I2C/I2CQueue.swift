import BinnacleBasics
import BinnaclePosix
import I2C
import Synchronization

/// The queue between the senders of orders to a bus and the thread that carries them out.
final class I2CQueue: Sendable {
  /// The largest number of waiting orders.
  static let ordersMax = 32
  /// The largest number of outcomes that were not taken; periodic orders pause at this number.
  static let outcomesMax = 64

  struct Entry: Equatable, Sendable {
    let ticket: I2COrder.Ticket
    let order: I2COrder
    var dueAt: Instant
    /// Outcomes in this queue whose arrival was not signaled yet.
    var untoldCount = 0
  }

  private struct Inside {
    var entries: [Entry] = []
    var outcomes: [I2COrder.Outcome] = []
    var skippedCount = 0
    var isClosed = false
  }

  /// Signals new orders to the thread.
  let orderEvent: EventFD
  /// Signals completed orders to their sender.
  let outcomeEvent: EventFD
  private let inside = Mutex(Inside())

  init() throws(Errno) {
    orderEvent = try EventFD()
    outcomeEvent = try EventFD()
  }

  // MARK: The sender

  /// Adds an order; false if the queue is full.
  func put(_ order: I2COrder, _ ticket: I2COrder.Ticket, dueAt: Instant) -> Bool {
    let isTaken = inside.withLock { inside in
      guard inside.entries.count < I2CQueue.ordersMax else { return false }
      inside.entries.append(Entry(ticket: ticket, order: order, dueAt: dueAt))
      return true
    }
    if isTaken { orderEvent.signal() }
    return isTaken
  }

  /// Cancels orders that have not begun and ends periodic orders.
  func takeBack(_ isMeant: (I2COrder.Ticket) -> Bool) {
    inside.withLock { $0.entries.removeAll { isMeant($0.ticket) } }
  }

  /// Takes the outcomes so far.
  func outcomes() -> [I2COrder.Outcome] {
    outcomeEvent.clear()
    return inside.withLock { inside in
      defer { inside.outcomes.removeAll(keepingCapacity: true) }
      for index in inside.entries.indices { inside.entries[index].untoldCount = 0 }
      return inside.outcomes
    }
  }

  /// The number of skipped periods of periodic orders, because outcomes were not taken.
  var skippedCount: Int { inside.withLock { $0.skippedCount } }

  func close() {
    inside.withLock { inside in
      inside.isClosed = true
      inside.entries.removeAll()
    }
    orderEvent.signal()
  }

  // MARK: The thread

  enum Next: Equatable {
    case order(Entry)
    case wait(until: Instant?)
    case end
  }

  /// The order that is due first; a periodic order stays in the queue until it is done.
  func next(at now: Instant) -> Next {
    inside.withLock { inside in
      if inside.isClosed { return .end }
      var first: Int?
      for index in inside.entries.indices {
        if let best = first, inside.entries[best].dueAt <= inside.entries[index].dueAt { continue }
        first = index
      }
      guard let first else { return .wait(until: nil) }
      let entry = inside.entries[first]
      guard entry.dueAt <= now else { return .wait(until: entry.dueAt) }
      if let period = entry.order.period {
        // Missed periods are not repeated: the chip's FIFO still holds the samples.
        inside.entries[first].dueAt = max(entry.dueAt + period, now)
        if inside.outcomes.count >= I2CQueue.outcomesMax {
          inside.skippedCount += 1
          return .wait(until: now)
        }
      } else {
        inside.entries.remove(at: first)
      }
      return .order(entry)
    }
  }

  /// Delivers the outcome of an order, unless the order was periodic and was canceled meanwhile.
  func finish(_ entry: Entry, _ outcome: I2COrder.Outcome) {
    let isToTell = inside.withLock { inside in
      var isToTell = true
      if entry.order.period != nil {
        guard let index = inside.entries.firstIndex(where: { $0.ticket == entry.ticket }) else {
          return false
        }
        if outcome.failure != nil {
          inside.entries.remove(at: index)
        } else {
          inside.entries[index].untoldCount += 1
          isToTell =
            inside.entries[index].untoldCount >= entry.order.outcomesPerDelivery
            || !entry.order.quiet.covers(outcome.answers)
        }
      }
      inside.outcomes.append(outcome)
      return isToTell
    }
    if isToTell { outcomeEvent.signal() }
  }
}

import BinnacleBasics
import BinnaclePosix
import LocationEngine
import Synchronization

/// A thread that writes and flushes one log: orders go in, events come out, and who waits for a disk is that
/// thread.
///
///     poll descriptor for reading  ->  takeEvents()
final class LogWriter<Store: LogWriterStore>: Sendable {
  /// What lies between the loop and the thread.
  private final class Desk: Sendable {
    struct Inside {
      var orders: [Store.Order] = []
      var events: [Event] = []
      var isClosed = false
      var isOver = false
    }

    let orderEvent: EventFD
    let doneEvent: EventFD
    let inside = Mutex(Inside())

    init() throws(Errno) {
      orderEvent = try EventFD()
      doneEvent = try EventFD()
    }

    func post(_ event: Event) {
      inside.withLock { $0.events.append(event) }
      doneEvent.signal()
    }
  }

  private let desk: Desk

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - store: where the log is.
  ///   - orders: what it does first.
  /// - Throws: what the system answered when it has no descriptor or thread left.
  init(_ store: Store, first orders: [Store.Order]) throws(Errno) {
    let desk = try Desk()
    self.desk = desk
    desk.inside.withLock { $0.orders = orders }
    try WorkThread.start(name: Store.thread) {
      var store = store
      LogWriter.work(at: desk, with: &store)
    }
  }

  deinit {
    // The thread ends when the order that it is in ends.
    desk.inside.withLock { $0.isClosed = true }
    desk.orderEvent.signal()
  }

  /// Has the thread write what was deferred and end, and waits for that.
  ///
  /// - Parameter deadline: until when it is waited for; a disk may take longer.
  func finish(by deadline: Instant) {
    desk.inside.withLock { $0.isClosed = true }
    desk.orderEvent.signal()
    var poll = Poll()
    poll.set(descriptor, .reading)
    while !desk.inside.withLock({ $0.isOver }), Clock.now < deadline {
      _ = try? poll.wait(until: deadline)
      desk.doneEvent.clear()
    }
  }

  /// What to poll for reading.
  var descriptor: Int32 { desk.doneEvent.descriptor }

  /// Gives an order; its outcome is an event.
  func put(_ order: Store.Order) {
    desk.inside.withLock { $0.orders.append(order) }
    desk.orderEvent.signal()
  }

  /// Fetches what has come of orders, oldest first.
  func takeEvents() -> [Event] {
    desk.doneEvent.clear()
    return desk.inside.withLock { inside in
      defer { inside.events.removeAll(keepingCapacity: true) }
      return inside.events
    }
  }

  /// Waits until there is an event; for the start, when nothing else is to be done.
  func wait() {
    var poll = Poll()
    poll.set(descriptor, .reading)
    _ = try? poll.wait(until: nil)
  }

  // MARK: The thread

  private static func work(at desk: Desk, with store: inout Store) {
    var poll = Poll()
    poll.set(desk.orderEvent.descriptor, .reading)
    while true {
      desk.orderEvent.clear()
      let (orders, isClosed) = desk.inside.withLock { inside in
        defer { inside.orders.removeAll(keepingCapacity: true) }
        return (inside.orders, inside.isClosed)
      }
      for order in orders { desk.post(store.carryOut(order)) }
      if isClosed {
        store.close()
        desk.inside.withLock { $0.isOver = true }
        return desk.doneEvent.signal()
      }
      store.deadlineReached(at: Clock.now)
      if orders.isEmpty { _ = try? poll.wait(until: store.nextDeadline) }
    }
  }
}

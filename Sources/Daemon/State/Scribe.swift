import BinnacleBasics
import BinnaclePosix
import LocationEngine
import Synchronization

/// A thread that writes and flushes one log: orders go in, events come out, and who waits for a disk is that
/// thread.
///
///     poll descriptor for reading  ->  takeEvents()
final class Scribe<Store: ScribeStore>: Sendable {
  /// What lies between the loop and the thread.
  private final class Desk: Sendable {
    struct Inside {
      var orders: [Store.Order] = []
      var events: [Event] = []
      var isClosed = false
      var isOver = false
    }

    let orderBell: Bell
    let eventBell: Bell
    let inside = Mutex(Inside())

    init() throws(Errno) {
      orderBell = try Bell()
      eventBell = try Bell()
    }

    func post(_ event: Event) {
      inside.withLock { $0.events.append(event) }
      eventBell.ring()
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
      Scribe.work(at: desk, with: &store)
    }
  }

  deinit {
    // The thread ends when the order that it is in ends.
    desk.inside.withLock { $0.isClosed = true }
    desk.orderBell.ring()
  }

  /// Has the thread write what was deferred and end, and waits for that.
  ///
  /// - Parameter deadline: until when it is waited for; a disk may take longer.
  func finish(by deadline: Instant) {
    desk.inside.withLock { $0.isClosed = true }
    desk.orderBell.ring()
    var poll = Poll()
    poll.set(descriptor, .reading)
    while !desk.inside.withLock({ $0.isOver }), Clock.now < deadline {
      _ = try? poll.wait(until: deadline)
      desk.eventBell.silence()
    }
  }

  /// What to poll for reading.
  var descriptor: Int32 { desk.eventBell.descriptor }

  /// Gives an order; its outcome is an event.
  func put(_ order: Store.Order) {
    desk.inside.withLock { $0.orders.append(order) }
    desk.orderBell.ring()
  }

  /// Fetches what has come of orders, oldest first.
  func takeEvents() -> [Event] {
    desk.eventBell.silence()
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
    poll.set(desk.orderBell.descriptor, .reading)
    while true {
      desk.orderBell.silence()
      let (orders, isClosed) = desk.inside.withLock { inside in
        defer { inside.orders.removeAll(keepingCapacity: true) }
        return (inside.orders, inside.isClosed)
      }
      for order in orders { desk.post(store.carryOut(order)) }
      if isClosed {
        store.close()
        desk.inside.withLock { $0.isOver = true }
        return desk.eventBell.ring()
      }
      store.deadlineReached(at: Clock.now)
      if orders.isEmpty { _ = try? poll.wait(until: store.nextDeadline) }
    }
  }
}

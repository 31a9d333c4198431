import BinnacleBasics
import BinnaclePosix
import LocationEngine
import Synchronization

/// A thread that carries out orders for one log and reports events; only this thread waits for the disk.
///
///     poll descriptor for reading  ->  takeEvents()
final class LogWriter<Store: LogWriterStore>: Sendable {
  /// The orders and events between the loop and the thread.
  private final class Exchange: Sendable {
    struct Content {
      var orders: [Store.Order] = []
      var events: [Event] = []
      var isClosed = false
      var isOver = false
    }

    let orderEvent: EventFD
    let doneEvent: EventFD
    let content = Mutex(Content())

    init() throws(Errno) {
      orderEvent = try EventFD()
      doneEvent = try EventFD()
    }

    func post(_ event: Event) {
      content.withLock { $0.events.append(event) }
      doneEvent.signal()
    }
  }

  private let exchange: Exchange

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - store: the storage of the log.
  ///   - orders: the first orders.
  /// - Throws: the system error if there is no free descriptor or thread.
  init(_ store: Store, first orders: [Store.Order]) throws(Errno) {
    let exchange = try Exchange()
    self.exchange = exchange
    exchange.content.withLock { $0.orders = orders }
    try WorkThread.start(name: Store.thread) {
      var store = store
      LogWriter.work(over: exchange, with: &store)
    }
  }

  deinit {
    // The thread ends after its current order.
    exchange.content.withLock { $0.isClosed = true }
    exchange.orderEvent.signal()
  }

  /// Lets the thread write deferred blocks and end, and waits for its end.
  ///
  /// - Parameter deadline: the time limit of the wait; the disk may take longer.
  func finish(by deadline: Instant) {
    exchange.content.withLock { $0.isClosed = true }
    exchange.orderEvent.signal()
    var poll = Poll()
    poll.set(descriptor, .reading)
    while !exchange.content.withLock({ $0.isOver }), Clock.now < deadline {
      _ = try? poll.wait(until: deadline)
      exchange.doneEvent.clear()
    }
  }

  /// The descriptor to poll for reading.
  var descriptor: Int32 { exchange.doneEvent.descriptor }

  /// Adds an order; its outcome is an event.
  func put(_ order: Store.Order) {
    exchange.content.withLock { $0.orders.append(order) }
    exchange.orderEvent.signal()
  }

  /// Takes the outcomes of orders, oldest first.
  func takeEvents() -> [Event] {
    exchange.doneEvent.clear()
    return exchange.content.withLock { content in
      defer { content.events.removeAll(keepingCapacity: true) }
      return content.events
    }
  }

  /// Waits for an event; used at the start, when the daemon has no other work.
  ///
  /// - Parameter other: a descriptor that ends the wait, too, when it is readable.
  func wait(orFor other: Int32? = nil) {
    var poll = Poll()
    poll.set(descriptor, .reading)
    if let other { poll.set(other, .reading) }
    _ = try? poll.wait(until: nil)
  }

  // MARK: The thread

  private static func work(over exchange: Exchange, with store: inout Store) {
    var poll = Poll()
    poll.set(exchange.orderEvent.descriptor, .reading)
    while true {
      exchange.orderEvent.clear()
      let (orders, isClosed) = exchange.content.withLock { content in
        defer { content.orders.removeAll(keepingCapacity: true) }
        return (content.orders, content.isClosed)
      }
      for order in orders {
        exchange.post(store.carryOut(order))
        postNews(of: &store, to: exchange)
      }
      if isClosed {
        store.close()
        postNews(of: &store, to: exchange)
        exchange.content.withLock { $0.isOver = true }
        return exchange.doneEvent.signal()
      }
      store.deadlineReached(at: Clock.now)
      postNews(of: &store, to: exchange)
      if orders.isEmpty { _ = try? poll.wait(until: store.nextDeadline) }
    }
  }

  private static func postNews(of store: inout Store, to exchange: Exchange) {
    for event in store.takeNews() { exchange.post(event) }
  }
}

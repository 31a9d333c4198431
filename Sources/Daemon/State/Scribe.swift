import Basics
import LocationEngine
import Posix
import StateLog
import Synchronization

/// The one thread that writes and flushes state: orders go in, events come out, and who waits for a disk is that
/// thread.
///
///     poll descriptor for reading  ->  takeEvents()
final class Scribe: Sendable {
  enum Order: Equatable, Sendable {
    case commit(number: UInt32, [Change])
    case open
  }

  /// What lies between the loop and the thread.
  private final class Desk: Sendable {
    struct Inside {
      var orders: [Order] = []
      var events: [Event] = []
      var isClosed = false
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

  /// Starts the thread; the first thing that it does is to open the log.
  ///
  /// - Parameter store: where the log is.
  /// - Throws: what the system answered when it has no descriptor or thread left.
  init(_ store: StateStore) throws(Errno) {
    let desk = try Desk()
    self.desk = desk
    desk.inside.withLock { $0.orders.append(.open) }
    try WorkThread.start(name: "scribe") {
      var store = store
      Scribe.work(at: desk, with: &store)
    }
  }

  deinit {
    // The thread ends when the order that it is in ends.
    desk.inside.withLock { $0.isClosed = true }
    desk.orderBell.ring()
  }

  /// What to poll for reading.
  var descriptor: Int32 { desk.eventBell.descriptor }

  /// Gives an order; its outcome is an event.
  func put(_ order: Order) {
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

  private static func work(at desk: Desk, with store: inout StateStore) {
    var poll = Poll()
    poll.set(desk.orderBell.descriptor, .reading)
    while true {
      desk.orderBell.silence()
      let (orders, isClosed) = desk.inside.withLock { inside in
        defer { inside.orders.removeAll(keepingCapacity: true) }
        return (inside.orders, inside.isClosed)
      }
      for order in orders { desk.post(carryOut(order, with: &store)) }
      if isClosed { return }
      if orders.isEmpty { _ = try? poll.wait(until: nil) }
    }
  }

  private static func carryOut(_ order: Order, with store: inout StateStore) -> Event {
    switch order {
    case .open: return .stateRead(store.open(at: Clock.utc))
    case .commit(let number, let changes):
      do throws(CommitFailure) {
        return .committed(number, try store.commit(changes))
      } catch {
        return .commitFailed(number, error)
      }
    }
  }
}

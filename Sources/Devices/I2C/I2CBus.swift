public import BinnacleBasics
public import BinnaclePosix
public import I2C

/// An I2C bus with its own thread: orders go in, outcomes come out, and only this thread waits for a stuck bus.
///
///     poll descriptor for reading  ->  outcomes()
///
/// An order opens the bus, also after the bus was removed. A missing bus is an outcome of the order.
public final class I2CBus: Sendable {
  /// The requested bus: `/dev/i2c-1`, or `sim:PATH` for the bus of a virtual board.
  public let path: String
  private let queue: I2CQueue

  /// Starts the thread.
  ///
  /// - Parameter path: `/dev/i2c-N`, a link to it, or `sim:PATH`.
  /// - Throws: the system error if there is no free descriptor or thread.
  public init(path: String) throws(Errno) {
    self.path = path
    let queue = try I2CQueue()
    self.queue = queue
    let place = I2CPlace(path)
    try WorkThread.start(name: "i2c") {
      var worker = I2CWorker(place: place, queue: queue)
      worker.run()
    }
  }

  deinit {
    // The thread ends after its current transfer.
    queue.close()
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { queue.outcomeEvent.descriptor }

  /// Adds an order; due orders are carried out in the order of their times.
  ///
  /// - Parameters:
  ///   - order: the order to carry out.
  ///   - ticket: identifies the outcome, and a periodic order for `takeBack`.
  ///   - instant: the earliest time.
  /// - Returns: false if too many orders wait.
  public func put(
    _ order: I2COrder, _ ticket: I2COrder.Ticket, dueAt instant: Instant = .zero
  ) -> Bool {
    queue.put(order, ticket, dueAt: instant)
  }

  /// Cancels an order that has not begun, or ends a periodic order; a pending outcome of the order is lost.
  public func takeBack(_ ticket: I2COrder.Ticket) {
    queue.takeBack { $0 == ticket }
  }

  /// Cancels all orders of an owner.
  public func takeBackAll(of owner: I2COrder.Ticket.Owner) {
    queue.takeBack { $0.owner == owner }
  }

  /// Takes the outcomes of orders, oldest first.
  public func outcomes() -> [I2COrder.Outcome] { queue.outcomes() }

  /// The number of skipped periods of periodic orders, because outcomes were not taken.
  public var skippedCount: Int { queue.skippedCount }
}

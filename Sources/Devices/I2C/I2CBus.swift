public import BinnacleBasics
public import BinnaclePosix
public import I2C

/// An I2C bus with a thread of its own: orders go in, what came of them comes out, and whoever waits for a stuck bus
/// is that thread.
///
///     poll descriptor for reading  ->  outcomes()
///
/// The bus is opened by the first order and, once it has gone away, by the next one: that there is no bus is an
/// outcome like others.
public final class I2CBus: Sendable {
  /// The bus as it was asked for: `/dev/i2c-1`, or `sim:PATH` for the bus of a virtual board.
  public let path: String
  private let queue: I2CQueue

  /// Starts the thread.
  ///
  /// - Parameter path: `/dev/i2c-N`, a link to it, or `sim:PATH`.
  /// - Throws: the error of the system when it has no descriptor or thread left.
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
    // The thread ends when the transfer that it is in ends.
    queue.close()
  }

  /// What to poll for reading.
  public var descriptor: Int32 { queue.outcomeEvent.descriptor }

  /// Gives an order; orders that are due are carried out in the order of their instants.
  ///
  /// - Parameters:
  ///   - order: the order to carry out.
  ///   - ticket: comes back with the outcome; a periodic order is taken back by it.
  ///   - instant: not before this.
  /// - Returns: false when so many orders wait that this one was not taken.
  public func put(
    _ order: I2COrder, _ ticket: I2COrder.Ticket, dueAt instant: Instant = .zero
  ) -> Bool {
    queue.put(order, ticket, dueAt: instant)
  }

  /// Takes back an order that has not begun; a periodic one ends, and an outcome of it that is still under way is lost.
  public func takeBack(_ ticket: I2COrder.Ticket) {
    queue.takeBack { $0 == ticket }
  }

  /// Takes back all orders of an owner.
  public func takeBackAll(of owner: I2COrder.Ticket.Owner) {
    queue.takeBack { $0.owner == owner }
  }

  /// Fetches what has come of orders, oldest first.
  public func outcomes() -> [I2COrder.Outcome] { queue.outcomes() }

  /// Turns of periodic orders that were left out because nobody fetched outcomes.
  public var skippedCount: Int { queue.skippedCount }
}

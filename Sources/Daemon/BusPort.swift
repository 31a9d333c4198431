import BinnacleBasics
import Devices
import I2C

/// The orders of one driver to the I2C bus.
///
/// The bus identifies orders by tickets; a driver identifies its orders by numbers.
struct BusPort {
  let bus: I2CBus
  let owner: I2COrder.Ticket.Owner

  var path: String { bus.path }

  /// Passes an order to the bus.
  ///
  /// - Returns: nil if the bus has accepted the order; otherwise its outcome, a failure.
  func put(
    _ order: I2COrder, number: UInt64, dueAt: Instant, at now: Instant
  ) -> I2COrder.Outcome? {
    let ticket = I2COrder.Ticket(owner, number: number)
    guard !bus.put(order, ticket, dueAt: dueAt) else { return nil }
    let failure = I2CFault(.failed, "\(bus.path): too many orders wait")
    return I2COrder.Outcome(ticket: ticket, answers: [], failure: failure, began: now, ended: now)
  }

  func takeBack(number: UInt64) {
    bus.takeBack(I2COrder.Ticket(owner, number: number))
  }
}

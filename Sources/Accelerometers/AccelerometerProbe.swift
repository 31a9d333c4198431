public import I2C

/// Identifies the accelerometer on a bus: it only reads registers and never writes.
///
/// The probe works as in `AccelerometerMachine`. Its owner passes each order to the bus and reports the outcome.
public struct AccelerometerProbe: Sendable {
  public enum Step: Equatable, Sendable {
    /// Pass this order to the bus.
    case check(I2COrder)
    /// The chip is identified; chips with the same identity have the name of the best known of them.
    case found(model: String, address: UInt8)
    /// No known chip was found, for this reason.
    case nothing(AccelerometerFault)
  }

  private var probe: Probe

  public init(_ settings: AccelerometerSettings) {
    probe = Probe(settings)
  }

  /// The first order.
  public var first: Step { AccelerometerProbe.step(probe.next) }

  /// Takes the outcome of an order; returns the next step.
  public mutating func orderEnded(_ outcome: I2COrder.Outcome) -> Step {
    AccelerometerProbe.step(probe.orderEnded(outcome))
  }

  private static func step(_ outcome: Probe.Outcome) -> Step {
    switch outcome {
    case .check(let order): .check(order)
    case .found(let chip): .found(model: chip.model.name, address: chip.address)
    case .nothing(let fault): .nothing(fault)
    }
  }
}

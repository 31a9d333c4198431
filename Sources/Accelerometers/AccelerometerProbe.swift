public import I2C

/// Identifies the accelerometer on a bus: it only reads registers and never writes.
///
/// It looks as `AccelerometerMachine` does. Its owner gives the bus each order and tells its outcome.
public struct AccelerometerProbe: Sendable {
  public enum Step: Equatable, Sendable {
    /// Give the bus this order.
    case look(I2COrder)
    /// A chip whose identity is sure; where several answer alike, the name of the best known.
    case found(model: String, address: UInt8)
    /// There is none that a driver knows; why.
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
    case .look(let order): .look(order)
    case .found(let chip): .found(model: chip.model.name, address: chip.address)
    case .nothing(let fault): .nothing(fault)
    }
  }
}

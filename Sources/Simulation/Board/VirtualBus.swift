import Accelerometers
import BinnacleBasics
public import I2C
public import VirtualWire

/// The I2C bus of a virtual board: its chips, and the actions of a person on them.
public struct VirtualBus: Sendable {
  public private(set) var bus: SimulatedI2CBus
  /// The wires from the chips' interrupt outputs to lines.
  private let wires: [Wire]

  /// A chip's interrupt output and its line.
  public struct Wire: Equatable, Sendable {
    public let address: UInt8
    public let line: String

    public init(address: UInt8, line: String) {
      self.address = address
      self.line = line
    }
  }

  private var raised: [Bool]

  public init(_ bus: SimulatedI2CBus, wires: [Wire] = []) {
    self.bus = bus
    self.wires = wires
    raised = wires.map { _ in false }
  }

  /// Whether time must pass on the bus even without transfers.
  public var hasWires: Bool { !wires.isEmpty }

  /// Carries out a transfer; nil: the bus is stuck, and there is no answer.
  public mutating func carryOut(
    _ transfer: I2CTransfer, clock: Int64
  ) -> SimulatedI2CBus.Result? {
    if bus.isStuck { return nil }
    return bus.carryOut(transfer, at: Instant(nanoseconds: clock))
  }

  /// Advances the time; returns the lines that change, and their new levels.
  public mutating func advance(clock: Int64) -> [(line: String, drive: ControlOrder.Drive)] {
    bus.advance(to: Instant(nanoseconds: clock))
    var changes: [(line: String, drive: ControlOrder.Drive)] = []
    for (index, wire) in wires.enumerated() {
      let chip = bus.accelerometers.first { $0.address == wire.address }
      let isPlugged = !bus.unplugged.contains(wire.address)
      let isRaised = isPlugged && chip?.isInterruptRaised == true
      guard isRaised != raised[index] else { continue }
      raised[index] = isRaised
      changes.append((wire.line, isRaised ? .high : .low))
    }
    return changes
  }

  /// Carries out an action on a chip; returns the reason of a failure, or nil.
  public mutating func change(
    _ change: ControlOrder.ChipChange, of address: UInt8, clock: Int64
  ) -> String? {
    let index = bus.accelerometers.firstIndex { $0.address == address }
    guard let index else { return "there is no accelerometer at address \(address)" }
    switch change {
    case .plug(true): bus.plug(address, at: Instant(nanoseconds: clock))
    case .plug(false): bus.unplug(address)
    case .accelerate(let x, let y, let z):
      bus.accelerometers[index].masses.acceleration = Acceleration(
        x: Double(x) / 1_000_000, y: Double(y) / 1_000_000, z: Double(z) / 1_000_000)
    case .freeze(let axis): bus.accelerometers[index].masses.frozenAxis = axis.map { Int($0) }
    case .pretend(let identity): bus.accelerometers[index].falseIdentity = identity
    case .kill(let isDead): bus.accelerometers[index].masses.isDead = isDead
    }
    return nil
  }

  /// Carries out an action on the wires of the bus.
  public mutating func change(_ change: ControlOrder.BusChange) {
    switch change {
    case .stick(let isStuck): bus.isStuck = isStuck
    case .fail(let count, let errno, let address):
      bus.fail(Int(count), errno: errno, address: address)
    case .glitch(let perMillion): bus.glitch(chance: Double(perMillion) / 1_000_000)
    case .refuseJoinedReads(let areRefused): bus.takesOneReadOnly = areRefused
    }
  }
}

import Accelerometers
import BinnacleBasics
import BinnaclePosix
import Board
import Devices
import I2C

/// Identifies an accelerometer that no other program uses, by reads alone.
struct AccelerometerCheck {
  /// The result of the check.
  enum Ending: Equatable {
    case found(model: String, address: UInt8)
    case nothing(AccelerometerFault)
    case interrupted
  }

  /// The time-out of the bus for one address; the kernel ends a transfer on a stuck bus after about a second.
  private static let answerTimeMax = Interval.seconds(15)

  private let bus: I2CBus
  private let signals: Signals
  private var lastNumber: UInt64 = 0

  /// Searches for the chip on the bus at this path, `/dev/i2c-1` or `sim:PATH`.
  static func hold(
    path: String, _ accelerometer: Profile.Accelerometer
  ) throws(Errno) -> Ending {
    var talk = AccelerometerCheck(
      bus: try I2CBus(path: path), signals: try Signals([.interrupt, .terminate]))
    return try talk.run(accelerometer)
  }

  private mutating func run(_ accelerometer: Profile.Accelerometer) throws(Errno) -> Ending {
    // The probe identifies the chip; range and rate are not used.
    var probe = AccelerometerProbe(
      AccelerometerSettings(
        family: ChipFamily(rawValue: accelerometer.chip.rawValue), address: accelerometer.address))
    var step = probe.first
    while true {
      switch step {
      case .found(let model, let address): return .found(model: model, address: address)
      case .nothing(let fault): return .nothing(fault)
      case .check(let order):
        switch try carryOut(order) {
        case .outcome(let outcome): step = probe.orderEnded(outcome)
        case .interrupted: return .interrupted
        case .deadline:
          return .nothing(
            AccelerometerFault(.busFailed, "\(bus.path): a transfer does not come to its end"))
        }
      }
    }
  }

  private enum Answer {
    case outcome(I2COrder.Outcome)
    case interrupted
    case deadline
  }

  private mutating func carryOut(_ order: I2COrder) throws(Errno) -> Answer {
    lastNumber += 1
    let end = Clock.now + AccelerometerCheck.answerTimeMax
    // Only one order is pending at a time, so the queue always accepts the order.
    _ = bus.put(order, I2COrder.Ticket(.accelerometer, number: lastNumber))
    var poll = Poll()
    poll.set(signals.descriptor, .reading)
    poll.set(bus.descriptor, .reading)
    while true {
      try poll.wait(until: end)
      if signals.next() != nil { return .interrupted }
      if let outcome = bus.outcomes().first { return .outcome(outcome) }
      if Clock.now >= end { return .deadline }
    }
  }
}

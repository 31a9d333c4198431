import Accelerometers
import BinnacleBasics
import BinnaclePosix
import Board
import Devices
import I2C

/// A short talk with an accelerometer that nobody else has: which chip it is, by reads alone.
struct AccelerometerCheck {
  /// How it ended.
  enum Ending: Equatable {
    case found(model: String, address: UInt8)
    case nothing(AccelerometerFault)
    case interrupted
  }

  /// How long a bus may take for one address; the kernel ends a transfer on a stuck bus after a second or so.
  private static let answerTimeMax = Interval.seconds(15)

  private let bus: I2CBus
  private let signals: Signals
  private var lastNumber: UInt64 = 0

  /// Looks for the chip on the bus at this path, `/dev/i2c-1` or `sim:PATH`.
  static func hold(
    path: String, _ accelerometer: Profile.Accelerometer
  ) throws(Errno) -> Ending {
    var talk = AccelerometerCheck(
      bus: try I2CBus(path: path), signals: try Signals([.interrupt, .terminate]))
    return try talk.run(accelerometer)
  }

  private mutating func run(_ accelerometer: Profile.Accelerometer) throws(Errno) -> Ending {
    // Range and rate are not set, only asked who is there.
    var probe = AccelerometerProbe(
      AccelerometerSettings(
        family: ChipFamily(rawValue: accelerometer.chip.rawValue), address: accelerometer.address))
    var step = probe.first
    while true {
      switch step {
      case .found(let model, let address): return .found(model: model, address: address)
      case .nothing(let fault): return .nothing(fault)
      case .look(let order):
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
    // One order is under way at a time: there is always room for it.
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

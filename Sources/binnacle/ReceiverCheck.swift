import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import LocationEngine

/// Identifies a receiver that no other program uses, and changes no setting of it.
struct ReceiverCheck {
  /// The result of the check.
  enum Ending: Equatable {
    case outcome(ReceiverProbe.Outcome)
    case failed(ReceiverFault)
    case interrupted
  }

  private let port: SerialPort
  private let signals: Signals
  private var probe: ReceiverProbe
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private var ending: Ending?

  /// Checks the receiver at this serial device; the settings of the line are restored.
  static func hold(path: String, speed: Int?) throws(Errno) -> Ending {
    // A signal without this handler would leave the line at another speed.
    let signals = try Signals([.interrupt, .terminate])
    let port: SerialPort
    do throws(ReceiverFault) {
      port = try SerialPort.open(path: path, speed: speed ?? ReceiverCheck.factorySpeed)
    } catch {
      return .failed(error)
    }
    var talk = ReceiverCheck(port, signals)
    return try talk.run()
  }

  /// The factory speed of most receivers.
  private static let factorySpeed = 9_600

  private init(_ port: SerialPort, _ signals: Signals) {
    self.port = port
    self.signals = signals
    probe = ReceiverProbe(speed: port.speed, isSpeedless: port.kind == .usb, at: Clock.now)
  }

  private mutating func run() throws(Errno) -> Ending {
    carryOut(probe.opened())
    var poll = Poll()
    while true {
      if let ending { return ending }
      poll.removeAll()
      poll.set(signals.descriptor, .reading)
      poll.set(port.descriptor, port.interest)
      let due = [port.nextDeadline, probe.nextDeadline].compactMap { $0 }.min()
      try poll.wait(until: due)
      if signals.next() != nil { return .interrupted }
      turn(poll.readiness(of: port.descriptor))
    }
  }

  private mutating func turn(_ readiness: Poll.Readiness) {
    if !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) {
      switch port.read(into: &buffer, readiness: readiness) {
      case .bytes(let count):
        carryOut(probe.bytesArrived(Array(buffer[..<count]), at: Clock.now))
      case .nothing: break
      case .lost(let error): ending = .failed(error)
      }
    }
    if ending == nil { deliver(port.proceed(at: Clock.now)) }
    let now = Clock.now
    if ending == nil, probe.nextDeadline <= now { carryOut(probe.deadlineReached(at: now)) }
  }

  private mutating func carryOut(_ actions: [ReceiverProbe.Action]) {
    for action in actions {
      switch action {
      case .write(let bytes): deliver(port.write(bytes, at: Clock.now))
      case .changeSpeed(let speed): deliver(port.changeSpeed(to: speed, at: Clock.now))
      case .end(let outcome): ending = .outcome(outcome)
      }
    }
  }

  private mutating func deliver(_ facts: [SerialPort.Fact]) {
    for fact in facts {
      switch fact {
      case .drained: break
      case .speedChanged: carryOut(probe.speedChanged(at: Clock.now))
      case .speedRefused: carryOut(probe.speedRefused(at: Clock.now))
      case .lost(let error): ending = .failed(error)
      }
    }
  }
}

import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import I2C
import LocationEngine

/// The receiver on an I2C bus: carries out the engine's orders and reports events.
final class BusReceiver {
  /// The receiver's path, for a person.
  let path: String
  private let port: BusPort
  private let isVirtual: Bool
  private var machine: DDCMachine
  private var isOpen = false
  private var hasWarned = false
  /// nil: no line is wired.
  private var readyLine: InterruptLine?
  private var actions: [DDCMachine.Action] = []
  /// Warnings about the bus that are not logged yet.
  private var warnings: [String] = []

  init(address: UInt8, bus: I2CBus, readyLine: InterruptLine?) {
    self.readyLine = readyLine
    path = "\(bus.path), address 0x\(String(address, radix: 16))"
    port = BusPort(bus: bus, owner: .receiver)
    isVirtual = bus.path.hasPrefix("sim:")
    machine = DDCMachine(address: address)
  }

  var counters: DDCMachine.Counters { machine.counters }

  // MARK: Orders

  func open(at now: Instant, into events: inout [Event]) {
    isOpen = false
    if !hasWarned, let name = I2CAdapter.name(ofBus: port.path), name.hasPrefix("bcm2835") {
      hasWarned = true
      warnings.append(BusReceiver.warning(adapter: name))
    }
    machine.open(at: now, into: &actions)
    heard(readyLine?.open(at: now) ?? [], at: now)
    follow(at: now, into: &events)
  }

  func close() {
    isOpen = false
    machine.close(into: &actions)
    for case .takeBack(let number) in actions { port.takeBack(number: number) }
    actions = []
  }

  func write(_ bytes: [UInt8], at now: Instant, into events: inout [Event]) {
    machine.write(bytes, at: now, into: &actions)
    follow(at: now, into: &events)
  }

  func attend(_ isWanted: Bool, at now: Instant, into events: inout [Event]) {
    machine.attend(isWanted, at: now, into: &actions)
    follow(at: now, into: &events)
  }

  func takeWarnings() -> [String] {
    defer { warnings.removeAll() }
    return warnings
  }

  // MARK: The ready line

  /// The descriptor to poll for reading; the owner of the bus polls the bus itself.
  var descriptor: Int32? { readyLine?.readableDescriptor }
  var nextDeadline: Instant? { readyLine?.nextDeadline }

  func ready(_ readiness: Poll.Readiness, at now: Instant, into events: inout [Event]) {
    heard(readyLine?.ready(readiness, at: now) ?? [], at: now)
    follow(at: now, into: &events)
  }

  func deadlineReached(at now: Instant, into events: inout [Event]) {
    heard(readyLine?.deadlineReached(at: now) ?? [], at: now)
    follow(at: now, into: &events)
  }

  private func heard(_ facts: [LineFact], at now: Instant) {
    for fact in facts {
      switch fact {
      case .opened(let isActive, _):
        machine.readyLineChanged(isThere: true, at: now, into: &actions)
        if isActive { machine.readyLineRose(at: now, into: &actions) }
      case .edge(isActive: true, _), .level(isActive: true):
        machine.readyLineRose(at: now, into: &actions)
      case .edge, .level: continue
      case .lost(let error):
        machine.readyLineChanged(isThere: false, at: now, into: &actions)
        warnings.append("its ready line cannot be used, so the receiver is polled often: \(error)")
      }
    }
  }

  // MARK: Poll results

  func orderEnded(
    _ outcome: I2COrder.Outcome, rateHz: Int, at now: Instant, into events: inout [Event]
  ) {
    machine.rateHz = rateHz
    machine.finished(
      number: outcome.ticket.number, answers: outcome.answers, failure: outcome.failure, at: now,
      into: &actions)
    follow(at: now, into: &events)
  }

  // MARK: Helpers

  private func follow(at now: Instant, into events: inout [Event]) {
    while !actions.isEmpty {
      let taken = actions
      actions = []
      for action in taken { carryOut(action, at: now, into: &events) }
    }
  }

  private func carryOut(
    _ action: DDCMachine.Action, at now: Instant, into events: inout [Event]
  ) {
    switch action {
    case .put(let order, let number, let dueAt):
      guard let refused = port.put(order, number: number, dueAt: dueAt, at: now) else { return }
      machine.finished(
        number: number, answers: refused.answers, failure: refused.failure, at: now,
        into: &actions)
    case .takeBack(let number): port.takeBack(number: number)
    case .opened:
      isOpen = true
      events.append(
        .receiver(.opened(.init(kind: isVirtual ? .virtualI2C : .i2c, address: machine.address))))
    case .failed(let error):
      let fault = fault(error)
      events.append(isOpen ? .receiver(.lost(fault)) : .receiver(.openFailed(fault)))
      isOpen = false
    case .readyLineGivenUp:
      let line = readyLine?.inWords ?? ""
      warnings.append(
        "its ready line \(line) does not change, so the receiver is polled often; is the receiver set to "
          + "raise it (CFG-TXREADY), and is that its pin?")
    case .bytes(let bytes): events.append(.receiver(.bytesArrived(bytes)))
    case .drained: events.append(.receiver(.drained))
    }
  }

  private func fault(_ error: I2CFault) -> ReceiverFault {
    let kind: ReceiverFailure
    var text = error.description
    switch error.kind {
    case .noAcknowledge:
      kind = isOpen ? .unplugged : .missing
      text += "; no receiver answers there: is it powered, and are SDA and SCL the right way round?"
    case .timeOut, .arbitrationLost:
      kind = isOpen ? .unplugged : .failed
      text += "; a device holds the bus"
    case .gone: kind = .unplugged
    case .missing: kind = .missing
    case .busy: kind = .busy
    case .notPermitted: kind = .notPermitted
    case .refused, .failed: kind = .failed
    }
    return ReceiverFault(kind, text)
  }

  /// A warning about an adapter that ignores clock stretching (raspberrypi/linux issue 4884).
  private static func warning(adapter: String) -> String {
    "the I2C controller '\(adapter)' spoils bytes when a receiver stretches the clock; "
      + "'dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=PIN,i2c_gpio_scl=PIN' in config.txt makes a bus "
      + "without that fault at two free pins, for I2C=/dev/i2c-3; the serial line has none of it"
  }
}

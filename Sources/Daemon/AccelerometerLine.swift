import Accelerometers
import BinnacleBasics
import BinnaclePosix
import Devices
import I2C
import LocationEngine

/// The accelerometer: carries out the engine's orders and reports events.
///
/// The chip's machine reads a chip on the bus. If a kernel driver has claimed the chip, the daemon reads the chip
/// through that driver until the driver is removed; then the daemon probes the bus again. The interrupt line is claimed
/// for as long as the daemon runs. While the line is unavailable, the daemon retries periodically.
final class AccelerometerLine {
  private let port: BusPort
  private var machine: AccelerometerMachine
  private let settings: AccelerometerSettings
  private var kernel: IIOSource?
  private var isHoldTold = false
  private var actions: [AccelerometerMachine.Action] = []
  /// nil: the chip's interrupt output is not wired.
  private var line: InterruptLine?
  private var isLineLossTold = false

  private static let linePause = Interval.seconds(30)

  init(_ settings: AccelerometerSettings, line: LineRequest?, bus: I2CBus) {
    port = BusPort(bus: bus, owner: .accelerometer)
    self.settings = settings
    self.line = line.map { InterruptLine($0, retryPause: AccelerometerLine.linePause) }
    machine = AccelerometerMachine(settings, mode: .resting)
  }

  /// The descriptor to poll while a kernel driver reads the chip; the owner of the bus polls the bus itself.
  var descriptor: Int32? { kernel?.descriptor }
  /// The interrupt line's descriptor to poll.
  var lineDescriptor: Int32? { line?.descriptor }

  var nextDeadline: Instant? {
    kernel == nil ? earlier(line?.nextDeadline, machine.nextDeadline) : line?.nextDeadline
  }

  // MARK: Orders

  func watch(
    _ mode: AccelerometerMachine.Mode, at now: Instant, into events: inout [Event]
  ) {
    kernel?.setMode(mode)
    take(line?.open(at: now) ?? [], at: now, into: &events)
    machine.modeWanted(mode, at: now, into: &actions)
    machine.started(at: now, into: &actions)
    follow(at: now, into: &events)
  }

  // MARK: Poll results

  func orderEnded(
    _ outcome: I2COrder.Outcome, at now: Instant, into events: inout [Event]
  ) {
    machine.orderEnded(outcome, at: now, into: &actions)
    follow(at: now, into: &events)
  }

  /// The kernel's driver has samples.
  func ready(at now: Instant, into events: inout [Event]) {
    for fact in kernel?.facts() ?? [] {
      switch fact {
      case .found(let description): events.append(.accelerometer(.found(description)))
      case .samples(let batch): events.append(.accelerometer(.samples(batch)))
      case .lost(let fault):
        events.append(.accelerometer(.fault(fault)))
        kernel = nil
      // The machine still waits to check whether the address is free.
      }
    }
  }

  /// The interrupt line reported an edge.
  func lineReady(
    _ readiness: Poll.Readiness, at now: Instant, into events: inout [Event]
  ) {
    take(line?.ready(readiness, at: now) ?? [], at: now, into: &events)
  }

  func deadlineReached(at now: Instant, into events: inout [Event]) {
    take(line?.deadlineReached(at: now) ?? [], at: now, into: &events)
    guard kernel == nil else { return }
    machine.deadlineReached(at: now, into: &actions)
    follow(at: now, into: &events)
  }

  // MARK: The interrupt line

  private func take(
    _ facts: [LineFact], at now: Instant, into events: inout [Event]
  ) {
    for fact in facts {
      switch fact {
      case .opened(let isActive, _):
        isLineLossTold = false
        machine.lineFound(at: now, into: &actions)
        if isActive { machine.lineRose(at: now, into: &actions) }
      case .edge(true, let instant): machine.lineRose(at: instant, into: &actions)
      case .edge, .level: break
      case .lost(let error):
        machine.lineLost(at: now, into: &actions)
        guard !isLineLossTold else { break }
        isLineLossTold = true
        let fault = AccelerometerFault(
          .lineSilent, "\(error.description); it is read without its interrupt line")
        events.append(.accelerometer(.fault(fault)))
      }
    }
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
    _ action: AccelerometerMachine.Action, at now: Instant, into events: inout [Event]
  ) {
    switch action {
    case .order(let order, let number, let dueAt):
      guard let refused = port.put(order, number: number, dueAt: dueAt, at: now) else { return }
      machine.orderEnded(refused, at: now, into: &actions)
    case .takeBack(let number): port.takeBack(number: number)
    case .found(let description):
      isHoldTold = false
      events.append(.accelerometer(.found(description)))
    case .samples(let batch): events.append(.accelerometer(.samples(batch)))
    case .moved(let instant): events.append(.accelerometer(.moved(instant)))
    case .fault(let fault):
      guard fault.kind == .heldByKernel else {
        events.append(.accelerometer(.fault(fault)))
        return
      }
      if takeOverFromKernel(at: now) || isHoldTold { return }
      isHoldTold = true
      events.append(.accelerometer(.fault(fault)))
    }
  }

  /// Reads the chip through the kernel driver that has claimed it.
  private func takeOverFromKernel(at now: Instant) -> Bool {
    kernel = IIOSource(
      busPath: port.path, address: settings.address, rateHz: settings.rateHz, mode: machine.mode)
    return kernel != nil
  }
}

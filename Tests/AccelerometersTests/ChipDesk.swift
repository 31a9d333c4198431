import BinnacleBasics
import I2C
import Simulation

@testable import Accelerometers

/// A machine at a simulated bus, in time that a test lets pass.
struct ChipDesk {
  var machine: AccelerometerMachine
  var bus: SimulatedI2CBus
  var now = Instant(nanoseconds: 1_000_000_000)
  /// The machine's outputs without orders.
  var told: [AccelerometerMachine.Action] = []
  /// Orders that were carried out, and how often the machine was called.
  var orderCount = 0
  var wakeCount = 0
  /// Whether the chip's interrupt output reaches the machine.
  var isLineWired = false

  private var orders: [(order: I2COrder, number: UInt64, dueAt: Instant)] = []
  private var wasRaised = false
  /// Outcomes that wait for others, or for news.
  private var quietOutcomes: [I2COrder.Outcome] = []
  /// Every transfer that wrote something beside a register's number: register and value.
  var writes: [[UInt8]] = []

  init(
    _ settings: AccelerometerSettings = AccelerometerSettings(), _ bus: SimulatedI2CBus,
    mode: AccelerometerMachine.Mode = .streaming
  ) {
    machine = AccelerometerMachine(settings, mode: mode)
    self.bus = bus
    isLineWired = settings.hasLine
    var actions: [AccelerometerMachine.Action] = []
    machine.started(at: now, into: &actions)
    take(actions)
  }

  /// Lets time pass in steps of a millisecond.
  mutating func run(_ interval: Interval) {
    let end = now + interval
    while now < end {
      now += .milliseconds(1)
      bus.advance(to: now)
      deliver()
      let isRaised = bus.accelerometers.contains { $0.isInterruptRaised }
      if isRaised, !wasRaised, isLineWired { call { $0.lineRose(at: $1, into: &$2) } }
      wasRaised = isRaised
      if let due = machine.nextDeadline, due <= now {
        call { $0.deadlineReached(at: $1, into: &$2) }
      }
    }
  }

  mutating func call(
    _ body: (inout AccelerometerMachine, Instant, inout [AccelerometerMachine.Action]) -> Void
  ) {
    wakeCount += 1
    var actions: [AccelerometerMachine.Action] = []
    body(&machine, now, &actions)
    take(actions)
  }

  private mutating func deliver() {
    while let index = orders.firstIndex(where: { $0.dueAt <= now }) {
      let (order, number, _) = orders.remove(at: index)
      orderCount += 1
      let outcome = carryOut(order, number)
      if let period = order.period, outcome.failure == nil {
        orders.append((order, number, now + period))
      }
      quietOutcomes.append(outcome)
      let isQuiet = outcome.failure == nil && order.quiet.covers(outcome.answers)
      let isWaiting = order.quiet != .everything && isQuiet
      if isWaiting, quietOutcomes.count < order.outcomesPerDelivery { continue }
      let outcomes = quietOutcomes
      quietOutcomes = []
      call { machine, now, actions in
        for outcome in outcomes { machine.orderEnded(outcome, at: now, into: &actions) }
      }
    }
  }

  private mutating func take(_ actions: [AccelerometerMachine.Action]) {
    for action in actions {
      switch action {
      case .order(let order, let number, let dueAt): orders.append((order, number, dueAt))
      case .takeBack(let number): orders.removeAll { $0.number == number }
      case .found, .samples, .moved, .fault: told.append(action)
      }
    }
  }

  private mutating func carryOut(_ order: I2COrder, _ number: UInt64) -> I2COrder.Outcome {
    var answers: [[UInt8]] = []
    var failure: I2CFault?
    for step in order.steps where failure == nil {
      switch step {
      case .transfer(let transfer): failure = carryOut(transfer, &answers)
      case .counted(let read):
        failure = carryOut(read.level, &answers)
        guard failure == nil, let level = answers.last else { break }
        var parts: [[UInt8]] = []
        for transfer in read.transfers(
          byteCount: read.byteCount(level: level), isJoined: false) where failure == nil
        {
          failure = carryOut(transfer, &parts)
        }
        if failure == nil { answers.append(Array(parts.joined())) }
      }
    }
    return I2COrder.Outcome(
      ticket: .init(.accelerometer, number: number), answers: answers, failure: failure,
      began: now, ended: now)
  }

  private mutating func carryOut(_ transfer: I2CTransfer, _ answers: inout [[UInt8]]) -> I2CFault? {
    for case .write(let bytes) in transfer.parts where bytes.count > 1 { writes.append(bytes) }
    switch bus.carryOut(transfer, at: now) {
    case .answers(let more):
      answers += more
      return nil
    case .failure(let errno):
      let kind: I2CFailure =
        switch errno {
        case SimulatedI2CBus.timedOut: .timeOut
        case SimulatedI2CBus.notSupported: .refused
        default: .noAcknowledge
        }
      return I2CFault(kind, "error \(errno)")
    }
  }

  // MARK: What was said

  var batches: [AccelerationBatch] {
    told.compactMap { if case .samples(let batch) = $0 { batch } else { nil } }
  }

  var faults: [AccelerometerFailure] {
    told.compactMap { if case .fault(let fault) = $0 { fault.kind } else { nil } }
  }

  var faultTexts: [String] {
    told.compactMap { if case .fault(let fault) = $0 { fault.description } else { nil } }
  }

  var found: [AccelerometerDescription] {
    told.compactMap { if case .found(let description) = $0 { description } else { nil } }
  }

  var movedCount: Int {
    told.count { if case .moved = $0 { true } else { false } }
  }

  var sampleCount: Int { batches.reduce(0) { $0 + $1.count } }

  /// The mean of all samples of the last batches.
  func mean(ofLast count: Int) -> Acceleration {
    var sum = Acceleration.zero
    var samples = 0.0
    for batch in batches.suffix(count) {
      for index in 0..<batch.count {
        sum.x += batch[index].x
        sum.y += batch[index].y
        sum.z += batch[index].z
        samples += 1
      }
    }
    return Acceleration(x: sum.x / samples, y: sum.y / samples, z: sum.z / samples)
  }
}

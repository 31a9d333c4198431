public import BinnacleBasics
import BinnacleModel
import I2C
public import LocationEngine

/// An engine and a simulated receiver on an I2C bus, in simulated time.
///
/// The bus carries out its transfers in sequence at 100 kbit/s and repeats none.
public struct BusBoard<Tested: EngineUnderTest> {
  public private(set) var engine: Tested
  public var device: SimulatedDDC
  public var kind = Event.ReceiverPort.Kind.i2c
  public private(set) var now = Instant.zero
  public private(set) var effects: [Effect] = []
  /// All bytes that the bus has carried from the receiver.
  public var bytes: [UInt8] = []
  public var transferCount = 0
  /// The wire to the receiver's pin EXTINT; nil: no line can be claimed.
  public var wire: WakeWire?
  /// Whether the wire leads to the pin.
  public var isWired = true
  private var machine = DDCMachine(address: SimulatedDDC.deliveredAddress)
  private var orders: [(order: I2COrder, number: UInt64, dueAt: Instant)] = []
  private var busyUntil = Instant.zero
  private var outcome: (number: UInt64, answers: [[UInt8]], failure: I2CFault?)?

  public init(engine: Tested, device: SimulatedDDC, wire: WakeWire? = nil) {
    self.engine = engine
    self.device = device
    self.wire = wire
  }

  /// Starts the board's clock at an instant other than zero.
  public mutating func startClock(at instant: Instant) {
    now = instant
    busyUntil = instant
  }

  public mutating func run(seconds: Double) {
    let end = now + Interval(nanoseconds: Int64(seconds * 1e9))
    while let next = nextInstant, next <= end {
      now = max(now, next)
      step()
    }
    now = end
    device.advance(to: now)
  }

  /// Unplugs the line's chip, or plugs the chip in again.
  public mutating func plugLine(_ isThere: Bool) {
    if let event = wire?.changed(isThere: isThere) { handle(event) }
  }

  // MARK: Steps

  private var nextInstant: Instant? {
    var candidates = [engine.outlook.nextDeadline].compactMap { $0 }
    if outcome != nil {
      candidates.append(busyUntil)
    } else if let due = orders.map(\.dueAt).min() {
      candidates.append(max(due, busyUntil))
    }
    return candidates.min()
  }

  private mutating func step() {
    if let finished = outcome, busyUntil <= now {
      outcome = nil
      machine.rateHz = engine.outlook.receiverRateHz
      var actions: [DDCMachine.Action] = []
      machine.finished(
        number: finished.number, answers: finished.answers, failure: finished.failure, at: now,
        into: &actions)
      perform(actions)
    }
    if outcome == nil,
      let index = orders.indices.filter({ orders[$0].dueAt <= now })
        .min(by: { orders[$0].dueAt < orders[$1].dueAt })
    {
      carryOut(orders.remove(at: index))
    }
    if let due = engine.outlook.nextDeadline, due <= now { handle(.deadlineReached) }
  }

  private mutating func carryOut(_ entry: (order: I2COrder, number: UInt64, dueAt: Instant)) {
    var answers: [[UInt8]] = []
    var failure: I2CFault?
    busyUntil = now
    for case .transfer(let transfer) in entry.order.steps where failure == nil {
      transferCount += 1
      let count = transfer.parts.reduce(0) { $0 + $1.count + 1 }
      busyUntil += .microseconds(Int64(count) * 90)
      switch device.carryOut(transfer, at: now) {
      case .answers(let more): answers += more
      case .noAcknowledge: failure = I2CFault(.noAcknowledge, "no acknowledge")
      case .timeOut: failure = I2CFault(.timeOut, "timed out")
      }
    }
    outcome = (entry.number, answers, failure)
  }

  /// Carries out the actions of the machine; the engine gets their events after all of them, as in the daemon.
  private mutating func perform(_ actions: [DDCMachine.Action]) {
    var events: [Event] = []
    for action in actions {
      switch action {
      case .put(let order, let number, let instant): orders.append((order, number, instant))
      case .takeBack(let number): orders.removeAll { $0.number == number }
      case .opened:
        events.append(
          .receiver(.opened(.init(kind: kind, address: SimulatedDDC.deliveredAddress))))
      case .failed(let error):
        events.append(.receiver(.lost(.init(.unplugged, error.description))))
      case .bytes(let more):
        bytes += more
        events.append(.receiver(.bytesArrived(more)))
      case .drained: events.append(.receiver(.drained))
      case .readyLineGivenUp: continue
      }
    }
    for event in events { handle(event) }
  }

  public mutating func handle(_ event: Event) {
    var answers: [Effect] = []
    engine.handle(event, at: now, into: &answers)
    effects += answers
    var actions: [DDCMachine.Action] = []
    var events: [Event] = []
    for effect in answers {
      switch effect {
      case .receiver(.open): machine.open(at: now, into: &actions)
      case .receiver(.attend(let isWanted)): machine.attend(isWanted, at: now, into: &actions)
      case .line(.receiverWake, .open):
        if let event = wire?.opened() { events.append(event) }
      case .line(.receiverWake, .set(let isLow)):
        guard let (event, isEdge) = wire?.driven(low: isLow) else { continue }
        if isEdge, isWired { device.interruptEdgeCame(at: now) }
        events.append(event)
      case .receiver(.close): machine.close(into: &actions)
      case .receiver(.write(let bytes)): machine.write(bytes, at: now, into: &actions)
      case _: continue
      }
    }
    perform(actions)
    for event in events { handle(event) }
  }
}
